/** The function of the store that decides on a commit by itself (src/lib/store/team/commit.ts), as the simulated server has it. */
import type { KnownStore } from '../../../src/lib/store/postgres/store.ts'
import type { CommitRequest, OpeningChecks } from '../../../src/lib/store/team/commit.ts'
import type { SimulatedServer } from './server.ts'

type Values = Readonly<Record<string, unknown>>

/** A row is not as its process knows it, or the commit was given up: nothing of it stands. */
function refused(): Error {
  return Object.assign(new Error('refused'), { code: 'PD001' })
}

/** The answer of the function in the transaction that is open. Null where it has changed nothing. Throws where it has to be undone. */
export function commitOnServer(server: SimulatedServer, known: KnownStore, request: CommitRequest): Values | null {
  const { time, commits } = server
  const run = (sql: string, ...parameters: unknown[]) => server.run({ sql, parameters })
  const mustChange = (sql: string, ...parameters: unknown[]) => {
    if (run(sql, ...parameters).changes !== 1) throw refused()
  }
  const insert = (table: string, row: object) => {
    const columns = Object.keys(row)
    run(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      ...Object.values(row),
    )
  }
  if (known.commits > commits || Math.abs(time - known.at) > 10_000) return null
  if (request.checks && !isPlain(server, request.checks, request.intents)) return null
  for (const { id, before, ...columns } of request.ended) {
    mustChange(`update intents set ${set(columns)} where id = ? and digest = ?`, ...Object.values(columns), id, before)
  }
  for (const { intent_id, number, before, ...columns } of request.tried) {
    const where = 'where intent_id = ? and number = ? and digest = ?'
    mustChange(`update attempts set ${set(columns)} ${where}`, ...Object.values(columns), intent_id, number, before)
  }
  for (const row of request.intents) insert('intents', row)
  for (const row of request.attempts) insert('attempts', row)
  for (const { payouts, units, ...key } of request.spent) {
    const names = Object.keys(key)
    run(
      `insert into spent (${names.join(', ')}, payouts, units) values (${names.map(() => '?').join(', ')}, ?, ?)
        on conflict do update set payouts = payouts + excluded.payouts, units = units + excluded.units`,
      ...[...Object.values(key), Number(payouts), Number(units)],
    )
  }
  mustChange(
    `insert into paydesk_writers as writers (writer, turn, seen_at) values (?, ?, ?)
      on conflict (writer) do update set turn = excluded.turn where writers.turn < excluded.turn`,
    ...[known.writer, known.turn, time],
  )
  return { time, commits: commits + 1, links: null, hash: null }
}

function set(columns: Values): string {
  return Object.keys(columns)
    .map((name) => `${name} = ?`)
    .join(', ')
}

function isPlain(server: SimulatedServer, checks: OpeningsAsked, intents: CommitRequest['intents']): boolean {
  const isThere = (sql: string, ...parameters: unknown[]) => server.run({ sql, parameters }).rows.length > 0
  const { operation, environment, client_id, service_id, origin, profile, ids, keys, alikeSince } = checks
  const isAmong = (what: string, ...values: unknown[]) =>
    isThere(
      `select 1 from intents where operation = ? and environment = ? and client_id = ?
        and (service_id = ? or origin = ? or profile = ?) and ${what}`,
      ...[operation, environment, client_id, service_id, origin, profile, ...values],
    )
  if (checks.mayBeRuled && isThere('select 1 from approval_rules')) return false
  if (ids.some((id) => isAmong('unique_id = ?', id)) || keys.some((key) => isAmong('business_key = ?', key)))
    return false
  const isAlike = ({ payee, amount_minor, currency }: CommitRequest['intents'][number]) =>
    isAmong(
      'payee = ? and amount_minor = ? and currency = ? and (opened_at >= ? or held_until is not null)',
      ...[payee, amount_minor, currency, alikeSince],
    )
  if (alikeSince !== null && intents.some(isAlike)) return false
  return checks.limits.every(
    ({ since, currency, most }) =>
      !isThere(
        `select 1 from (select coalesce(sum(${currency === null ? 'payouts' : 'units'}), 0) as spent from spent
          where environment = ? and client_id = ? and (service_id = ? or origin = ?) and minute >= ?
            and (? is null or currency = ?)) where spent > ?`,
        ...[environment, client_id, service_id, origin, since, currency, currency, Number(most)],
      ),
  )
}

type OpeningsAsked = Omit<OpeningChecks, 'limits'> & Pick<NonNullable<CommitRequest['checks']>, 'limits'>

/**
 * The commit of a journal as one call to the server: openings that nothing speaks against, and outcomes of rows that are still as their
 * process knows them. A function locks the store's own row, looks, writes, links and counts. It changes nothing where anything else
 * is to be decided: then a transaction does that.
 */
import { type ChainedTable, chainedName } from '../chain/chain.ts'
import type { ScopeColumns } from '../journal/intents.ts'
import type { AttemptRow, IntentRow, SpentRow } from '../journal/schema.ts'
import { contentOnServer, linkHashOnServer } from '../postgres/chain.ts'
import { presentServer } from '../postgres/server.ts'
import { betweenForgetting, databaseTime, writerMemory } from '../postgres/transaction.ts'

/** The columns that an outcome changes. */
const intentEnd = [
  ...(['state', 'transaction_id', 'status', 'status_description', 'service_created_at', 'answer', 'because'] as const),
  ...(['operator_word', 'sum_confirmed', 'changed_at', 'holder', 'held_until', 'held_until_steady', 'digest'] as const),
] as const satisfies readonly (keyof IntentRow)[]

const attemptEnd = [
  ...(['ended_at', 'outcome', 'message', 'why', 'known', 'digest', 'http', 'status_code', 'exception_group'] as const),
] as const satisfies readonly (keyof AttemptRow)[]

/** A row as its process knows it, and as it is to be. */
export interface Change<Row> {
  readonly before: Row
  readonly after: Row
}

/** What new intents have to be held against. */
export interface OpeningChecks extends ScopeColumns {
  readonly operation: string
  readonly profile: string
  readonly ids: readonly string[]
  readonly keys: readonly string[]
  /** True if a rule of four eyes may be about them. */
  readonly mayBeRuled: boolean
  /** What may have been spent since a minute, in minor units of a currency, or payouts for null. */
  readonly limits: readonly { readonly since: string; readonly currency: string | null; readonly most: bigint }[]
  /** Since when a payment like one of them must not have come; null where it may. */
  readonly alikeSince: string | null
}

export interface JournalCommit {
  readonly opened: readonly { readonly intent: IntentRow; readonly attempt: AttemptRow }[]
  /** Null where nothing is opened. */
  readonly checks: OpeningChecks | null
  readonly intents: readonly Change<IntentRow>[]
  readonly attempts: readonly Change<AttemptRow>[]
  readonly spent: readonly SpentRow[]
}

function pick<Row extends object>(row: Row, columns: readonly (keyof Row)[]) {
  return Object.fromEntries(columns.map((column) => [column, row[column]]))
}

export type CommitRequest = ReturnType<typeof commitRequest>

/** The request of the function. Whole numbers go as text. */
export function commitRequest({ opened, checks, intents, attempts, spent }: JournalCommit) {
  const changes: Record<string, string> = {}
  const note = (name: string, { digest }: { readonly digest: string }) => {
    changes[name] = digest
  }
  const noteAttempt = (row: AttemptRow) => note(`attempts:${row.intent_id}/${row.number}`, row)
  for (const { intent, attempt } of opened) {
    note(`intents:${intent.id}`, intent)
    noteAttempt(attempt)
  }
  for (const { after } of intents) note(`intents:${after.id}`, after)
  for (const { after } of attempts) noteAttempt(after)
  return {
    changes,
    intents: opened.map(({ intent }) => intent),
    attempts: opened.map(({ attempt }) => attempt),
    checks: checks && { ...checks, limits: checks.limits.map((limit) => ({ ...limit, most: `${limit.most}` })) },
    ended: intents.map(({ before, after }) => ({
      ...{ id: before.id, before: before.digest },
      ...pick(after, intentEnd),
    })),
    tried: attempts.map(({ before, after }) => ({
      ...{ intent_id: before.intent_id, number: before.number, before: before.digest },
      ...pick(after, attemptEnd),
    })),
    spent: spent.map((row) => ({ ...row, payouts: `${row.payouts}`, units: `${row.units}` })),
  }
}

const asked = (column: string) => `checks->>'${column}'`
const ofService = `(service_id = ${asked('service_id')} or origin = ${asked('origin')})`
const ofClient = `environment = ${asked('environment')} and client_id = ${asked('client_id')}`

/**
 * True if an intent has one of these values in a column: of one client, or of the profile wherever it sent. What is no name must not
 * choose the index, however few rows there were when the plan was made.
 */
const isAmong = (column: string, more = 'true') => `select from intents where ${column} = asked.${column}
        and (operation, environment, client_id) is not distinct from (${['operation', 'environment', 'client_id'].map(asked).join(', ')})
        and (service_id = ${asked('service_id')} or origin = ${asked('origin')} or profile = ${asked('profile')})
        and ${more} offset 0`

const integers: ReadonlySet<string> = new Set(['number', 'http', 'status_code', 'exception_group'])
const typed = (columns: readonly string[]) =>
  columns.map((column) => `${column} ${integers.has(column) ? 'integer' : 'text'}`).join(', ')
const set = (columns: readonly string[]) => columns.map((column) => `${column} = new.${column}`).join(', ')

const spentKey = 'environment, client_id, minute, service_id, origin, currency'
const spentForm = `environment text, client_id text, minute text, service_id text, origin text, currency text, payouts bigint, units bigint`

export const commitFunction = 'paydesk_commit'

/** Statements that make the function. */
export function createCommitFunction(chained: readonly ChainedTable[]): string {
  const spent = chained.find(({ name }) => name === 'spent')
  if (!spent) throw new TypeError('the sums stand under the chain')
  return `
create function ${commitFunction}(known jsonb, request jsonb) returns json language plpgsql
  -- Plans are made once, mostly on empty tables: they have to be good for full ones.
  set jit = off set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
as $commit$
declare
  began constant float8 := ${databaseTime};
  checks constant jsonb := request->'checks';
  ended constant jsonb := request->'ended';
  tried constant jsonb := request->'tried';
  own record;
  written integer;
  before record;
  changed text;
  link_hash text;
begin
  perform set_config('lock_timeout', greatest(1, ceil((known->>'patience')::float8))::text, true);
  select * into own from paydesk_store for update;
  if own.store <> known->>'store' or own.commits < (known->>'commits')::bigint or own.schema <> (known->>'schema')::integer
    or own.system <> ${presentServer.system} or own.timeline <> ${presentServer.timeline}
    or current_setting('fsync') <> 'on' or current_setting('synchronous_commit') = 'off'
    -- It was made for another time than now: whoever made it slept, or this clock was set.
    or abs(${databaseTime} - (known->>'at')::float8) > 10000
  then return null; end if;
  if jsonb_typeof(checks) = 'object' then
    if (checks->>'mayBeRuled')::boolean and exists (select from approval_rules) then return null; end if;
    if exists (select from jsonb_array_elements_text(checks->'ids') as asked (unique_id)
        cross join lateral (${isAmong('unique_id')}) as found)
      or exists (select from jsonb_array_elements_text(checks->'keys') as asked (business_key)
        cross join lateral (${isAmong('business_key')}) as found)
      or checks->>'alikeSince' is not null and exists (
        select from jsonb_to_recordset(request->'intents') as asked (payee text, amount_minor text, currency text)
          cross join lateral (${isAmong(
            'payee',
            `(amount_minor, currency) is not distinct from (asked.amount_minor, asked.currency)
            and (opened_at >= checks->>'alikeSince' or held_until is not null)`,
          )}) as found)
    then return null; end if;
    if exists (
      select from jsonb_to_recordset(checks->'limits') as asked (since text, currency text, most numeric)
        where asked.most < (
          select coalesce(sum(case when asked.currency is null then payouts else units end), 0) from spent
            where ${ofClient} and ${ofService} and minute >= asked.since
              and (asked.currency is null or spent.currency = asked.currency)))
    then return null; end if;
  end if;
  update intents set ${set(intentEnd)}
    from jsonb_to_recordset(ended) as new (id text, before text, ${typed(intentEnd)})
    where intents.id = new.id and intents.digest = new.before;
  get diagnostics written = row_count;
  if written <> jsonb_array_length(ended) then raise 'an intent was changed meanwhile' using errcode = 'PD001'; end if;
  update attempts set ${set(attemptEnd)}
    from jsonb_to_recordset(tried) as new (intent_id text, number integer, before text, ${typed(attemptEnd)})
    where attempts.intent_id = new.intent_id and attempts.number = new.number and attempts.digest = new.before;
  get diagnostics written = row_count;
  if written <> jsonb_array_length(tried) then raise 'an attempt was changed meanwhile' using errcode = 'PD001'; end if;
  insert into intents select * from jsonb_populate_recordset(null::intents, request->'intents');
  insert into attempts select * from jsonb_populate_recordset(null::attempts, request->'attempts');
  insert into spent (${spentKey}, payouts, units)
    select ${spentKey}, payouts, units from jsonb_to_recordset(request->'spent') as new (${spentForm})
    on conflict (${spentKey})
    do update set payouts = spent.payouts + excluded.payouts, units = spent.units + excluded.units;
  select json_object_agg(name, content)::text into changed from (
    select key as name, value as content from jsonb_each_text(request->'changes')
    union all
    select ${chainedName(spent, 'spent')}, ${contentOnServer(spent, 'spent')}
      from jsonb_to_recordset(request->'spent') as new (${spentForm}) join spent using (${spentKey})) as all_changes;
  select number, hash into before from links order by number desc limit 1;
  link_hash := ${linkHashOnServer("coalesce(before.hash, '')", '(coalesce(before.number, 0) + 1)::text', 'changed')};
  insert into links values (coalesce(before.number, 0) + 1, link_hash, 0, changed);
  update paydesk_store set commits = commits + 1;
  insert into paydesk_writers as writers (writer, turn, seen_at) values (known->>'writer', (known->>'turn')::bigint, began)
    on conflict (writer) do update set turn = excluded.turn, seen_at = excluded.seen_at where writers.turn < excluded.turn;
  get diagnostics written = row_count;
  if written <> 1 then raise 'the commit was given up' using errcode = 'PD001'; end if;
  if own.commits % ${betweenForgetting} = 0 then delete from paydesk_writers where seen_at < began - ${writerMemory}; end if;
  return json_build_object('time', began, 'commits', own.commits + 1, 'links', coalesce(before.number, 0) + 1, 'hash', link_hash);
end $commit$`
}

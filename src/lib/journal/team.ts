/**
 * The journal that a team shares: how a command opens its store, what this machine has seen of it, a person's word that it is whole
 * on its server, and how a person's own journal is brought into it.
 */
import { dirname, join } from 'node:path'
import { countInDay } from '../approvals/ruling.ts'
import { howMany } from '../contract/core/text.ts'
import type { Clock } from '../edge.ts'
import { Failure } from '../failure.ts'
import { blank, hint, paste } from '../hint.ts'
import { headOf } from '../store/chain/chain.ts'
import type { Store } from '../store/engine/store.ts'
import { withDigest } from '../store/journal/digest.ts'
import { firstSighting, namesKnown } from '../store/journal/intents.ts'
import type { IntentRow, JournalReader, JournalTables, JournalWriter } from '../store/journal/schema.ts'
import { isCounted } from '../store/journal/spent.ts'
import type { ConfirmedServer } from '../store/postgres/server.ts'
import type { TeamSettings } from '../store/postgres/store.ts'
import {
  addSpent,
  intentsInPieces,
  nameOfJournal,
  noteImport,
  putAttempts,
  putIntents,
  putPayees,
  spentRows,
} from '../store/team/import.ts'
import { formatHead, type VerifiedJournal, verifyJournal } from './chain.ts'
import { holderInWords, isLeased, type KnownFor, type Present } from './lease.ts'
import { noLease } from './row.ts'

interface TeamPlace {
  readonly journal: string
  readonly patience?: number
  readonly signal?: AbortSignal
  readonly away?: TeamSettings['away']
}

/** The marks of stores lie beside the machine's own journal. */
export function teamSettings({ journal, patience, signal, away }: TeamPlace, machine: Clock): TeamSettings {
  return {
    machine,
    marks: join(dirname(journal), 'teams'),
    ...(patience === undefined ? {} : { patience }),
    ...(signal === undefined ? {} : { signal }),
    ...(away === undefined ? {} : { away }),
  }
}

/**
 * The high-water mark of an attempt of another machine: how long this machine has known it. The clock of the database can be set, and
 * no other machine's time since its start can be read here: an attempt is old only as far as this machine has seen it grow old.
 */
export function ageSinceFirstSeen(store: Store<JournalTables>, machine: Clock): KnownFor {
  return async (attempt) => {
    const present = machine.steady()
    if (present === null) return null
    const first = await store.write((db) => firstSighting(db, attempt, present))
    return present.milliseconds - first
  }
}

export type { ConfirmedServer } from '../store/postgres/server.ts'

/** A person's word that the store is whole on the server where it is now. Throws a Failure: 2 without a team, 11 where its server cannot be reached. */
export async function confirmTeamServer(
  place: TeamPlace & { readonly team: string | null },
  because: string,
  machine: Clock,
): Promise<ConfirmedServer> {
  const { team } = place
  if (team === null) {
    throw new Failure(
      'usage',
      'there is no team’s store to confirm: PAYDESK_STORE is not set, and the profile names none',
      {
        hints: [hint`PAYDESK_STORE=postgres://… \`${paste('team confirm', '--because', blank('"…"'))}\``],
      },
    )
  }
  const { openTeam } = await import('../store/team/schema.ts')
  const store = await openTeam<JournalTables>(team, teamSettings(place, machine))
  try {
    return await store.confirm(because)
  } finally {
    await store.close()
  }
}

export interface ImportedJournal {
  readonly payments: number
  readonly attempts: number
  readonly payees: number
  /** The head of the person's journal: what it covers was brought. */
  readonly head: string
}

/**
 * Brings a person's journal into the store of a team, once: every row as it stands, with its ids; but of persons and approvals of
 * another store this one knows nothing. Nothing may be open in it, and nothing of it may have been sent from the team's store.
 * `present`: at this machine, where the person's journal is. Throws a Failure: damaged (1), nothing or something open in it (2),
 * brought before or sent from the team, too (7).
 */
export async function importJournal(
  own: Store<JournalTables>,
  team: Store<JournalTables>,
  present: Present,
  signal: AbortSignal,
): Promise<ImportedJournal> {
  const { intact, head, findings } = await verifyJournal(own, null, signal)
  if (!intact) throw damaged(findings)
  if (head === null) throw new Failure('usage', 'the local journal has nothing to import')
  // While it is copied nobody writes to it: a payment that is made meanwhile would be missing in the team's store for ever.
  return own.write(async (from) => {
    const newest = await headOf(from)
    if (newest === null || formatHead(newest) !== head) throw writtenMeanwhile()
    await requireResolved(from, present)
    return team.write((to) => copyJournal(from, to, head, new Date(present.now).toISOString()))
  })
}

function writtenMeanwhile(): Failure {
  return new Failure('locked', 'another run wrote to this journal while it was verified; nothing was imported', {
    moneyMoved: 'no',
    hints: [hint`Wait until it ends and run it again: \`${paste('journal import')}\`.`],
  })
}

function damaged(findings: VerifiedJournal['findings']): Failure {
  return new Failure('bug', `the journal was changed outside paydesk: ${findings[0]?.words ?? ''}`, {
    moneyMoved: 'no',
    hints: [hint`Run \`${paste('journal verify')}\` without PAYDESK_STORE. Nothing was imported.`],
  })
}

/** A process that was killed leaves rows whose outcome is known: those are nobody's. */
async function requireResolved(from: JournalReader, present: Present): Promise<void> {
  const found = await from
    .selectFrom('intents')
    .select(['state', 'holder', 'held_until', 'held_until_steady'])
    .where((is) => is.or([is('state', '=', 'unknown'), is('holder', 'is not', null)]))
    .execute()
  const held = found.filter((row) => isLeased(row, present))
  const unknown = found.filter((row) => row.state === 'unknown' && !held.includes(row))
  if (held.length + unknown.length === 0) return
  const running = hint`In flight by ${[...new Set(held.map(({ holder }) => holderInWords(holder ?? '')))].join(', ')}: wait for it to end, or end it.`
  const lost = hint`First resolve unknown payments, without PAYDESK_STORE: \`${paste('resume', '--all')}\`.`
  throw new Failure(
    'usage',
    `${howMany(held.length + unknown.length, 'payment of this journal is', 'payments of this journal are')} unknown or in flight; nothing was imported`,
    { moneyMoved: 'unknown', hints: [...(held.length > 0 ? [running] : []), ...(unknown.length > 0 ? [lost] : [])] },
  )
}

async function copyJournal(
  from: JournalReader,
  to: JournalWriter,
  head: string,
  now: string,
): Promise<ImportedJournal> {
  const name = await nameOfJournal(from)
  if (name === null || !(await noteImport(to, name, head, now))) {
    throw new Failure('duplicate', "this journal was already imported into the team's store; nothing was changed", {
      moneyMoved: 'no',
    })
  }
  for await (const { intents } of intentsInPieces(from)) {
    const there = await findKnown(to, intents)
    if (there) throw sentByBoth(there)
  }
  let [payments, tries] = [0, 0]
  for await (const { intents: own, attempts } of intentsInPieces(from)) {
    const intents = own.map(withoutOwner)
    const [there] = await putIntents(to, intents)
    if (there) throw sentByBoth(there)
    const counted = intents.filter(isCounted)
    await countInDay(
      to,
      counted.map((intent) => [intent, 1]),
    )
    await putAttempts(to, attempts)
    payments += intents.length
    tries += attempts.length
  }
  const payees = await from.selectFrom('payees').selectAll().execute()
  await putPayees(to, payees)
  await addSpent(to, await spentRows(from))
  return { payments, attempts: tries, payees: payees.length, head }
}

/**
 * The first whose id or key the team's store has, however the address of its service is spelled there, and wherever its profile
 * sent it; null where there is none.
 */
async function findKnown(to: JournalReader, intents: readonly IntentRow[]): Promise<IntentRow | null> {
  const places = new Map(intents.map((intent) => [describePlace(intent), intent]))
  for (const [name, first] of places) {
    const own = intents.filter((intent) => describePlace(intent) === name)
    const { operation, service, service_id: serviceId, environment, client_id: clientId, profile } = first
    // The sandbox begins anew with every world.
    const orOfProfile = environment === 'sandbox' ? '' : profile
    const place = { operation, service, serviceId, environment, clientId, orOfProfile }
    const ids = own.map(({ unique_id }) => unique_id)
    const keys = own.flatMap(({ business_key }) => (business_key === null ? [] : [business_key]))
    const known = await namesKnown(to, place, ids, keys)
    const there = own.find(
      ({ unique_id, business_key }) => known.has(unique_id) || known.has(business_key ?? unique_id),
    )
    if (there) return there
  }
  return null
}

function describePlace({ operation, service, service_id, environment, client_id, profile }: IntentRow): string {
  return JSON.stringify([operation, service, service_id, environment, client_id, profile])
}

/** It counts for everybody, and as approved by nobody; and nobody has it in flight. */
function withoutOwner(intent: IntentRow): IntentRow {
  const { maker, holder } = intent
  if (maker === null && holder === null) return intent
  return withDigest<IntentRow>({ ...intent, ...noLease, ...(maker === null ? {} : { maker: '', approvers: 0 }) })
}

function sentByBoth({ id, operation, unique_id, business_key }: IntentRow): Failure {
  const name = business_key ?? unique_id
  return new Failure('duplicate', `${operation} ${name} (${id}) is already in the team's store; nothing was imported`, {
    moneyMoved: 'unknown',
    hints: [hint`Compare both: \`${paste('journal show', name)}\`, with PAYDESK_STORE and without.`],
  })
}

/**
 * How the money stands when a command ends early: a wrong flag, a missing file or ^C undoes nothing that earlier runs sent.
 * The journal, or the plan, is asked for what the command line names.
 */
import { basename } from 'node:path'
import type { Plan } from '../batch/plan.ts'
import type { PlanStore, Plans } from '../batch/plans.ts'
import { normalId } from '../contract/core/text.ts'
import type { Subject } from '../contract/operation.ts'
import { operations, writesAbout } from '../contract/operations.ts'
import { addStanding } from '../desk/writes.ts'
import { Failure, FailureBeforeSending, type MoneyMoved } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { isJournalId, nameIn } from '../journal/find.ts'
import { type Intent, idAtService } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { ThisProcess } from '../journal/lease.ts'
import { isRecord } from '../json.ts'
import { isBuiltIn } from '../profile/built-in.ts'
import { Profiles, UnknownProfile } from '../profile/profiles.ts'
import { BareStop, nothingSentNow } from '../signals.ts'
import { isNewJournal, journalOf, typedSubjectOf } from './desk/journal.ts'
import { idFlags, isAboutEarlier } from './flags/typed-line.ts'
import { RequestFile, requestFileOf } from './input.ts'
import type { Invocation } from './invocation.ts'

/** The failure with what is known of the payments that the command is about. One that names a payment stays as it is. */
export function addStandingOfMoney(invocation: Invocation, failure: Failure): Promise<Failure> {
  return isAboutEarlier(invocation.id ?? '', invocation.line)
    ? addStandingOfWrites(invocation, failure)
    : addStandingOfPlans(invocation, failure)
}

// --- Payments of the journal

async function addStandingOfWrites(invocation: Invocation, failure: Failure): Promise<Failure> {
  if (failure.facts.journalId) return failure
  const { line, signal } = invocation
  const wasAsked = invocation.lastWords !== null
  const found = failure.kind === 'bug' ? null : await writesMeant(invocation, failure).catch(() => null)
  if (found === null) return asUnread(failure)
  const writes = found.filter(({ profile }) => !(failure instanceof UnknownProfile) || profile === failure.profile)
  if (writes.length > 0) return addStanding(failure, writes, signal)
  // Another profile has sent it, and a mistyped name may stand for that one.
  if (found.length > 0) return asUnread(failure)
  // A file of the request was not read: it may name a write of an earlier run.
  return failure instanceof BareStop && !wasAsked && line.has('--file') ? asUnread(failure) : failure
}

/** The journal did not say how the payment stands: what this run knows is that it has sent nothing. */
function asUnread(failure: Failure): Failure {
  const { kind, facts, retry, message } = failure
  const { hints = [] } = nothingSentNow
  const before = failure instanceof FailureBeforeSending ? failure.wordsOfThisRun : message
  return new Failure(kind, failure instanceof BareStop ? nothingSentNow.said : before, {
    ...facts,
    moneyMoved: 'unknown',
    retry: retry === 'same-id' ? 'after-fix' : retry,
    hints: [...(facts.hints ?? []), ...hints],
  })
}

async function writesMeant(invocation: Invocation, failure: Failure): Promise<readonly Intent[]> {
  if (isNewJournal(invocation.places)) return []
  const journal = await journalOf(invocation)
  const { id = '', line } = invocation
  const own = operations.find(({ name }) => name === id.replace(':', '.'))
  if (own?.effect === 'write') return sameWrites(invocation, journal, own, failure)
  // It is there for all that is unknown.
  if (id === 'resume' && line.words.length === 0) return journal.list({ states: ['unknown'], limit: 1 })
  const named = line.words.map((word) => writesTo(invocation, journal, word, failure))
  return (await Promise.all(named)).flat()
}

/** The same write, by its key or by the id of what it is done to. All that is typed counts, also what is too much. */
async function sameWrites(
  invocation: Invocation,
  journal: Journal,
  own: Extract<(typeof operations)[number], { effect: 'write' }>,
  failure: Failure,
): Promise<readonly Intent[]> {
  const { line, edge } = invocation
  const [keys = [], ...typedIds] = idFlags.map((flag) => line.values(flag))
  const ids = typedIds.flat()
  // Every write to a thing may have moved the money that its cancellation is about.
  const cancels = own.name.endsWith('.cancel')
  // One without an id cannot be named by its order: a refund, of which an order may have many.
  const { idField } = own
  // An id or a key that is typed goes over the file.
  const paths = idField === null || keys.length + ids.length > 0 ? [] : line.values('--file')
  const files = paths.map((path, at) => (at === 0 ? requestFileOf(invocation) : new RequestFile(path, edge.stdin)))
  const inFiles = await Promise.all(files.map((file) => file.fieldAtEnd(idField ?? '')))
  const names = idField === null ? ids : [...ids, ...line.words, ...inFiles, typedSubjectOf(invocation).id]
  const known = names.map((name) => (name === undefined ? [] : writesTo(invocation, journal, name, failure)))
  const byId = (await Promise.all(known)).flat()
  const filter = ofProfile(invocation, failure)
  const byKey = (await Promise.all(keys.map((key) => journal.list({ ...filter, named: key })))).flat()
  const isKeyed = ({ idempotencyKey }: Intent) => idempotencyKey !== null && keys.includes(idempotencyKey)
  return [...byKey.filter(isKeyed), ...byId].filter(({ operation }) => cancels || operation === own.name)
}

/** Of every profile where there is none of the name that was typed, which may be mistyped, and where several were. */
function ofProfile({ line, edge, places }: Invocation, failure: Failure) {
  if (failure instanceof UnknownProfile) return {}
  const [typed, ...others] = line.values('--profile')
  const profile = others.length > 0 ? undefined : (typed ?? edge.env.PAYDESK_PROFILE)
  if (profile === undefined) return {}
  return isBuiltIn(profile) || new Profiles(places.config).readNow().names.includes(profile) ? { profile } : {}
}

/** What the commands of a topic are about; `resume` and `journal` can be about all. */
const subjects: Readonly<Record<string, Subject>> = {
  payout: 'payout',
  order: 'order',
  card: 'order',
  wallet: 'wallet order',
  subscription: 'subscription',
}

async function writesTo(
  invocation: Invocation,
  journal: Journal,
  typed: string,
  failure: Failure,
): Promise<readonly Intent[]> {
  const { text, mayBe } = nameIn(typed.trim())
  const name = isJournalId(text) ? text.toLowerCase() : normalId(text)
  const subject = subjects[invocation.id?.split(':')[0] ?? '']
  const filter = { ...ofProfile(invocation, failure), ...(subject ? { operations: writesAbout(subject) } : {}) }
  const listing = [...new Set([name, text])].map((each) => journal.list({ ...filter, named: each }))
  // A name without its kind may be an id and a key: what is said is then true of both.
  const named = (await Promise.all(listing))
    .flat()
    .filter(({ idempotencyKey }) => mayBe !== 'id' || idempotencyKey !== text)
  const ids = new Set([
    ...(mayBe === 'key' ? [] : [name]),
    ...named.flatMap((intent) => [intent.uniqueId, idAtService(intent)]),
  ])
  const listed = [...ids].map((mayName) => journal.list({ ...filter, mayName }))
  const found = (await Promise.all(listed))
    .flat()
    .filter((each) => ids.has(each.uniqueId) || ids.has(idAtService(each)))
  return [...new Map(found.map((intent) => [intent.journalId, intent])).values()]
}

// --- Plans

interface StandingOfPlans {
  readonly moneyMoved: MoneyMoved
  /** The plan whose rows decide it; null where none could be asked. */
  readonly planId: string | null
}

async function addStandingOfPlans(invocation: Invocation, failure: Failure): Promise<Failure> {
  const { kind, facts } = failure
  const holdsCounts = isRecord(facts.document) && 'planId' in facts.document
  if (holdsCounts || failure.moneyMoved !== 'no') return failure
  const { moneyMoved, planId } = await standingOfPlans(invocation).catch(
    (): StandingOfPlans => ({ moneyMoved: 'unknown', planId: null }),
  )
  if (moneyMoved === 'no') return failure
  const status = hint`Rows of this plan were sent or are in flight: \`${paste('batch status', planId ?? '')}\` shows their state.`
  const unread = hint`Rows that earlier runs sent could not be read, and stay as they are.`
  const about = { ...facts, moneyMoved, hints: [...(facts.hints ?? []), planId === null ? unread : status] }
  if (!(failure instanceof BareStop)) return failure.as(kind, about)
  const { said, ...stopped } = nothingSentNow
  return new Failure(kind, said, { ...stopped, ...about })
}

async function standingOfPlans(invocation: Invocation): Promise<StandingOfPlans> {
  const { id, line } = invocation
  const { isPlanId, openPlan } = await import('../batch/plans.ts')
  const { batchJournalOf, plansOf } = await import('./batch/plans.ts')
  const { approvedPlanOf, journalAndHolding } = await import('./team/approvals.ts')
  const isOfApprovals = id?.startsWith('approval:') ?? false
  const meant = line.words.map(async (word) => {
    const planId = isOfApprovals ? await approvedPlanOf(invocation, word) : null
    return planId ?? word.trim().toLowerCase()
  })
  const named = (await Promise.all(meant)).filter(isPlanId)
  const isNamed = named.length > 0
  if (!isNamed && id !== 'batch:plan') return { moneyMoved: 'no', planId: null }
  const plans = await plansOf(invocation)
  const files = new Set(line.words.map((word) => basename(word)))
  let found: StandingOfPlans = { moneyMoved: 'no', planId: null }
  for (const planId of isNamed ? named : await plans.ids()) {
    const opened = await openPlan(plans, planId).catch(nullIfNotFound)
    if (!opened) continue
    try {
      if (!isNamed && !files.has(opened.plan.file)) continue
      const at = await (isOfApprovals ? journalAndHolding(invocation) : batchJournalOf(invocation))
      const moneyMoved = await moneyOfPlan(opened, at, plans)
      if (moneyMoved === 'unknown') return { moneyMoved, planId }
      if (moneyMoved === 'yes') found = { moneyMoved, planId }
    } finally {
      await opened.store.close()
    }
  }
  return found
}

/** Nothing was sent of a plan that was refused before its last row was agreed to. */
function nullIfNotFound(error: unknown): null {
  if (error instanceof Failure && error.kind === 'not-found') return null
  throw error
}

async function moneyOfPlan(
  { store, plan }: { readonly store: PlanStore; readonly plan: Plan },
  { journal, leaseHolder }: { readonly journal: Journal; readonly leaseHolder: ThisProcess },
  plans: Plans,
): Promise<MoneyMoved> {
  const { countRows } = await import('../batch/run.ts')
  const { ownerOf } = await import('../batch/rows.ts')
  const { isBeingRun } = await import('../batch/lease.ts')
  const isWorked = await isBeingRun({ plans, leaseHolder, store }, plan.planId)
  const count = await countRows({ desk: ownerOf(plan, journal), leaseHolder, store })
  return isWorked && !count.isDone ? 'unknown' : count.moneyMoved
}

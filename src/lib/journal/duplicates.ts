/** How a draft stands against the journal before anything is written, and what is said against sending it. */

import { sumOf } from '../contract/core/decimal.ts'
import { writeNamed } from '../contract/operations.ts'
import { isSameService } from '../contract/service.ts'
import { Failure, FailureBeforeSending } from '../failure.ts'
import { blank, type Hint, hint, paste } from '../hint.ts'
import * as rows from '../store/journal/intents.ts'
import { intentsLike } from '../store/journal/intents.ts'
import type { IntentRow, JournalReader } from '../store/journal/schema.ts'
import { uncountedStates } from '../store/journal/spent.ts'
import { isRefusedByBody, isTaken } from './conflict.ts'
import { type Allowed, decideHold } from './hold.ts'
import {
  attemptOf,
  type Intent,
  intentFailure,
  intentOf,
  likenessOf,
  mayHaveRun,
  moneyMovedBy,
  type NewIntent,
} from './intent.ts'
import { isLeased, mayWake, type Present, requireUnleased } from './lease.ts'
import { isExecuted, mayBeMended, type State, unmoved } from './verdict.ts'

const duplicateWindow = 24 * 60 * 60 * 1000

export interface Guard extends Allowed {
  /** A suspected duplicate: the same amount to the same payee within 24 hours. */
  readonly duplicates: 'refuse' | 'warn' | 'off'
  /** Refuses an unknown one whatever `duplicates` says: the service could not tell the two apart. */
  readonly unknownDuplicates?: 'refuse'
  readonly allowed: string | null
  /** Refuses a payout like this row of a plan that came after a person looked. */
  readonly planned?: AfterPlanning | null
}

/** Payouts like the rows of a plan that came after a person looked at it. */
export interface AfterPlanning {
  /** When the plan was made, ISO, UTC. */
  readonly since: string
  /** True for the id of a row of the plan. */
  readonly isOwn: (uniqueId: string) => boolean
}

/**
 * For each row of a plan the payout like it that came after the plan was made, is no row of it, and may have been
 * executed.
 */
export async function findAlikeSince<Row extends NewIntent>(
  db: JournalReader,
  rows: readonly Row[],
  { since, isOwn }: AfterPlanning,
  present: Present,
): Promise<(row: Row) => Intent | null> {
  const [first] = rows
  if (!first) return () => null
  const found = await intentsLike(db, { ...first, orOfProfile: first.profile }, rows, since)
  // One that another run has in flight may be about to be sent again, whatever its last attempt came to, and however long ago it was opened.
  const mayRun = found.filter((row) => (row.opened_at >= since && mayHaveRun(intentOf(row))) || isLeased(row, present))
  const came = mayRun.map(intentOf).filter(({ uniqueId }) => !isOwn(uniqueId))
  const bySum = new Map(came.map((intent) => [likenessOf(intent.payee, intent.amountMinor, intent.currency), intent]))
  return ({ payee, amountMinor, currency }) => bySum.get(likenessOf(payee, amountMinor, currency)) ?? null
}

export type Opening =
  | {
      readonly kind: 'open'
      readonly suspected: Intent | null
      readonly unresolved: Intent | null
      /** The service said that its id is taken. */
      readonly conflict: Intent | null
      readonly attempts: number
      /** Over a limit, waiting for an approval, or held and not asked for by its name. */
      readonly isHeldBack: boolean
    }
  | { readonly kind: 'done'; readonly intent: Intent }

/** Nothing is under the id. */
export const untouched: Extract<Opening, { kind: 'open' }> = {
  ...({ kind: 'open', suspected: null, unresolved: null, conflict: null, attempts: 0, isHeldBack: false } as const),
}

export interface Begun {
  readonly kind: 'begun'
  readonly intent: Intent
  readonly attempt: number
  readonly suspected: Intent | null
  readonly unresolved: Intent | null
}

/**
 * For how many attempts a read shows no trace (0: nothing was read). `recognised`: the service recognises the id,
 * however often it is sent.
 */
export type Clearance = 'recognised' | number

/**
 * True if one more attempt may follow. After an answer with another sum a recognised id does not say which sum it has.
 */
export function isCleared(intent: Intent, attempts: number, clearance: Clearance, present: Present): boolean {
  if (clearance === 'recognised') return intent.answeredSum === null && intent.otherSum === null
  return attempts <= clearance && !mayWake(intent, present)
}

/** What came of its attempts has to be asked first. */
export interface Unresolved {
  readonly kind: 'unresolved'
  readonly intent: Intent
}

/** The standing of a draft. Throws a Failure: duplicate (7), locked (12). */
export async function consider(db: JournalReader, newIntent: NewIntent, guard: Guard, present: Present) {
  const row = await rows.findIntent(db, newIntent)
  // One that is unknown was meant for its own address before; it is resolved there.
  if (!row || unmoved.has(row.state as State)) await requireNew(db, newIntent, row, guard, present)
  const decision = await decideHold(db, newIntent, row, guard, present)
  const isHeldBack = decision.because !== null
  if (!row) {
    const suspected = await findSuspected(db, newIntent, guard, present)
    return { opening: { ...untouched, suspected, isHeldBack }, row: null, past: [], decision }
  }
  const intent = intentOf(row)
  const tries = await rows.attemptsOf(db, row.id)
  const past = tries.map(attemptOf)
  // The service has the body of a conflict, perhaps, though its attempts were refused.
  const isRefused = mayBeMended(past) || past.some((each) => isRefusedByBody(intent.operation, each))
  const isMendable = unmoved.has(intent.state) && isRefused && !intent.isTaken
  if (row.body_digest !== newIntent.bodyDigest && !isMendable) throw otherBody(intent, newIntent)
  if (isExecuted(intent)) return { opening: { kind: 'done', intent } as const, row, past: tries, decision }
  requireUnleased(row, present)
  const unresolved = intent.state === 'unknown' ? intent : null
  const suspected = await findSuspected(db, newIntent, narrowGuard(intent, guard), present)
  const conflict = intent.isTaken ? intent : null
  const opening = { kind: 'open', suspected, unresolved, conflict, attempts: past.length, isHeldBack } as const
  return { opening, row, past: tries, decision }
}

/**
 * One that was turned away was held against payments alike when it was opened; an unknown one may have come since. One
 * that is unknown is resolved, whatever is open beside it.
 */
function narrowGuard({ state }: Intent, guard: Guard): Guard {
  // It is begun anew, as a payment that the journal does not know.
  if (uncountedStates.some((each) => each === state)) return guard
  const { unknownDuplicates, ...others } = guard
  const isSentAgain = state === 'turned-away' && unknownDuplicates !== undefined
  return { ...others, duplicates: 'off', planned: null, ...(isSentAgain ? { unknownDuplicates } : {}) }
}

/**
 * Throws duplicate (7) where this profile has sent the same key or id as the same client to another address, or the key
 * under another id, and it may have been executed. The sandbox begins anew with every world.
 */
async function requireNew(
  db: JournalReader,
  newIntent: NewIntent,
  own: IntentRow | null,
  guard: Guard,
  present: Present,
): Promise<void> {
  const across = newIntent.environment === 'sandbox' ? {} : { orOfProfile: newIntent.profile }
  const found = await rows.intentsOfName(db, { ...newIntent, ...across })
  const others = found.filter((row) => row.id !== own?.id && row.id !== guard.allowed)
  const row = others.find(
    (each) => isExecuted(each) || each.state === 'unknown' || isTaken(each) || isLeased(each, present),
  )
  if (row) throw sentElsewhere(intentOf(row), newIntent)
}

async function findSuspected(
  db: JournalReader,
  newIntent: NewIntent,
  guard: Guard,
  present: Present,
): Promise<Intent | null> {
  if (guard.planned) {
    const other = (await findAlikeSince(db, [newIntent], guard.planned, present))(newIntent)
    if (other) throw new AlikeSincePlanning(other)
  }
  // A key names a payment of its own; it does not make an open one of the same sum known.
  const isGuarded = guard.duplicates !== 'off' && newIntent.idempotencyKey === null
  if (!isGuarded && !guard.unknownDuplicates) return null
  const since = new Date(present.now - duplicateWindow).toISOString()
  const found = await rows.listIntents(db, {
    scope: newIntent,
    ...(newIntent.environment === 'sandbox' ? {} : { orOfProfile: newIntent.profile }),
    alike: {
      operation: newIntent.operation,
      payee: newIntent.payee,
      amount_minor: newIntent.amountMinor ?? '',
      currency: newIntent.currency ?? '',
    },
  })
  // One that another run has in flight may be about to be sent again, whatever its last attempt came to.
  const isOpen = (row: IntentRow) => row.state === 'unknown' || isLeased(row, present)
  const others = found.filter((row) => row.unique_id !== newIntent.uniqueId || !isSameService(intentOf(row), newIntent))
  // An open intent stays in the way until it is resolved, however old it is.
  const isInTheWay = (row: IntentRow) => isOpen(row) && row.id !== guard.allowed
  const open = others.find(isInTheWay)
  if (open && guard.unknownDuplicates === 'refuse') throw duplicateSuspected(intentOf(open))
  const mayRun = (row: IntentRow) => !['refused', 'unsent'].includes(row.state) || isTaken(row) || isOpen(row)
  const recent = others.filter((row) => row.opened_at >= since && mayRun(row))
  const row = recent.find(isInTheWay) ?? recent.find(({ state }) => state !== 'held') ?? recent[0]
  if (!isGuarded || !row || row.id === guard.allowed) return null
  if (guard.duplicates === 'refuse') throw duplicateSuspected(intentOf(row))
  return intentOf(row)
}

function describeNewIntent(newIntent: NewIntent): string {
  const sum = sumOf(newIntent)
  return sum === null ? `${newIntent.operation} of ${newIntent.payee}` : `${sum} to ${newIntent.payee}`
}

export function otherBody(intent: Intent, newIntent: NewIntent): Failure {
  const { journalId, uniqueId } = intent
  const compare = hint`Compare: \`${paste('journal show', journalId)}\`.`
  const { onlyOnce, done } = writeNamed(newIntent.operation) ?? {}
  if (onlyOnce && isExecuted(intent)) {
    const message = `the order was ${done} with ${sumOf(intent)} already (${journalId}); nothing was sent now`
    return intentFailure('duplicate', message, intent, { hints: [onlyOnce, compare] })
  }
  if (onlyOnce) {
    return intentFailure(
      'duplicate',
      `an earlier attempt with ${sumOf(intent)} is still unknown (${journalId})`,
      intent,
      {
        hints: [hint`Resolve it first: \`${paste('resume', journalId)}\`.`],
      },
    )
  }
  const name = newIntent.idempotencyKey === null ? `id ${uniqueId}` : `key ${newIntent.idempotencyKey}`
  const message = `the ${name} belongs to another request (${journalId}: ${describeNewIntent(intent)}), this one is ${describeNewIntent(newIntent)}`
  const another = hint`Another one needs another ${newIntent.idempotencyKey === null ? 'id' : '--key'}.`
  return intentFailure('duplicate', message, intent, { hints: [compare, another] })
}

/** A refund has an order, a payout a payee. */
function theSame({ operation }: Intent): string {
  const write = writeNamed(operation)
  return !write || write.about === 'payout' ? 'to the same payee' : `for the same ${write.about}`
}

export function duplicateSuspected(intent: Intent): Failure {
  const { journalId, state, openedAt, operation, isTaken } = intent
  const refuse = (message: string, ...hints: Hint[]) =>
    new Failure('duplicate', message, { operation, journalId, moneyMoved: moneyMovedBy(intent), hints })
  const to = theSame(intent)
  const second = hint`If this is meant as a second payment: --allow-duplicate ${journalId}, or give it a --key.`
  if (state === 'held') {
    const message = `the same amount ${to} is already held (${journalId}, ${openedAt})`
    return refuse(message, hint`Send that one once it is within the limits: \`${paste('resume', journalId)}\`.`, second)
  }
  if (isExecuted(intent) || state === 'turned-away' || isTaken) {
    const message = `the same amount was sent ${to} less than 24 hours ago (${journalId}, ${state}, ${openedAt})`
    return refuse(message, hint`See it: \`${paste('journal show', journalId)}\`.`, second)
  }
  return refuse(
    `the same was sent before, and it is unknown whether it was executed (${journalId}, ${openedAt})`,
    hint`Resolve it first: \`${paste('resume', journalId)}\`.`,
    hint`If this is meant as a second one: --allow-duplicate ${journalId}.`,
  )
}

/** The run of a plan ends before a row like which something else has sent one. */
export class AlikeSincePlanning extends FailureBeforeSending {
  readonly intent: Intent

  constructor(intent: Intent) {
    const { operation, journalId, openedAt } = intent
    super('duplicate', `the same amount went to the same payee since the plan was made (${journalId}, ${openedAt})`, {
      operation,
      journalId,
    })
    this.intent = intent
  }
}

/** For a profile that was moved with --another-service although the service is the same. */
export function sameServiceHint({ profile, service }: Pick<NewIntent, 'profile' | 'service'>): Hint {
  return hint`If it is the same service at a new address: give the profile ${service} again with --another-service, then the new address with --same-service (\`${paste('profile add', profile, '--replace', blank('…'))}\`).`
}

export function sentElsewhere(intent: Intent, newIntent: NewIntent): Failure {
  const { journalId, service, state } = intent
  const name = newIntent.idempotencyKey === null ? `id ${newIntent.uniqueId}` : `key ${newIntent.idempotencyKey}`
  const how = isExecuted(intent) ? 'and it was executed' : 'and it may have been executed'
  return intentFailure('duplicate', `the ${name} was sent to ${service} (${journalId}, ${state}), ${how}`, intent, {
    // One that was turned away and that another run has in flight may be sent again by now.
    ...(unmoved.has(state) ? { moneyMoved: 'unknown' } : {}),
    hints: [
      sameServiceHint(intent),
      hint`If it is another service and another payment: ${newIntent.idempotencyKey === null ? 'another id' : 'another --key'}.`,
    ],
  })
}

export function takenOverFailure(intent: Intent): Failure {
  return intentFailure('locked', 'another run has taken over this payment', intent, {
    moneyMoved: 'unknown',
    hints: [hint`See its state: \`${paste('journal show', intent.journalId)}\`.`],
  })
}

/**
 * Throws locked (12) where another run has changed an intent. One that is told as not executed, by a status or by none
 * (null), must not have been read in another one meanwhile.
 */
export function requireUnchanged(looked: Intent, standing: Intent, deniedBy: string | null | undefined): void {
  const isChanged = standing.state !== looked.state || standing.isTaken !== looked.isTaken
  const isRead = standing.status !== looked.status && standing.status !== deniedBy
  if (!isChanged && (deniedBy === undefined || !isRead)) return
  const { journalId, state, isTaken } = standing
  throw intentFailure('locked', `another run has changed ${journalId}: it is now ${state}`, standing, {
    moneyMoved: ['refused', 'unsent'].includes(state) && !isTaken ? 'no' : 'unknown',
    hints: [hint`Look at it before you resolve it: \`${paste('journal show', journalId)}\`.`],
  })
}

/** Another machine sent this id with another sum or beneficiary. */
export function otherSum(intent: Intent, differs: string): Failure {
  return intentFailure('duplicate', `the service has this id with another sum or beneficiary: ${differs}`, intent, {
    moneyMoved: 'unknown',
    retry: 'never',
    hints: [
      hint`Another machine or program used the id. Check that before you pay again.`,
      hint`See what this journal sent: \`${paste('journal show', intent.journalId)}\`.`,
    ],
  })
}

export function conflict(intent: Intent): Failure {
  return intentFailure(
    'duplicate',
    `${intent.journalId} is a conflict: ${intent.because ?? 'its id is already used'}`,
    intent,
    {
      moneyMoved: 'unknown',
      retry: 'never',
      hints: [hint`Check at the service which request it was, before you do it again.`],
    },
  )
}

/** A suspected duplicate, where a profile only warns. */
export function duplicateWarning(intent: Intent): string {
  const { journalId, state, openedAt } = intent
  const to = theSame(intent)
  if (state === 'held') return `the same amount ${to} is held: ${journalId} (${openedAt})`
  return `the same amount was sent ${to} less than 24 hours ago: ${journalId} (${state}, ${openedAt})`
}

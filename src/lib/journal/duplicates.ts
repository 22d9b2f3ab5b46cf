/**
 * The journal's view of a draft before anything is written: it is new, it was resolved, another run has it, or it looks like
 * a payment that was just made; and what is said against sending it, in words.
 */

import { sumOf } from '../contract/core/decimal.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import { isSameService } from '../contract/service.ts'
import { Failure } from '../failure.ts'
import { FailureBeforeSending } from '../failure-before-sending.ts'
import { blank, type Hint, hint, paste } from '../hint.ts'
import * as rows from '../store/journal/intents.ts'
import { intentsLike, isExecuted } from '../store/journal/intents.ts'
import type { IntentRow, JournalReader } from '../store/journal/schema.ts'
import { uncountedStates } from '../store/journal/spent.ts'
import { isRefusedByBody, isTaken } from './conflict.ts'
import {
  attemptOf,
  type Draft,
  factsOf,
  type Intent,
  intentOf,
  likenessOf,
  mayHaveRun,
  moneyMovedBy,
} from './intent.ts'
import { isLeased, mayWake, type Present, requireUnleased } from './lease.ts'
import { type Allowed, decideOnHolding, type HeldDraft } from './limits.ts'
import { mayBeMended, unmoved } from './verdict.ts'

const duplicateWindow = 24 * 60 * 60 * 1000

export interface Guard extends Allowed {
  /** The reaction to a suspected duplicate: the same amount to the same payee within 24 hours. */
  readonly duplicates: 'refuse' | 'warn' | 'off'
  /** Refuses one whose outcome is unknown whatever `duplicates` says: the service could not tell the two apart. */
  readonly unknownDuplicates?: 'refuse'
  /** The journal id of the one that was looked at. */
  readonly allowed: string | null
  /** Of a row of a plan: refuses a payout like it that came after the person looked. */
  readonly planned?: AfterPlanning | null
}

/** The look of a person at a plan: payouts like its rows that came later were not seen by anybody. */
export interface AfterPlanning {
  /** When the plan was made, ISO, UTC. */
  readonly since: string
  /** True for the id of a row of the plan: its rows were agreed to together. */
  readonly isOwn: (uniqueId: string) => boolean
}

/** Gives for each of some rows of a plan the payout like it that came after the plan was made, is no row of it, and may have been executed. */
export async function findAlikeSince<Row extends Draft>(
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

/** The standing of a draft against the journal. */
export type Opening =
  /** Nothing speaks against sending it. */
  | {
      readonly kind: 'open'
      /** A suspected duplicate that only deserves a warning. */
      readonly suspected: Intent | null
      /** The intent, if earlier attempts may have executed it. */
      readonly unresolved: Intent | null
      /** The intent, if the service said that its id is taken: this request or another one was executed. */
      readonly conflict: Intent | null
      /** The number of attempts so far. */
      readonly attempts: number
      /** It does not fit the limits as they stand, waits for an approval, or is held and was not asked for by its name. */
      readonly isHeldBack: boolean
    }
  /** The same id with the same body was resolved before. */
  | { readonly kind: 'done'; readonly intent: Intent }

/** The view of a journal that has nothing under an id. */
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
 * For how many attempts of an intent something has made sure that one more may follow them: a read that shows no trace of
 * them, or nothing (0). `recognised`: the service recognises the id, however often it is sent.
 */
export type Clearance = 'recognised' | number

/**
 * True if one more attempt may follow. After an answer with another sum it may not: a service that recognises the id does not
 * say which of the sums it has.
 */
export function isCleared(intent: Intent, attempts: number, clearance: Clearance, present: Present): boolean {
  if (clearance === 'recognised') return intent.answeredSum === null && intent.otherSum === null
  return attempts <= clearance && !mayWake(intent, present)
}

/** Attempts were made that no clearance speaks for: what came of them has to be asked first. */
export interface Unresolved {
  readonly kind: 'unresolved'
  readonly intent: Intent
}

/** The standing of a draft, with the row and the attempts that decided it. Throws a Failure: duplicate (7), locked (12). */
export async function consider(db: JournalReader, draft: Draft, guard: Guard, present: Present) {
  const row = await rows.findIntent(db, draft)
  // One that is unknown was meant for its own address before; it is resolved there.
  if (!row || notExecuted.has(row.state)) await requireNew(db, draft, row, guard, present)
  const decision = await decideOnHolding(db, draft, row, guard, present)
  const isHeldBack = decision.because !== null
  if (!row) {
    const suspected = await findSuspected(db, draft, guard, present)
    return { opening: { ...untouched, suspected, isHeldBack }, row: null, past: [], decision }
  }
  const intent = intentOf(row)
  const tries = await rows.attemptsOf(db, row.id)
  const past = tries.map(attemptOf)
  // The service has the body of a conflict, perhaps, though its attempts were refused.
  const isRefused = mayBeMended(past) || past.some((each) => isRefusedByBody(intent.operation, each))
  const isMendable = unmoved.has(intent.state) && isRefused && !intent.isTaken
  if (row.body_digest !== draft.bodyDigest && !isMendable) throw otherBody(intent, draft)
  if (intent.state === 'accepted' || intent.state === 'exists') {
    return { opening: { kind: 'done', intent } as const, row, past: tries, decision }
  }
  requireUnleased(row, present)
  const unresolved = intent.state === 'unknown' ? intent : null
  const suspected = await findSuspected(db, draft, narrowGuard(intent, guard), present)
  const conflict = intent.isTaken ? intent : null
  const opening = { kind: 'open', suspected, unresolved, conflict, attempts: past.length, isHeldBack } as const
  return { opening, row, past: tries, decision }
}

const notExecuted: ReadonlySet<string> = new Set(['refused', 'unsent', 'turned-away', 'held'])

/** States of an intent that is begun anew: it is a payment like one that the journal does not know. */
const begins: ReadonlySet<string> = new Set(uncountedStates)

/**
 * One that was sent, and turned away, was held against payments alike when it was opened; an open one that could not be told from
 * it may have come since. One that is unknown is resolved, whatever is open beside it.
 */
function narrowGuard({ state }: Intent, guard: Guard): Guard {
  if (begins.has(state)) return guard
  const { unknownDuplicates, ...others } = guard
  const isSentAgain = state === 'turned-away' && unknownDuplicates !== undefined
  return { ...others, duplicates: 'off', planned: null, ...(isSentAgain ? { unknownDuplicates } : {}) }
}

/**
 * Throws a Failure, duplicate (7), where this profile has sent the same key or id as the same client to another address, or
 * the same key under another id, and it may have been executed. The sandbox begins anew with every world.
 */
async function requireNew(
  db: JournalReader,
  draft: Draft,
  own: IntentRow | null,
  guard: Guard,
  present: Present,
): Promise<void> {
  const across = draft.environment === 'sandbox' ? {} : { orOfProfile: draft.profile }
  const found = await rows.intentsOfName(db, { ...draft, ...across })
  const others = found.filter((row) => row.id !== own?.id && row.id !== guard.allowed)
  const row = others.find(
    (each) => isExecuted(each) || each.state === 'unknown' || isTaken(each) || isLeased(each, present),
  )
  if (row) throw sentElsewhere(intentOf(row), draft)
}

/** States of a payment that was executed, or that may be yet. */
const mayRun: ReadonlySet<string> = new Set(['accepted', 'exists', 'turned-away', 'unknown', 'held'])

async function findSuspected(db: JournalReader, draft: Draft, guard: Guard, present: Present): Promise<Intent | null> {
  if (guard.planned) {
    const other = (await findAlikeSince(db, [draft], guard.planned, present))(draft)
    if (other) throw new AlikeSincePlanning(other)
  }
  // A key names a payment of its own; it does not make an open one of the same sum known.
  const isGuarded = guard.duplicates !== 'off' && draft.businessKey === null
  if (!isGuarded && !guard.unknownDuplicates) return null
  const since = new Date(present.now - duplicateWindow).toISOString()
  const found = await rows.listIntents(db, {
    scope: draft,
    ...(draft.environment === 'sandbox' ? {} : { orOfProfile: draft.profile }),
    alike: {
      operation: draft.operation,
      payee: draft.payee,
      amount_minor: draft.amountMinor ?? '',
      currency: draft.currency ?? '',
    },
  })
  // One that another run has in flight may be about to be sent again, whatever its last attempt came to.
  const isOpen = (row: IntentRow) => row.state === 'unknown' || isLeased(row, present)
  const others = found.filter((row) => row.unique_id !== draft.uniqueId || !isSameService(intentOf(row), draft))
  // An open intent stays in the way until it is resolved, however old it is.
  const isInTheWay = (row: IntentRow) => isOpen(row) && row.id !== guard.allowed
  const open = others.find(isInTheWay)
  if (open && guard.unknownDuplicates === 'refuse') throw duplicateSuspected(intentOf(open))
  const recent = others.filter(
    (row) => row.opened_at >= since && (mayRun.has(row.state) || isTaken(row) || isOpen(row)),
  )
  const row = recent.find(isInTheWay) ?? recent.find(({ state }) => state !== 'held') ?? recent[0]
  if (!isGuarded || !row || row.id === guard.allowed) return null
  if (guard.duplicates === 'refuse') throw duplicateSuspected(intentOf(row))
  return intentOf(row)
}

function describeDraft(draft: Draft): string {
  const sum = sumOf(draft)
  return sum === null ? `${draft.operation} of ${draft.payee}` : `${sum} to ${draft.payee}`
}

export function otherBody(intent: Intent, draft: Draft): Failure {
  const compare = hint`Compare: \`${paste('journal show', intent.journalId)}\`.`
  const operation = writeNamed(draft.operation)
  if (operation?.onlyOnce) return doneOnce(intent, operation, operation.onlyOnce, compare)
  const name = draft.businessKey === null ? `id ${intent.uniqueId}` : `key ${draft.businessKey}`
  const needed = draft.businessKey === null ? 'id' : '--key'
  return new Failure(
    'duplicate',
    `the ${name} stands for another request (${intent.journalId}: ${describeDraft(intent)}), this one is ${describeDraft(draft)}`,
    { ...factsOf(intent), hints: [compare, hint`Another one needs another ${needed}.`] },
  )
}

/** Something that is there already, and that bears its id: no other id would help. */
function doneOnce(intent: Intent, { done }: WriteOperation, next: Hint, compare: Hint): Failure {
  const { state, journalId } = intent
  const sum = sumOf(intent)
  if (state === 'accepted' || state === 'exists') {
    return new Failure('duplicate', `the order was ${done} with ${sum} already (${journalId}); nothing was sent now`, {
      ...factsOf(intent),
      hints: [next, compare],
    })
  }
  return new Failure('duplicate', `an earlier attempt with ${sum} is still open (${journalId})`, {
    ...factsOf(intent),
    hints: [hint`Resolve it first: \`${paste('resume', journalId)}\`.`],
  })
}

export function duplicateSuspected(intent: Intent): Failure {
  const { journalId, state, openedAt, operation } = intent
  const about = { operation, journalId, moneyMoved: moneyMovedBy(intent) }
  if (state === 'held') {
    return new Failure('duplicate', `the same amount to the same payee is held (${journalId}, ${openedAt})`, {
      ...about,
      hints: [
        hint`Send that one, when it fits: \`${paste('resume', journalId)}\`.`,
        hint`If this is meant to be a second payment: --allow-duplicate ${journalId}, or give it a --key.`,
      ],
    })
  }
  if (state === 'accepted' || state === 'exists' || state === 'turned-away' || intent.isTaken) {
    return new Failure(
      'duplicate',
      `the same amount went to the same payee less than 24 hours ago (${journalId}, ${state}, ${openedAt})`,
      {
        ...about,
        hints: [
          hint`Look at it: \`${paste('journal show', journalId)}\`.`,
          hint`If this is meant to be a second payment: --allow-duplicate ${journalId}, or give it a --key.`,
        ],
      },
    )
  }
  return new Failure(
    'duplicate',
    `the same was sent before, and whether it was executed is unknown (${journalId}, ${openedAt})`,
    {
      ...about,
      hints: [
        hint`Resolve it first: \`${paste('resume', journalId)}\`.`,
        hint`If this is meant to be a second one all the same: --allow-duplicate ${journalId}.`,
      ],
    },
  )
}

/** Something else has sent a payout like this row of a plan, which was made before: the run of the plan ends before the row. */
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

/** Advice for a profile that was moved with --another-service although the service is the same. */
export function sameServiceHint({ profile, service }: Pick<Draft, 'profile' | 'service'>): Hint {
  return hint`If it is the same service at a new address: give the profile ${service} again with --another-service, then the new address with --same-service (\`${paste('profile add', profile, '--replace', blank('…'))}\`).`
}

/** The same key or id, sent by the same profile and client to another address. */
export function sentElsewhere(intent: Intent, draft: Draft): Failure {
  const { journalId, service, state } = intent
  const name = draft.businessKey === null ? `id ${draft.uniqueId}` : `key ${draft.businessKey}`
  const open = state !== 'accepted' && state !== 'exists'
  const how = open ? 'and it may have been executed' : 'and it was executed'
  return new Failure('duplicate', `the ${name} was sent to ${service} (${journalId}, ${state}), ${how}`, {
    ...factsOf(intent),
    // One that was turned away and that another run has in flight may be sent again by now.
    ...(unmoved.has(state) ? { moneyMoved: 'unknown' } : {}),
    hints: [
      sameServiceHint(intent),
      hint`If it is another service and another payment: ${draft.businessKey === null ? 'another id' : 'another --key'}.`,
    ],
  })
}

export function takenOver(intent: Intent): Failure {
  return new Failure('locked', 'another run has taken this payment over', {
    ...factsOf(intent),
    moneyMoved: 'unknown',
    hints: [hint`See how it stands: \`${paste('journal show', intent.journalId)}\`.`],
  })
}

/**
 * Throws Failure('locked') where another run has changed an intent since this one looked at it. One that is told as not executed,
 * by a status or by none (null), must not have been read in another one meanwhile either: that may show the execution.
 */
export function requireUnchanged(looked: Intent, standing: Intent, deniedBy: string | null | undefined): void {
  const isChanged = standing.state !== looked.state || standing.isTaken !== looked.isTaken
  const isRead = standing.status !== looked.status && standing.status !== deniedBy
  if (isChanged || (deniedBy !== undefined && isRead)) throw changedMeanwhile(standing)
}

function changedMeanwhile(intent: Intent): Failure {
  return new Failure('locked', `another run has changed ${intent.journalId} meanwhile: it is ${intent.state}`, {
    ...factsOf(intent),
    moneyMoved: ['refused', 'unsent'].includes(intent.state) && !intent.isTaken ? 'no' : 'unknown',
    hints: [hint`Look at it before you resolve it: \`${paste('journal show', intent.journalId)}\`.`],
  })
}

/** The service executed something else under this id: another machine sent it with another sum or beneficiary. */
export function otherSum(intent: Intent, differs: string): Failure {
  return new Failure('duplicate', `the service has this id with another sum or beneficiary: ${differs}`, {
    ...factsOf(intent),
    moneyMoved: 'unknown',
    retry: 'never',
    hints: [
      hint`Another machine or program used the id: look there before you pay anew.`,
      hint`See what this journal sent: \`${paste('journal show', intent.journalId)}\`.`,
    ],
  })
}

/** A conflict: the service has its id, and not certainly from this journal. */
export function conflict(intent: Intent): Failure {
  return new Failure('duplicate', `${intent.journalId} is a conflict: ${intent.because ?? 'its id is taken'}`, {
    ...factsOf(intent),
    moneyMoved: 'unknown',
    retry: 'never',
    hints: [hint`Look at the service which request it was, before you do it anew.`],
  })
}

/** It is over a limit, or waits for an approval: stored, and not sent. */
export function heldOver({ intent, waits }: HeldDraft): Failure {
  const { journalId, businessKey, because } = intent
  const keyed = businessKey === null ? '' : ', or the same command with its --key'
  const when = waits === null ? 'it fits' : 'it is approved'
  return new Failure('held', `it is held (${journalId}) and nothing was sent: ${because ?? 'over a limit'}`, {
    ...factsOf(intent),
    hints: [
      ...(waits === null ? [] : [approvalHint(journalId, waits.asked)]),
      hint`When ${when}: \`${paste('resume', journalId)}\`${keyed}.`,
      ...(waits === null ? [hint`The limits, and what is left of them: \`${paste('profile show')}\`.`] : []),
      hint`Not to be paid any more: \`${paste('resume', journalId, '--settle', 'refused', '--because', blank('"…"'))}\`.`,
    ],
  })
}

/** An approval is asked for, and nothing waits for one. */
export function notHeld(intent: Intent): Failure {
  return new Failure('usage', `${intent.journalId} is not held but ${intent.state}: there is nothing to approve`, {
    ...factsOf(intent),
    hints: [hint`\`${paste('journal show', intent.journalId)}\` tells all of it.`],
  })
}

/** The next step towards an approval of a payment or a plan: it is asked for, or another person gives it. */
export function approvalHint(subjectId: string, asked: string | null): Hint {
  if (asked !== null) return hint`Another person approves it: \`${paste('approval approve', asked)}\`.`
  return hint`Ask for an approval: \`${paste('approval request', subjectId)}\`.`
}

/** A suspected duplicate where a profile only warns of it. */
export function duplicateWarning({ journalId, state, openedAt }: Intent): string {
  if (state === 'held') return `the same amount to the same payee is held: ${journalId} (${openedAt})`
  return `the same amount went to the same payee less than 24 hours ago: ${journalId} (${state}, ${openedAt})`
}

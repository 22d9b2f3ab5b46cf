/** The failure of a write that was not accepted: one sentence, what to do next, the exit code. */
import { isMasked } from '../client/mask.ts'
import { refusal, refusalInWords } from '../client/refusal.ts'
import { redirectFailure } from '../client/token.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { writeNamed } from '../contract/operations.ts'
import { Failure, type MoneyMoved, type ServiceWords } from '../failure.ts'
import { blank, filledIn, hint, paste } from '../hint.ts'
import { remedyFor } from '../http/explain.ts'
import { conflict } from '../journal/duplicates.ts'
import { factsOf, type Intent, intentFailure } from '../journal/intent.ts'
import { AnswerInOutbox } from '../journal/outbox.ts'
import { requestIn, unpaidEnd } from '../journal/payment-end.ts'
import type { ShownBeside, Verdict } from '../journal/verdict.ts'
import { anotherId, sameIdFlag } from './new-intent.ts'
import { badToken } from './read.ts'
import { reasonOf } from './writes.ts'

/** The reason for which nothing leaves that was called off, in words. */
export const outOfTurn = 'the run ended before its turn'

/** The failure for the state of an intent and the last verdict about it. */
export function failureOf(operation: WriteOperation, intent: Intent, verdict: Verdict): Failure {
  if (intent.state === 'unknown') return unknown(operation, intent, verdict)
  // No answer to a later attempt takes it back.
  if (intent.isTaken && verdict.kind !== 'duplicate')
    return conflict(intent).with({ service: 'words' in verdict ? verdict.words : null })
  switch (verdict.kind) {
    case 'duplicate':
      return verdict.shown
        ? doneAlready(operation, intent, verdict.words, verdict.shown)
        : takenId(operation, intent, verdict.words)
    case 'turned-away':
      return turnedAway(operation, intent, verdict).with(factsOf(intent))
    case 'unsent':
      return unsent(operation, intent, verdict)
    case 'refused':
      if (verdict.seen) return refusedByStatus(operation, intent, verdict.words, verdict.seen)
      return verdict.status === null
        ? refusal(operation, verdict.words, requestIn(intent.body), factsOf(intent))
        : businessRefusal(operation, intent, verdict.status, verdict.words.message)
    default: {
      const message = `the journal calls ${intent.journalId} ${intent.state} after "${verdict.kind}"`
      return intentFailure('bug', message, intent)
    }
  }
}

/** The failure of a write that stays unknown, whatever its own answer was. */
export function unknownFailure(operation: WriteOperation, intent: Intent, why: string): Failure {
  return failureOf(operation, intent, { kind: 'unknown', why, words: null })
}

function unsent(
  operation: WriteOperation,
  intent: Intent,
  { why, besides }: Extract<Verdict, { kind: 'unsent' }>,
): Failure {
  if (besides) {
    // Another write is told as not executed, and may have been: running this again would send it a second time.
    return intentFailure('duplicate', `nothing was sent: ${why}`, intent, {
      moneyMoved: 'unknown',
      retry: 'never',
      hints: [
        hint`See \`${paste('journal show', besides)}\`. When the service has said what happened, record it: \`${paste('resume', besides, '--settle', blank('executed|refused'), '--because', blank('…'))}\`.`,
        hint`If this is meant as another one: --allow-duplicate ${besides}.`,
      ],
    })
  }
  if (why === outOfTurn) return intentFailure('unsent', `nothing was sent: ${outOfTurn}`, intent)
  const flag = sameIdFlag(operation, intent)
  const mended = remedyFor(why)
  return intentFailure('unsent', `the service could not be reached, nothing was sent: ${why}`, intent, {
    hints: [mended ?? hint`Run it again when the network is back${flag === null ? '' : `; ${flag} keeps the id`}.`],
    ...(mended && { retry: 'after-fix' }),
  })
}

/**
 * A taken id, at the very first attempt too, proves that someone executed it: another machine, or this very request, which
 * something on the way sent twice.
 */
function takenId(operation: WriteOperation, intent: Intent, words: ServiceWords): Failure {
  const how = words.statusCode === null ? words.message : refusalInWords(operation, words)
  const message =
    operation.duplicate?.message ??
    `the service already has ${intent.uniqueId} (${how}), but not from a lost attempt of this journal`
  return intentFailure('duplicate', message, intent, {
    service: words,
    retry: 'never',
    moneyMoved: 'unknown',
    hints: [
      hint`Another machine or program used the id, an older copy of this journal was restored, or a proxy doubled the request. Check that before you pay again.`,
      ...(operation.duplicate ? [filledIn(operation.duplicate.next, requestIn(intent.body))] : []),
    ],
  })
}

/** A business outcome in the form of a status: the contract tells its meaning. */
function businessRefusal(
  { statuses }: WriteOperation,
  intent: Intent,
  status: string,
  message: string | null,
): Failure {
  const facts = statuses?.(status)
  const reason = message !== null && message !== status ? `: ${message}` : ''
  const told = `${status}: ${facts?.means ?? 'the service refused'}${reason}`
  const hints = facts?.next ? [filledIn(facts.next, { anew: anotherId(intent) })] : []
  return intentFailure(facts?.exit ?? 'refused', told, intent, { status, retry: 'after-fix', hints })
}

function turnedAway(
  operation: WriteOperation,
  intent: Intent,
  { by, words, location }: Extract<Verdict, { kind: 'turned-away' }>,
): Failure {
  if (by === 'redirect') return redirectFailure(location ?? null)
  if (by === 'token' && operation.wire === 'bearer') return badToken(words)
  if (by === 'token') {
    const hints = [hint`Check identity and keys of the profile: \`${paste('profile check')}\`.`]
    return new Failure('credentials', 'the service did not accept the integrator', { service: words, hints })
  }
  return new Failure('refused', 'the service is busy and did not accept it', {
    service: words,
    retry: 'same-id',
    hints: [
      isMasked(operation, requestIn(intent.body))
        ? hint`Later: run it again with ${sameIdFlag(operation, intent) ?? 'the same id'}; the journal keeps no card token.`
        : hint`Later: \`${paste('resume', intent.journalId)}\` sends it again under the same id.`,
    ],
  })
}

/** "9: sent, no definite answer". A refusal of a repeat is shown as evidence, not as the end. */
function unknown(operation: WriteOperation, intent: Intent, verdict: Verdict): Failure {
  const isOtherSum = verdict.kind === 'unknown' && verdict.otherSum != null
  return intentFailure('unknown', `sent, but no definite answer: ${evidenceInWords(operation, verdict)}`, intent, {
    service: 'words' in verdict ? verdict.words : null,
    hints: [
      hint`Do not send it again. \`${paste('resume', intent.journalId)}\` checks what happened.`,
      ...(isOtherSum && operation.duplicate ? [filledIn(operation.duplicate.next, requestIn(intent.body))] : []),
    ],
  })
}

function evidenceInWords(operation: WriteOperation, verdict: Verdict): string {
  switch (verdict.kind) {
    case 'accepted':
      return ''
    case 'duplicate':
      return verdict.shown ? `a repeat was refused, and ${verdict.shown.because}` : ''
    case 'unknown':
      return verdict.why
    case 'unsent':
      return `the last attempt did not leave this machine: ${verdict.why}`
    case 'refused':
      return `a repeat was refused (${refusalInWords(operation, verdict.words)}), which says nothing about the first attempt`
    case 'turned-away':
      return 'a repeat was turned away, which says nothing about the first attempt'
  }
}

// --- Refusals that speak of the state of the thing, with the status that a read shows

function stateInWords({ evidence }: WriteOperation, { statusCode }: ServiceWords, status: string): string {
  const means = evidence?.by.statuses?.(status)?.means
  const who = statusCode === null ? 'nothing was sent' : `the service refused (${statusCode})`
  return `${who}: the order is ${status}${means ? ` (${means})` : ''}`
}

/** The refusal (5): the status leaves no way for the write, and does not show it either. */
function refusedByStatus(operation: WriteOperation, intent: Intent, words: ServiceWords, status: string): Failure {
  const refusals = operation.evidence?.refusals
  const step = refusals?.next[status]
  const message = `${stateInWords(operation, words, status)} and cannot be ${refusals?.done}`
  return intentFailure('refused', message, intent, {
    service: words.http === null ? null : words,
    status,
    retry: 'after-fix',
    hints: step === undefined ? [] : [filledIn(step, requestIn(intent.body))],
  })
}

/** The conflict (7): the status shows what was asked for. It was this very request, sent twice on its way, or another one. */
function doneAlready(operation: WriteOperation, intent: Intent, words: ServiceWords, { status }: ShownBeside): Failure {
  const message = `${stateInWords(operation, words, status)}, by this request, sent twice on its way, or by another one`
  return intentFailure('duplicate', message, intent, {
    service: words,
    status,
    moneyMoved: 'unknown',
    retry: 'never',
    hints: [hint`Check at the service which request did it. This request has nothing left to do.`],
  })
}

// --- Answers that the journal could not record

function answerInWords(intent: Intent, verdict: Verdict | null): string {
  if (verdict?.kind === 'accepted') {
    const { transactionId } = verdict
    return transactionId ? `the service accepted it as transaction ${transactionId}` : 'the service accepted it'
  }
  const operation = writeNamed(intent.operation)
  const words = verdict && 'words' in verdict ? verdict.words : null
  if (!words || !operation) return 'it may have been executed'
  return `the service answered ${refusalInWords(operation, words)}`
}

/** True for the end of an intent that evidence has closed: the journal holds it so. */
export function isClosedByEvidence(error: unknown): boolean {
  return error instanceof Failure && (error.kind === 'refused' || error.kind === 'duplicate')
}

/** The movement of its money: none so far where it ended unpaid, or would have if its time were over. */
function movedBy(intent: Intent): MoneyMoved {
  if (unpaidEnd(intent)) return 'no'
  return unpaidEnd(intent, Number.POSITIVE_INFINITY) ? 'unknown' : 'yes'
}

export function notRecordedFailure(error: unknown, intent: Intent, verdict: Verdict | null): Failure {
  const accepted = verdict?.kind === 'accepted' ? verdict : null
  const message = `${answerInWords(intent, verdict)}, but the journal could not record that: ${reasonOf(error)}`
  const resume = paste('resume', intent.journalId)
  return intentFailure('unknown', message, intent, {
    service: verdict && 'words' in verdict ? verdict.words : null,
    transactionId: accepted?.transactionId ?? null,
    ...(accepted ? { moneyMoved: movedBy({ ...intent, ...accepted, state: 'accepted' }) } : {}),
    hints: [
      error instanceof AnswerInOutbox
        ? hint`The answer is stored in ${error.path}; the next command here that reaches the team's store moves it there: \`${resume}\`.`
        : hint`Free the disk, then run \`${resume}\`.`,
    ],
  })
}

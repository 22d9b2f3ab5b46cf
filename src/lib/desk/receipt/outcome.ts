/** What a write that was not accepted means for the person who asked: one sentence, what to do next, the exit code. */
import type { WriteOperation } from '../../contract/operation.ts'
import { createPayout } from '../../contract/payout/payout.ts'
import { Failure, type FailureName, type MoneyMoved } from '../../failure.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import type { Verdict } from '../../journal/verdict.ts'
import { isRecord, readJson } from '../../json.ts'
import { badToken } from '../call.ts'
import { redirected } from '../line/token.ts'
import { anotherId, sameIdFlag } from '../new-id.ts'
import { isMasked } from './mask.ts'
import { refusal, refusalInWords } from './refusal.ts'

/**
 * The failure that the state of an intent and the last verdict about it stand for. `wasTurnedAway`: an attempt before was, and
 * whether the service has the id from somebody else can only be believed.
 */
export function failureOf(operation: WriteOperation, intent: Intent, verdict: Verdict, wasTurnedAway = false): Failure {
  const facts = factsOf(intent)
  if (intent.state === 'unknown') return unknown(operation, intent, verdict)
  switch (verdict.kind) {
    case 'duplicate':
      return duplicate(operation, intent, verdict, wasTurnedAway ? 'unknown' : 'no')
    case 'turned-away':
      return turnedAway(operation, intent, verdict).with(facts)
    case 'unsent':
      return new Failure('unsent', `the service could not be reached, nothing was sent: ${verdict.why}`, {
        ...facts,
        hints: [`Run it again when the network is back${idKept(operation, intent)}.`],
      })
    case 'refused':
      return verdict.status === null
        ? refusal(operation, verdict.words, requestOf(intent), facts)
        : businessRefusal(intent, verdict.status, verdict.words.message)
    case 'accepted':
    case 'unknown':
      return new Failure('bug', `the journal calls ${intent.journalId} ${intent.state} after "${verdict.kind}"`, facts)
  }
}

function idKept(operation: WriteOperation, intent: Intent): string {
  const flag = sameIdFlag(operation, intent)
  return flag === null ? '' : `; ${flag} keeps the id`
}

function duplicate(
  operation: WriteOperation,
  intent: Intent,
  { words }: Extract<Verdict, { kind: 'duplicate' }>,
  moneyMoved: MoneyMoved,
): Failure {
  const about = { ...factsOf(intent), service: words, retry: 'never', moneyMoved } as const
  const foreign =
    'Another machine or program used the id, or an older copy of this journal was put back: look there before you pay anew.'
  if (operation.name === createPayout.name) {
    return new Failure(
      'duplicate',
      'the service has a payout with this uniqueId, and not from an attempt of this journal whose answer was lost',
      {
        ...about,
        hints: [
          foreign,
          `If it is this very payment: \`paydesk payout reconcile ${intent.uniqueId} --transaction-id <n>\`.`,
        ],
      },
    )
  }
  const how = words.statusCode === null ? words.message : refusalInWords(operation, words)
  return new Failure('duplicate', `the service has ${intent.uniqueId} already (${how}), and not from this journal`, {
    ...about,
    hints: [foreign],
  })
}

/** What the statuses of the wallet mean for the person who asked (specification C, States). "<anew>" is how a new one is made. */
const businessWords: Readonly<Record<string, readonly [kind: FailureName, words: string, next: string]>> = {
  REJECTED: ['refused', 'the service rejected the order', 'Correct it, and create it with <anew>.'],
  ORDER_NOT_FOUND: [
    'not-found',
    'the service knows no such order: it was never created, was canceled, or its five minutes are over',
    'Create it anew: `paydesk wallet create` with <anew>.',
  ],
  WRONG_AMOUNT: [
    'refused',
    'the amount differs from the one that the service returned at creation',
    'Finalize it with the right --amount, inside the five minutes.',
  ],
  AMOUNT_NOT_IN_RANGE: [
    'refused',
    'the amount is below the minimum or above the maximum that the service returned at creation',
    'Finalize it with an --amount in the range, inside the five minutes.',
  ],
  RECEIVER_REACHED_LIMIT: [
    'refused',
    'the recipient has reached its limit',
    'Finalize it again inside the five minutes, if the limit is raised.',
  ],
}

function businessRefusal(intent: Intent, status: string, message: string | null): Failure {
  const [kind, words, next] = businessWords[status] ?? ['refused', 'the service refused', '']
  const reason = message !== null && message !== status ? `: ${message}` : ''
  return new Failure(kind, `${status}: ${words}${reason}`, {
    ...factsOf(intent),
    status,
    moneyMoved: 'no',
    retry: 'after-fix',
    hints: next ? [next.replace('<anew>', anotherId(intent))] : [],
  })
}

function turnedAway(
  operation: WriteOperation,
  intent: Intent,
  verdict: Extract<Verdict, { kind: 'turned-away' }>,
): Failure {
  if (verdict.by === 'redirect') return redirected(verdict.location ?? null)
  if (verdict.by === 'token') return operation.wire === 'bearer' ? badToken(verdict.words) : stranger(verdict.words)
  return new Failure('refused', 'the service is busy and did not take it', {
    service: verdict.words,
    retry: 'same-id',
    hints: [
      isMasked(operation, requestOf(intent))
        ? `Later: run it again with ${sameIdFlag(operation, intent)}; the journal keeps no card token.`
        : `Later: \`paydesk resume ${intent.journalId}\` sends it again under the same id.`,
    ],
  })
}

function requestOf({ body }: Intent): Readonly<Record<string, unknown>> {
  const request = readJson(body)
  return isRecord(request) ? request : {}
}

function stranger(words: Failure['facts']['service'] & object): Failure {
  return new Failure('credentials', 'the service did not accept the integrator', {
    service: words,
    hints: ['Check identity and keys of the profile: `paydesk profile check`.'],
  })
}

/** "9: sent, no definite answer". A refusal of a repeat is shown as evidence, not as the end. */
function unknown(operation: WriteOperation, intent: Intent, verdict: Verdict): Failure {
  const refused = 'words' in verdict && verdict.words ? refusalInWords(operation, verdict.words) : ''
  const evidence = {
    accepted: '',
    duplicate: '',
    unknown: 'why' in verdict ? verdict.why : '',
    unsent: 'why' in verdict ? `the last try did not leave: ${verdict.why}` : '',
    refused: `a repeat was refused (${refused}), which proves nothing about the first try`,
    'turned-away': 'a repeat was turned away, which proves nothing about the first try',
  }[verdict.kind]
  return new Failure('unknown', `sent, but no definite answer: ${evidence}`, {
    ...factsOf(intent),
    service: 'words' in verdict ? verdict.words : null,
    hints: [`Never create it anew. Settle it: \`paydesk resume ${intent.journalId}\`.`],
  })
}

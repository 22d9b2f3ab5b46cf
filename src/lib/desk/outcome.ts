/** What a payment that was not accepted means for the person who asked: one sentence, what to do next, the exit code. */
import type { WriteOperation } from '../contract/operation.ts'
import { Failure } from '../failure.ts'
import { factsOf, type Intent } from '../journal/intent.ts'
import type { Verdict } from '../journal/verdict.ts'
import { badToken } from './call.ts'
import { inWords, refusal } from './refusal.ts'
import { redirected } from './token.ts'

/** The failure that the state of an intent and the last verdict about it stand for. */
export function failureOf(operation: WriteOperation, intent: Intent, verdict: Verdict): Failure {
  const facts = factsOf(intent)
  if (intent.state === 'unknown') return unknown(intent, verdict)
  switch (verdict.kind) {
    case 'duplicate':
      return new Failure(
        'duplicate',
        'the service has a payout with this uniqueId, and nothing that this journal sent under it was executed',
        {
          ...facts,
          service: verdict.words,
          retry: 'never',
          hints: [
            'Another machine or program used the id, or an older copy of this journal was put back: look there before you pay anew.',
            `If it is this very payment: \`paydesk payout reconcile ${intent.uniqueId} --transaction-id <n>\`.`,
          ],
        },
      )
    case 'turned-away':
      return turnedAway(intent, verdict).with(facts)
    case 'unsent':
      return new Failure('unsent', `the service could not be reached, nothing was sent: ${verdict.why}`, {
        ...facts,
        hints: [`Run it again when the network is back; --unique-id ${intent.uniqueId} keeps the id.`],
      })
    case 'refused':
      return refusal(operation, verdict.words, facts)
    case 'accepted':
    case 'unknown':
      return new Failure('bug', `the journal calls ${intent.journalId} ${intent.state} after "${verdict.kind}"`, facts)
  }
}

function turnedAway(intent: Intent, verdict: Extract<Verdict, { kind: 'turned-away' }>): Failure {
  if (verdict.by === 'token') return badToken(verdict.words)
  if (verdict.by === 'redirect') return redirected(verdict.location ?? null)
  return new Failure('refused', 'the service is busy and did not take the payment', {
    service: verdict.words,
    retry: 'same-id',
    hints: [`Later: \`paydesk resume ${intent.journalId}\` sends it again under the same id.`],
  })
}

/** "9: sent, no definite answer". A refusal of a repeat is shown as evidence, not as the end. */
function unknown(intent: Intent, verdict: Verdict): Failure {
  const evidence = {
    accepted: '',
    duplicate: '',
    unknown: 'why' in verdict ? verdict.why : '',
    unsent: 'why' in verdict ? `the last try did not leave: ${verdict.why}` : '',
    refused:
      'words' in verdict && verdict.words
        ? `a repeat was refused (${inWords(verdict.words)}), which proves nothing about the first try`
        : '',
    'turned-away': 'a repeat was turned away, which proves nothing about the first try',
  }[verdict.kind]
  return new Failure('unknown', `sent, but no definite answer: ${evidence}`, {
    ...factsOf(intent),
    service: 'words' in verdict ? verdict.words : null,
    hints: [`Never create it anew. Settle it: \`paydesk resume ${intent.journalId}\`.`],
  })
}

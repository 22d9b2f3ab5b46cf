/** What speaks against a payment, in words: another body, a look-alike, another run. */
import { Failure } from '../failure.ts'
import { type Draft, factsOf, type Intent, sumOf } from './intent.ts'

function inShort(draft: Draft): string {
  const sum = sumOf(draft)
  return sum === null ? `${draft.operation} of ${draft.payee}` : `${sum} to ${draft.payee}`
}

export function otherBody(intent: Intent, draft: Draft): Failure {
  return new Failure(
    'duplicate',
    `the id ${intent.uniqueId} stands for another request (${intent.journalId}: ${inShort(intent)}), this one is ${inShort(draft)}`,
    {
      ...factsOf(intent),
      hints: [
        `Compare: \`paydesk journal show ${intent.journalId}\`.`,
        'Another payment needs another id or another --key.',
      ],
    },
  )
}

export function twinFound(intent: Intent): Failure {
  const { journalId, state, openedAt, operation } = intent
  const about = { operation, journalId }
  if (state === 'accepted' || state === 'exists' || state === 'turned-away') {
    return new Failure(
      'duplicate',
      `the same amount went to the same payee less than 24 hours ago (${journalId}, ${state}, ${openedAt})`,
      {
        ...about,
        hints: [
          `Look at it: \`paydesk journal show ${journalId}\`.`,
          `If this is meant to be a second payment: --allow-duplicate ${journalId}, or give it a --key.`,
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
        `Settle it first: \`paydesk resume ${journalId}\`.`,
        `If this is meant to be a second one all the same: --allow-duplicate ${journalId}.`,
      ],
    },
  )
}

export function takenOver(intent: Intent): Failure {
  return new Failure('locked', 'another run has taken this payment over', {
    ...factsOf(intent),
    hints: [`See how it stands: \`paydesk journal show ${intent.journalId}\`.`],
  })
}

export function changedMeanwhile(intent: Intent): Failure {
  return new Failure('locked', `another run has changed ${intent.journalId} meanwhile: it is ${intent.state}`, {
    ...factsOf(intent),
    hints: [`Look at it before you settle it: \`paydesk journal show ${intent.journalId}\`.`],
  })
}

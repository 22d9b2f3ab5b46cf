/** Compares a payout in the journal with the one at the service, field by field. Nothing is changed at the service. */
import { createPayout, type PayoutDetails, payoutDetails } from '../../contract/payout/payout.ts'
import { about, Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import { requestIn } from '../../journal/payment-end.ts'
import { removedWord, splitRemoved } from '../../journal/row.ts'
import type { ResultOf } from '../../result.ts'
import type { Desk } from '../desk.ts'
import { contradiction } from '../echo.ts'
import { readThing } from '../line/read-thing.ts'
import { atStake } from '../recover/at-stake.ts'
import { comparable, compare, serviceShows, sumDiffers } from './comparison.ts'
import { payoutOfId } from './find.ts'
import type { payoutDiffResult } from './result.ts'

export type PayoutDiff = ResultOf<typeof payoutDiffResult>

type Row = PayoutDiff['compared'][number]

function row(field: string, journal: string | null, service: string | null, isEqual: boolean, why: string | null): Row {
  const isComparable = journal !== null && service !== null && why === null
  const note = why ?? (service === null ? 'the service does not show it' : 'not in the journal')
  return { field, journal, service, equal: isComparable ? isEqual : null, note: isComparable ? null : note }
}

/** The service tells one time with more digits of a second here and fewer there. */
function isSameTime(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && (one.startsWith(other) || other.startsWith(one))
}

/** The status that the journal last saw, what was sent, and the time of the acceptance. */
function rowsOf(intent: Intent, details: PayoutDetails): Row[] {
  const request = requestIn(intent.body)
  const sent = compare(request, details)
  const { gone } = splitRemoved(intent.removedAt === null ? {} : request)
  return [
    row('status', intent.status, details.status, intent.status === details.status, null),
    ...sent.map(({ field, journal, service, equal }) => row(field, journal, service, equal, null)),
    ...comparable.flatMap((field) => {
      if (!gone.includes(field)) return []
      return [row(field, removedWord, serviceShows(details)[field], false, 'removed from the journal')]
    }),
    row('createdAt', intent.createdAt, details.createdAt, isSameTime(intent.createdAt, details.createdAt), null),
  ]
}

/** Throws a Failure: not-found (6) for a payout that the journal, or the service, does not know; as a read of it. */
export async function diffPayout(desk: Desk, id: string): Promise<PayoutDiff> {
  const { transactionId, intent, writes } = await payoutOfId(desk, id)
  if (!intent) throw notInJournal(transactionId, desk)
  const request = { transaction_id: transactionId }
  const facts = { ...factsOf(intent), ...about(payoutDetails) }
  const { answer: details } = await atStake(desk, writes, facts, () =>
    readThing(desk, payoutDetails, request, { expected: intent.uniqueId }),
  )
  const other = contradiction(payoutDetails, request, details)
  if (other !== null) {
    throw new Failure('unknown', `the answer speaks of another payout: ${other.told}`, {
      ...facts,
      hints: [hint`Ask the service which of the two it is.`],
    })
  }
  const differs = details.uniqueId.toLowerCase() === intent.uniqueId ? sumDiffers(intent, details) : null
  if (differs !== null)
    await desk.journal
      .noteSum(intent, differs)
      .catch(() => desk.tell.say('the journal could not note the sum that was read'))
  const compared = rowsOf(intent, details)
  const { name, environment } = desk.profile
  return {
    transactionId,
    uniqueId: intent.uniqueId,
    equal: compared.every(({ equal }) => equal !== false),
    compared,
    journalId: intent.journalId,
    profile: name,
    environment,
    warnings: [],
  }
}

function notInJournal(transactionId: string, { profile }: Desk): Failure {
  return new Failure('not-found', `the journal knows no payout ${transactionId} of the profile ${profile.name}`, {
    ...about(createPayout),
    transactionId,
    moneyMoved: 'unknown',
    hints: [
      hint`\`${paste('payout get', transactionId)}\` shows what the service has; another machine may have made it.`,
    ],
  })
}

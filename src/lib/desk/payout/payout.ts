/** Reading a payout back, once or until it is final. */

import { type PayoutDetails, payoutDetails } from '../../contract/payout/payout.ts'
import { payoutEnd, payoutStatusFacts } from '../../contract/payout/status.ts'
import { about, Failure, type MoneyMoved } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { conflict, otherSum } from '../../journal/duplicates.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import { findContradiction, requestIn } from '../../journal/payment-end.ts'
import { unmoved } from '../../journal/verdict.ts'
import type { ResultOf } from '../../result.ts'
import type { Desk } from '../desk.ts'
import { contradiction } from '../echo.ts'
import { neverRead, type Watched, waitUntilFinal } from '../line/poll.ts'
import { isOfOtherTransaction, readThing } from '../line/read-thing.ts'
import { contradicted, doubts } from '../receipt/ended.ts'
import { atStake, moneyOf } from '../recover/at-stake.ts'
import { notShown, sumDiffers } from './comparison.ts'
import { type Found, payoutOfId } from './find.ts'
import type { payoutReadResult } from './result.ts'

/** The ten fields as the service sent them (commissionAmount only if it did), and where paydesk knows the payout from. */
export type PayoutRead = ResultOf<typeof payoutReadResult>

export async function readPayout(desk: Desk, id: string): Promise<PayoutRead> {
  return read(desk, await payoutOfId(desk, id))
}

/** Reads the payout of an intent whose transactionId is known. */
export function readKnownPayout(
  desk: Desk,
  intent: Intent,
  transactionId: string,
  deadline: number,
): Promise<PayoutRead> {
  return read(desk, { transactionId, intent, writes: [intent] }, deadline)
}

/** `meet` is given the payment of this journal that the details name. */
async function read(
  desk: Desk,
  found: Found,
  deadline?: number,
  meet: (intent: Intent) => void = () => undefined,
): Promise<PayoutRead> {
  const facts = found.intent ? { ...factsOf(found.intent), ...about(payoutDetails) } : {}
  const request = { transaction_id: found.transactionId }
  const { answer: details, writes } = await atStake(desk, found.writes, facts, () =>
    readThing(desk, payoutDetails, request, { deadline, expected: found.intent?.uniqueId ?? null }),
  )
  if (contradiction(payoutDetails, request, details) !== null || !speaksOf(found, details))
    throw otherPayout(found, details)
  const warnings: string[] = []
  // As the journal has it behind the read.
  const intent = writes.find(({ journalId }) => journalId === found.intent?.journalId) ?? writes[0] ?? found.intent
  if (intent && isOfOtherTransaction(intent, details.transactionId)) throw otherPayout({ ...found, intent }, details)
  if (intent) {
    const differs = sumDiffers(intent, details)
    const hidden = notShown(intent, details)
    // Without the account nobody knows whom it went to, and of a registered receiver the details tell nothing else.
    const isPayeeShown = typeof requestIn(intent.body).toIban === 'string' && !hidden.includes('toIban')
    const isUnmoved = unmoved.has(intent.state)
    const isCompared = differs !== null || (isUnmoved ? payoutEnd(details.status) !== 'not-paid' : isPayeeShown)
    // The sum was read, whether or not it can be noted.
    const noting = isCompared ? desk.journal.noteSum(intent, differs) : Promise.resolve(intent)
    const noted = await noting.catch(() => desk.tell.say('the journal could not note the sum that was read'))
    if (differs !== null) throw otherSum(intent, differs)
    const known = noted ?? intent
    meet(known)
    warnings.push(...doubts(known), ...notCompared(hidden))
  }
  const { name, environment } = desk.profile
  return { ...details, journalId: intent?.journalId ?? null, profile: name, environment, warnings }
}

function notCompared(hidden: readonly string[]): readonly string[] {
  return hidden.length === 0 ? [] : [`the details do not show ${hidden.join(' and ')}: not compared with what was sent`]
}

function speaksOf({ intent }: Found, details: PayoutDetails): boolean {
  return intent === null || intent.uniqueId === details.uniqueId.toLowerCase()
}

function otherPayout(found: Found, { transactionId, uniqueId }: PayoutDetails): Failure {
  return new Failure('unknown', `the answer speaks of another payout: transaction ${transactionId}, ${uniqueId}`, {
    ...about(payoutDetails),
    transactionId: found.transactionId,
    journalId: found.intent?.journalId ?? null,
    uniqueId: found.intent?.uniqueId ?? null,
    hints: [hint`Ask the service which of the two it is.`],
  })
}

/**
 * Reads a payout until it is final. Throws a Failure: refused (5) if it ended in REJECTED, FAILED or DELETED, pending (8)
 * if the time is up first.
 */
export async function waitForPayout(
  desk: Desk,
  id: string,
  deadline = desk.clock.now() + desk.settings.timeout,
): Promise<PayoutRead> {
  return waitFor(desk, await payoutOfId(desk, id), deadline)
}

function waitFor(desk: Desk, found: Found, deadline: number): Promise<PayoutRead> {
  let known = found.intent
  const meet = (intent: Intent) => {
    known = intent
  }
  const watched: Watched<PayoutRead> = {
    subject: { key: found.intent?.businessKey ?? null, id: found.intent?.uniqueId ?? found.transactionId },
    read: (until) => read(desk, found, until, meet),
    end: payoutEnd,
    ended: (last) => doubtAbout(known, last) ?? ended(last),
    notFinal: (last) => doubtAbout(known, last) ?? notFinal(last),
    neverRead: (last) => neverRead(last, factsOfWait(found)),
    unreadable: (refused) => unreadable(refused, found),
    stopped: () => stopped(found),
  }
  return waitUntilFinal(desk, watched, deadline)
}

function factsOfRead(read: PayoutRead) {
  const { uniqueId, transactionId, status, journalId } = read
  return about(payoutDetails, { uniqueId, transactionId, status, journalId })
}

/** Of a payment in doubt, neither an end nor a waiting tells how it stands; null where nothing stands against what was read. */
function doubtAbout(intent: Intent | null, { status }: PayoutRead): Failure | null {
  if (intent?.isTaken) return conflict(intent)
  const doubt = intent && (findContradiction(intent, status) ?? intent.answeredSum)
  return intent && doubt !== null ? contradicted(intent, 'payout', doubt) : null
}

function ended(read: PayoutRead): Failure {
  const words = read.statusDescription ? ` (${read.statusDescription})` : ''
  const facts = payoutStatusFacts(read.status)
  return new Failure(
    facts?.exit ?? 'refused',
    `the payout ended in ${read.status}${words}; its amount comes back to the balance`,
    {
      ...factsOfRead(read),
      moneyMoved: 'no',
      retry: 'after-fix',
      hints: facts?.next ? [facts.next] : [],
    },
  )
}

function notFinal(read: PayoutRead): Failure {
  const outlook = payoutStatusFacts(read.status)?.outlook ?? 'may still be executed'
  return new Failure('pending', `the payout is still ${read.status} when the time is up; it ${outlook}`, {
    ...factsOfRead(read),
    document: read,
    hints: [hint`Wait on: \`${paste('payout wait', read.transactionId)}\`.`],
  })
}

function stopped(found: Found): Failure {
  return new Failure('interrupted', 'stopped while waiting; the payout goes on', {
    ...about(payoutDetails),
    transactionId: found.transactionId,
    journalId: found.intent?.journalId ?? null,
    uniqueId: found.intent?.uniqueId ?? null,
    // It may have read what is no end since the journal was told of one.
    moneyMoved: 'unknown',
    retry: 'same-id',
    hints: [hint`Wait on: \`${paste('payout wait', found.transactionId)}\`.`],
  })
}

function unreadable({ message, facts }: Failure, found: Found): Failure {
  return new Failure('unknown', `its status cannot be read: ${message}`, {
    ...facts,
    transactionId: found.transactionId,
    journalId: found.intent?.journalId ?? null,
    uniqueId: found.intent?.uniqueId ?? null,
    moneyMoved: standing(found),
  })
}

/** The movement of the money: unknown at worst, because the service gave the transactionId and so has the payout. */
function standing({ writes }: Found): MoneyMoved {
  return moneyOf(writes) ?? 'unknown'
}

function factsOfWait(found: Found) {
  return {
    moneyMoved: standing(found),
    ...about(payoutDetails),
    transactionId: found.transactionId,
    journalId: found.intent?.journalId ?? null,
    uniqueId: found.intent?.uniqueId ?? null,
    hints: [hint`Ask again: \`${paste('payout wait', found.transactionId)}\`.`],
  }
}

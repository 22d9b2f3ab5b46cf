/** Payments that are told as paid, and as ended unpaid: neither is believed, by no command and in no paper. */
import { command, lib, safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

export const ends: readonly Mutant[] = [
  {
    name: 'a payment that was read as paid is forgotten for a later FAILED',
    rule: 'Paid and ended unpaid, one after the other, prove nothing: unknown.',
    changes: [
      {
        in: 'paidUntilNow',
        find: "wasPaid && paymentEnd(standing, status, atLast) === 'not-paid'",
        put: 'false as boolean',
      },
    ],
    killers: [safety('paid-then-not')],
  },
  {
    name: 'a row that has ended unpaid is told as paid by a run',
    rule: 'What the journal knows of an end counts in every command.',
    changes: [{ in: 'kindOfEnd', find: 'count.notPaid', put: '0' }],
    killers: [safety('batch-ended-unpaid')],
  },
  {
    name: 'a payment that is told as paid and as not paid is believed by the next command',
    rule: 'Of two ends that contradict each other none is told, until the service agrees again.',
    changes: [{ in: 'statusSeen', find: 'before !== null && paidBefore($seen) === null', put: 'false' }],
    killers: [safety('paid-then-not')],
  },
  {
    name: 'a row that is told as paid and as not paid is accepted in its papers',
    rule: 'Of two ends that contradict each other none is told, until the service agrees again.',
    changes: [
      {
        in: 'stateOf',
        find: 'intent.otherSum !== null || intent.answeredSum !== null || intent.disputed !== null',
        put: 'intent.otherSum !== null || intent.answeredSum !== null',
      },
    ],
    killers: [safety('paid-then-not')],
  },
  {
    name: 'a plan whose rows have ended unpaid says that money moved',
    rule: 'What has ended unpaid has moved no money.',
    changes: [{ in: 'Count.moneyMoved', find: '$sum > this.notPaid', put: '$sum > 0' }],
    killers: [safety('batch-ended-unpaid')],
  },
  {
    name: 'a receipt for the beneficiary believes one of two ends that contradict each other',
    rule: 'Of two ends that contradict each other none is told, until the service agrees again.',
    changes: [{ in: 'standingAt', find: 'inDoubt !== null', put: 'false' }],
    killers: [command('payout/receipt')],
  },
  {
    name: 'a receipt for the beneficiary does not say that the outcome is unknown',
    rule: 'No answer is no definite answer.',
    changes: [{ in: 'standingAt', find: 'unresolved.length > 0', put: 'false' }],
    killers: [command('payout/receipt')],
  },
  {
    name: 'the end of the five minutes denies a finalization at once',
    rule: 'An end that comes by time alone denies nothing before no trace does.',
    changes: [{ in: 'finalizationShown', find: "FAILED: 'lapsed'", put: "FAILED: 'over'" }],
    killers: [safety('time-alone')],
  },
  {
    name: 'an order that is not found and reads FAILED keeps its finalization open',
    rule: 'A refusal and a read that agree settle what was lost before them.',
    changes: [{ in: 'agreedUpon', find: 'isByStatus && $denied', put: 'false' }],
    killers: [lib('desk/line/repeats')],
  },
  {
    name: 'an order that is not found denies a finalization that is lost later',
    rule: 'A refusal and a read that agree settle what was lost before them.',
    changes: [{ in: 'agreedUpon', find: 'isOpen(attempt) || $refused', put: '$refused' }],
    killers: [lib('desk/line/repeats')],
  },
  {
    name: 'an order that expired denies its completion at once',
    rule: 'An end that comes by time alone denies nothing before no trace does.',
    changes: [{ in: 'completionShown', find: "EXPIRED: 'lapsed'", put: "EXPIRED: 'over'" }],
    killers: [safety('time-alone')],
  },
  {
    name: 'an order that expired denies its cancellation at once',
    rule: 'An end that comes by time alone denies nothing before no trace does.',
    changes: [{ in: 'cancellationShown', find: "EXPIRED: 'lapsed'", put: "EXPIRED: 'over'" }],
    killers: [safety('time-alone')],
  },
  {
    name: 'the text of a code denies a finalization that was lost',
    rule: 'A status is no text of a code: of the wallet no code settles what was lost before it.',
    changes: [{ in: 'agreedUpon', find: '(last.statusCode ?? null) === null', put: 'true' }],
    killers: [safety('time-alone')],
  },
  {
    name: 'the text of a code refuses the body of an attempt that was lost',
    rule: 'A status is no text of a code: of the wallet no code settles what was lost before it.',
    changes: [{ in: 'isRefusedByBody', find: 'statusCode === null', put: 'true' }],
    killers: [safety('time-alone')],
  },
  {
    name: '"already paid" behind a lost finalization is denied by a read',
    rule: 'A code that says by itself that it is paid is denied by no read.',
    changes: [{ in: 'toldBefore', find: '!intent.isTaken && saysDone(by, attempt)', put: 'false' }],
    killers: [safety('time-alone')],
  },
  {
    name: 'the quarter of an hour counts from the start of an attempt whose line stalled',
    rule: 'A write without an answer counts as not executed a quarter of an hour after it may have been sent.',
    changes: [{ in: 'ageOf', find: '$passed - lasted(each)', put: '$passed' }],
    killers: [safety('time-alone')],
  },
  {
    name: 'a charge that a copy shows as expired has ended unpaid',
    rule: 'An end that comes by time alone denies nothing that a copy may not have heard of.',
    changes: [{ in: 'notYetEnded', find: "read === 'EXPIRED' && cardToken !== undefined", put: 'false' }],
    killers: [safety('payable-again')],
  },
  {
    name: 'a resume of several says that no money moved, though one was executed',
    rule: 'No failure says of several payments that no money moved while one of them has moved some.',
    changes: [{ in: 'movedBy', find: 'isPaidHere(intent)', put: 'false' }],
    killers: [safety('time-alone')],
  },
]

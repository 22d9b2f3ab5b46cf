/** What one read has shown of a payment is not denied by a later one, by its own answer, or by another command. */
import { lib, safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

const shownOnce = safety('shown-once')

export const shown: readonly Mutant[] = [
  {
    name: 'a trace that `resume` has read is forgotten',
    rule: 'What shows a trace of an open write outweighs a later read that shows none.',
    changes: [{ in: 'changedBy', find: 'payment || evidence', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'an order that was read before is unknown to the service',
    rule: 'What was there once is not unknown to the service.',
    changes: [
      {
        in: 'seenBefore',
        find: "kind === 'absent' || isTrace(intent.operation, status)",
        put: 'isTrace(intent.operation, status)',
      },
    ],
    killers: [shownOnce],
  },
  {
    name: 'a refusal to show a plan says that there is no order',
    rule: 'Only the code for an unknown thing says that the service does not know it.',
    changes: [{ in: 'isAbsent', find: 'isUnknownObject(by, service)', put: 'true' }],
    killers: [shownOnce],
  },
  {
    name: 'a charge that was read as paid ends unpaid where its answer was lost',
    rule: 'Of two ends that contradict each other none is told, until the service agrees again.',
    changes: [{ in: 'toldBefore', find: 'contradictionTo(intent, evidence.status)', put: 'null' }],
    killers: [shownOnce],
  },
  {
    name: 'an answer takes back that its payment was read as paid',
    rule: 'A status once received outweighs a later one that contradicts it.',
    changes: [{ in: 'statusTold', find: 'before.status === null || status === null', put: 'true' }],
    killers: [shownOnce],
  },
  {
    name: 'a reconciliation in which the payout has failed ends the doubt about it',
    rule: 'Of two ends that contradict each other none is told, until the service agrees again.',
    changes: [{ in: 'closing', find: "before.sum_confirmed === 'disputed'", put: 'false' }],
    killers: [lib('journal/doubt/known-sum')],
  },
  {
    name: 'a payment that was read as paid is refused by its own answer',
    rule: 'A write that was not executed from here becomes a conflict when a read shows that the service has its id.',
    changes: [{ in: 'changeBy', find: 'isDoubted(before) || wasShown(intentOf(before))', put: 'isDoubted(before)' }],
    killers: [shownOnce],
  },
  {
    name: 'a creation that was refused stays refused, although a read shows it',
    rule: 'A write that was not executed from here becomes a conflict when a read shows that the service has its id.',
    changes: [{ in: 'changedBy', find: '!isThere', put: 'true' }],
    killers: [shownOnce],
  },
  {
    name: 'a refund whose trace was read on its way is refused by its own answer',
    rule: 'A refund has no id: what looks like it may be it.',
    changes: [{ in: 'isTrace', find: 'evidence.refusals?.shows(status) ?? false', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'a charge that met a conflict is sent again',
    rule: 'A conflict is sent again only where the service recognises it.',
    changes: [{ in: 'mustBeRecognised', find: "operation.repeats(request).unanswered === 'stop'", put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'a declined charge that is there as FAILED is a conflict',
    rule: 'What ended unpaid has moved no money.',
    changes: [{ in: 'changedBy', find: "paymentEnd(write, status) !== 'not-paid'", put: 'true' }],
    killers: [shownOnce],
  },
  {
    name: 'an acceptance of another sum that was read meanwhile is done',
    rule: 'Another sum that a read shows is told, and remembered.',
    changes: [{ in: 'notEndedUnpaid', find: 'intent.otherSum !== null', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'a refund that has not left is what a read shows',
    rule: 'Nothing of a write that has not left can be shown.',
    changes: [{ in: 'readThing', find: 'write.journalId === unsent', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'a payment in doubt is refused by its own answer',
    rule: 'A doubt outlasts whatever is less than its opposite.',
    changes: [
      { in: 'changeBy', find: 'isDoubted(before) || wasShown(intentOf(before))', put: 'wasShown(intentOf(before))' },
    ],
    killers: [shownOnce],
  },
  {
    name: 'another sum that agrees at the next read takes a second end with it',
    rule: 'Of two ends that contradict each other none is told, until the service agrees again.',
    changes: [{ in: 'statusSeen', find: "known.sum_confirmed === 'other'", put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: '`order wait` ends by what the journal knew when it began',
    rule: 'An end is told by what the journal knows at that moment.',
    changes: [{ in: 'watchedOrder', find: 'found = last.now', put: 'found = begun' }],
    killers: [shownOnce],
  },
  {
    name: 'a refund is refused beside a read that does not know the order of this journal',
    rule: 'A refusal beside a read that contradicts the journal proves nothing.',
    changes: [{ in: 'refusedUnseen', find: '!made && !saysDone', put: 'true' }],
    killers: [shownOnce],
  },
  {
    name: 'a charge with a validUntil that was paid may be paid again',
    rule: 'After a payment a failed try is no try any more.',
    changes: [
      {
        in: 'isNews',
        find: 'return paidBefore($seen) !== null',
        put: 'if (paidBefore({ ...standing, status }) === null) return false',
      },
    ],
    killers: [shownOnce],
  },
  {
    name: 'a read makes a charge of another card good',
    rule: 'No read shows which card was charged.',
    changes: [{ in: 'classify', find: 'read.otherSum ?? null', put: 'null' }],
    killers: [shownOnce],
  },
  {
    name: 'a slow read denies what another process has read meanwhile',
    rule: 'An intent is closed on what the transaction reads.',
    changes: [{ in: 'mustStandAs', find: 'deniedBy !== undefined && isRead', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'of several that are resolved a refusal outweighs a conflict',
    rule: 'The worst of several is told.',
    changes: [
      {
        in: 'severity',
        find: "['unknown', 'duplicate', 'locked', 'pending', 'refused']",
        put: "['unknown', 'refused', 'duplicate']",
      },
    ],
    killers: [shownOnce],
  },
  {
    name: '`order wait` takes an order that met a conflict for ended',
    rule: 'A conflict is a conflict for every command.',
    changes: [{ in: 'orderInDoubt', find: 'created?.isTaken', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: '`order wait` takes an order that was answered with another sum for ended',
    rule: 'No read takes an answer with another sum back.',
    changes: [{ in: 'orderInDoubt', find: 'created.answeredSum', put: 'null' }],
    killers: [shownOnce],
  },
  {
    name: 'a charge that was read as paid is cancelled already',
    rule: 'What was paid is not undone by a read.',
    changes: [{ in: 'paidInSpite', find: 'wasReadAsPaid(write)', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'a refusal beside a success in small letters refuses',
    rule: 'A code that stands beside a success is no definite answer.',
    changes: [{ in: 'isStatusOfSuccess', find: 'told.trim().toUpperCase()', put: 'told' }],
    killers: [lib('desk/answer/refused-and-done')],
  },
  {
    name: 'a finalization is refused beside a success',
    rule: 'A refusal that stands beside a success is no definite answer.',
    changes: [{ in: 'verdictOfSuccess', find: 'success !== null', put: 'false' }],
    killers: [lib('desk/answer/refused-and-done')],
  },
  {
    name: 'a clock that was set back lengthens the time to finalize',
    rule: 'A clock that is set lengthens no deadline.',
    changes: [{ in: 'sentAt', find: 'setBack > noticeable', put: 'false' }],
    killers: [safety('finalize-in-time')],
  },
  {
    name: 'a clock that was set back lengthens the time to finalize once more',
    rule: 'A clock that is set lengthens no deadline.',
    changes: [
      {
        in: 'openFor',
        find: 'Math.max(moment.now - Date.parse(intent.openedAt), ...$$passed)',
        put: 'moment.now - Date.parse(intent.openedAt)',
      },
    ],
    killers: [safety('finalize-in-time')],
  },
]

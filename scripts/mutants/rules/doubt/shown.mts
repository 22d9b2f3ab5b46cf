/** What one read has shown of a payment is not denied by a later one, by its own answer, or by another command. */
import { lib, safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

const shownOnce = safety('shown-once')

export const shown: readonly Mutant[] = [
  {
    name: 'a trace that `resume` has read is forgotten',
    rule: 'What shows a trace of an open write outweighs a later read that shows none.',
    changes: [{ in: 'learntBy', find: 'payment || evidence', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'an order that was read before is unknown to the service',
    rule: 'What was there once is not unknown to the service.',
    changes: [
      {
        in: 'seenBefore',
        find: "kind === 'absent' ? status !== null : shows(status)",
        put: 'shows(status)',
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
    changes: [{ in: 'changeBy', find: 'hasLeft && isShown', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'a creation that was refused stays refused, although a read shows it',
    rule: 'A write that was not executed from here becomes a conflict when a read shows that the service has its id.',
    changes: [{ in: 'learntBy', find: 'unmoved.has(write.state) && isThere && $left', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'a lost refund that was denied is done by the trace of another one',
    rule: 'A status says nothing of a refund whose answer was lost where another one may have made it.',
    changes: [{ in: 'endBy', find: 'if (isLost) $unknown', put: ';' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'the word of a person about a refund that another one explains is forgotten',
    rule: 'A person decides about a refund of which no status can tell.',
    changes: [{ in: 'endBy', find: 'known: trace', put: 'known: null' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'what another write may have done ends one whose answer was lost',
    rule: 'What a read shows of a thing says nothing of an attempt whose answer was lost.',
    changes: [
      {
        in: 'stateAfter',
        find: "$verdict.kind === 'duplicate' && !$verdict.shown",
        put: "$verdict.kind === 'duplicate'",
      },
    ],
    killers: [lib('journal/verdict')],
  },
  {
    name: 'what another write may have done is the work of one whose answer was lost',
    rule: 'What a read shows of a thing says nothing of an attempt whose answer was lost.',
    changes: [
      {
        in: 'outcomeOf',
        find: "if (verdict.shown) return $done ? 'exists' : 'refused'",
        put: "if (verdict.shown?.isDone) return 'exists'",
      },
    ],
    killers: [lib('journal/verdict')],
  },
  {
    name: 'a refund that was turned away is sent again where no status can tell',
    rule: 'A refund that was turned away is sent again only behind a read that tells whether it was executed.',
    changes: [{ in: 'endBy', find: 'past.some(isTurnedAway)', put: 'false as boolean' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'the word of a person about a refund that was turned away is forgotten',
    rule: 'A person decides about a refund of which no status can tell.',
    changes: [{ in: 'endBy', find: '!isByPerson', put: 'true as boolean' }],
    killers: [safety('refund-traces')],
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
    changes: [{ in: 'mustBeRecognised', find: 'isUnrecognised($$it)', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'a declined charge that is there as FAILED is a conflict',
    rule: 'What ended unpaid has moved no money.',
    changes: [{ in: 'wasShown', find: "paymentEnd($$of) !== 'not-paid'", put: 'true' }],
    killers: [shownOnce],
  },
  {
    name: 'an acceptance of another sum that was read meanwhile is done',
    rule: 'Another sum that a read shows is told, and remembered.',
    changes: [{ in: 'judged', find: 'intent.otherSum !== null', put: 'false' }],
    killers: [shownOnce],
  },
  {
    name: 'a refund that has not left is what a read shows',
    rule: 'Nothing of a write that has not left can be shown.',
    changes: [{ in: 'learnt', find: 'journalId !== unsent', put: 'true' }],
    killers: [safety('refund-besides')],
  },
  {
    name: 'a payment in doubt is refused by its own answer',
    rule: 'A doubt outlasts whatever is less than its opposite.',
    changes: [{ in: 'changeBy', find: 'isDoubted(before) || $shown', put: '$shown' }],
    killers: [shownOnce],
  },
  {
    name: 'another sum that agrees at the next read takes a second end with it',
    rule: 'Of two ends that contradict each other none is told, until the service agrees again.',
    changes: [{ in: 'statusSeen', find: "known.sum_confirmed === 'other'", put: 'false' }],
    killers: [shownOnce],
  },
]

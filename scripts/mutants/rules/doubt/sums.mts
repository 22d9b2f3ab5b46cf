/** The sum in an answer, the end of a payment, and the body beneath a status that turns away. */
import { command, lib, playing, safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

export const sums: readonly Mutant[] = [
  {
    name: 'an answer with another sum is done',
    rule: 'An answer that names another sum does not say that this one was executed.',
    changes: [
      {
        in: 'verdictOfSuccess',
        find: 'if ($differs === null) return accepted($$of)',
        put: 'if (proof) return accepted(proof, answer)',
      },
    ],
    killers: [safety('another-sum'), playing('wrong-answers')],
  },
  {
    name: 'a sum that cannot be read is the same',
    rule: 'A sum that cannot be read repeats nothing.',
    changes: [
      {
        in: 'differenceIn',
        find: 'normal($name, $told) === null || $other',
        put: 'normal($name, $told) !== null && $other',
      },
    ],
    killers: [safety('another-sum')],
  },
  {
    name: 'a payout is sent again after an answer with another sum',
    rule: 'A taken id does not say with which of two sums.',
    changes: [
      { in: 'resolveOpen', find: 'if (intent.answeredSum === null) return null', put: 'if (intent) return null' },
    ],
    killers: [safety('another-sum')],
  },
  {
    name: 'a read resolves what was answered with another sum',
    rule: 'After an answer with another sum only `payout reconcile` or the operator resolves it.',
    changes: [{ in: 'toldBefore', find: 'if (intent.answeredSum !== null) return intent.answeredSum', put: ';' }],
    killers: [safety('another-sum')],
  },
  {
    name: 'the sum in the answer to a refund is not compared',
    rule: 'An answer that names another sum is no definite answer.',
    changes: [{ in: 'refundOrder', find: 'sum: sumOfPart', put: 'sum: () => ({})' }],
    killers: [safety('another-sum')],
  },
  {
    name: 'an answer with two statuses is what its first says',
    rule: 'An answer that contradicts itself proves nothing.',
    changes: [{ in: 'contradictionIn', find: 'facts.find($test) ?? null', put: 'null as string | null' }],
    killers: [safety('one-answer'), safety('done')],
  },
  {
    name: 'a status beside the value is not looked at',
    rule: 'An answer that contradicts itself proves nothing.',
    changes: [{ in: 'objectsIn', find: 'return [value, ...$inside]', put: 'return [value]' }],
    killers: [safety('one-answer'), safety('done')],
  },
  {
    name: 'a success that speaks of an error is done',
    rule: 'A success and an error in one body are no definite answer.',
    changes: [{ in: 'verdictOfSuccess', find: 'errorIn(answer, hasFailed)', put: 'null as string | null' }],
    killers: [lib('desk/answer/speaks-of-an-error'), safety('speaks-of-an-error')],
  },
  {
    name: 'a finalized order that is shown as failed is not remembered',
    rule: 'What a read shows of an executed write is told by its repeats.',
    changes: [{ in: 'learntBy', find: 'payment || isCreation(write.operation)', put: 'false' }],
    killers: [safety('another-sum')],
  },
  {
    name: 'the sum of an order that a read shows is not compared',
    rule: 'Another sum that a read shows is told, and remembered.',
    changes: [{ in: 'compareSum', find: 'differenceIn($$of)', put: 'null as string | null' }],
    killers: [safety('another-sum')],
  },
  {
    name: 'a payment that has ended unpaid is done',
    rule: 'What the service took and has ended unpaid is refused.',
    changes: [{ in: 'judged', find: 'if ($facts === null) $then', put: 'if (intent) return taken' }],
    killers: [safety('ended-unpaid'), playing('wrong-answers', 1001)],
  },
  {
    name: 'a status that turns away is believed against its body',
    rule: 'A body that is no error contradicts the status that turns away.',
    changes: [{ in: 'contradictedBy', find: 'if (beneath === null) return null', put: 'if (operation) return null' }],
    killers: [safety('turned-away-and-accepted'), playing('turned-away')],
  },
  {
    name: 'a transaction of another payout is called "not found"',
    rule: 'A transaction of another payout is 7: "not found" would read as "nothing moved".',
    changes: [{ in: 'otherPayout', find: "'duplicate'", put: "'not-found'" }],
    killers: [command('payout/reconcile')],
  },
  {
    name: 'a new order that is paid already is told as refused',
    rule: 'A request that is sent twice on its way is told of by its second answer.',
    changes: [{ in: 'creationEvidence', find: 'newOrderRefusals', put: 'null' }],
    killers: [safety('sent-twice')],
  },
  {
    name: 'the currency of an order is compared in one member only',
    rule: 'An answer that names another currency does not say that this one was executed.',
    changes: [{ in: 'sumOfOrderShown', find: 'inCurrency($currency)', put: '{ initialCurrency: [$currency] }' }],
    killers: [safety('another-sum')],
  },
]

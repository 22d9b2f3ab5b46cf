/** Requests that something on the way sends twice, and whose second answer comes back. */
import { safety } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

export const twice: readonly Mutant[] = [
  {
    name: 'a taken id at the first attempt is told as "not moved"',
    rule: 'A taken id proves that someone executed it.',
    changes: [{ in: 'duplicate', find: "moneyMoved: 'unknown'", put: "moneyMoved: 'no'" }],
    killers: [safety('sent-twice')],
  },
  {
    name: 'the journal forgets a conflict',
    rule: 'A conflict is a conflict for ever.',
    changes: [
      {
        in: 'confirmedBy',
        find: "$duplicate || before === 'taken' ? $taken : null",
        put: "before === 'taken' ? $taken : null",
      },
    ],
    killers: [safety('sent-twice')],
  },
  {
    name: 'a completion that is refused took no money, although the order is paid',
    rule: 'A refusal does not deny what a read shows.',
    changes: [
      { in: 'inLightOfStatus', find: 'if (!$shown) $then', put: "if (!$shown || refusals.means === 'conflict') $then" },
    ],
    killers: [safety('sent-twice')],
  },
  {
    name: 'a refund that is refused is believed, although money went back',
    rule: 'A refusal does not deny what a read shows.',
    changes: [{ in: 'inLightOfStatus', find: 'if (await $another) $then', put: 'if (code) $then' }],
    killers: [safety('sent-twice')],
  },
  {
    name: 'a refund under way explains whatever a read shows',
    rule: 'Another refund explains what it can have led to, and no more.',
    changes: [{ in: 'isOfAnother', find: 'return $recent && !$much && !$whole', put: 'return $recent' }],
    killers: [safety('sent-twice')],
  },
  {
    name: 'a cancellation that is refused is refused, although the order is cancelled',
    rule: 'A cancellation that a read shows is done.',
    changes: [{ in: 'outcomeOf', find: "if (verdict.shown?.isDone) return 'exists'", put: ';' }],
    killers: [safety('sent-twice')],
  },
]

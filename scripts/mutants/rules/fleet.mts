/** A team at work: answers that its store could not take, and plans that many pay at once. */
import { lib, safety } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

export const fleet: readonly Mutant[] = [
  {
    name: 'a refusal that comes while the store is away is lost',
    rule: 'No reading of the journal stands between an answer and its verdict.',
    changes: [{ in: 'Run.#answered', find: 'return besideRead($$rest)', put: 'await this.#known(number); $all' }],
    killers: [safety('answers-kept')],
  },
  {
    name: 'a reading beside a code that fails takes the code with it',
    rule: 'A code that proves something only beside a read is kept as no definite answer where that fails.',
    changes: [{ in: 'besideRead', find: "return { kind: 'unknown', ...$$rest }", put: 'throw error' }],
    killers: [safety('answers-kept')],
  },
  {
    name: 'what is left of a plan is weighed by itself when its approval is over',
    rule: 'Four eyes on a plan are asked for to its last row.',
    changes: [{ in: 'wholeOf', find: 'plan?.totals ?? {}', put: '{}' }],
    killers: [lib('journal/approvals/approvals'), safety('four-eyes')],
  },
  {
    name: 'rows of a plan count against it twice',
    rule: 'The rows of a plan before one are a part of it, and not added to it.',
    changes: [{ in: 'decideOn', find: 'found.hasLapsed ? day : []', put: 'day' }],
    killers: [lib('journal/approvals/approvals')],
  },
]

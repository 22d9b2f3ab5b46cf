/** A team at work: answers that its store could not take, and plans that many pay at once. */
import { safety } from '../killers.mts'
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
]

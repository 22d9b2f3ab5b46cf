/** What stands beneath an answer that turns away. */
import { playing, safety } from '../killers.mts'
import type { Mutant } from '../mutant.mts'

export const sums: readonly Mutant[] = [
  {
    name: 'a status that turns away is believed against its body',
    rule: 'A body that is no error contradicts the status that turns away.',
    changes: [{ in: 'contradicted', find: '$beneath === null || $error', put: 'operation' }],
    killers: [safety('turned-away-and-accepted'), playing('turned-away')],
  },
]

/** A refusal that says that the thing is paid, and ends without a payment that are read besides. */
import { safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

const rule = 'A code that says by itself that it is paid is denied by no read.'
const killers = [safety('said-paid')]

export const saidToBePaid: readonly Mutant[] = [
  {
    name: 'an order whose cancellation was refused as paid is told as ended by its own command',
    rule,
    changes: [{ in: 'judged', find: 'await saidPaid($$of)', put: 'null as Intent | null' }],
    killers,
  },
  {
    name: '`order wait` tells an order as ended whose cancellation was refused as paid',
    rule,
    changes: [{ in: 'orderEnded', find: 'found.saidPaid', put: 'null as Intent | null' }],
    killers,
  },
  {
    name: '"already paid" of a cancellation says that no money moved',
    rule,
    changes: [{ in: 'ofPaid', find: 'words.statusCode === code', put: 'false as boolean' }],
    killers,
  },
  {
    name: '"already paid" of a cancellation that is resumed says that no money moved',
    rule,
    changes: [{ in: 'resumed', find: '(await saidPaid($$of)) !== null', put: 'false' }],
    killers,
  },
  {
    name: 'an order is cancelled whose cancellation was refused as paid before',
    rule,
    changes: [{ in: 'paidInSpite', find: 'await saidPaid($$of)', put: 'null as Intent | null' }],
    killers,
  },
]

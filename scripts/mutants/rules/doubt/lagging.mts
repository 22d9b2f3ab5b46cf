/** Reads of copies that lag behind: beside a refusal, and before a write. */
import { safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

export const lagging: readonly Mutant[] = [
  {
    name: 'a refund leaves though the read before it shows that the one before was executed after all',
    rule: 'Where a read shows that what was denied was executed, nothing more leaves until that was told.',
    changes: [{ in: 'foundSince', find: 'write.isTaken && wasDenied(write)', put: 'false as boolean' }],
    killers: [safety('refund-besides')],
  },
  {
    name: 'a refund is refused beside a status from before the payment',
    rule: 'A read that is older than what was known before a write left proves nothing about its refusal.',
    changes: [{ in: 'knownSince', find: 'isPaid(each) && !isPaid(status)', put: 'false as boolean' }],
    killers: [safety('second-answer')],
  },
  {
    name: 'a completion is refused beside a status from before its amount was blocked',
    rule: 'A read that is older than what was known before a write left proves nothing about its refusal.',
    changes: [{ in: 'completionRefusals', find: 'before: $known', put: 'before: {}' }],
    killers: [safety('second-answer')],
  },
  {
    name: 'a refund of no more than its order was created with is refused as too much',
    rule: 'A refusal that says "more than is left" is contradicted by a read in which all of it is left.',
    changes: [{ in: 'isWithin', find: 'shown ?? $created', put: 'shown' }],
    killers: [safety('second-answer')],
  },
  {
    name: '"already paid" of a cancellation is told as an order that was not paid in time',
    rule: 'A code that says by itself that it is paid is denied by no read.',
    changes: [{ in: 'cancellationRefusals', find: 'ofPaid: 6016', put: 'ofPaid: null' }],
    killers: [safety('second-answer')],
  },
  {
    name: 'a clock that is set ahead during an attempt keeps it open for as long as it was set ahead',
    rule: 'What was sent without a trace counts as not executed a quarter of an hour later.',
    changes: [{ in: 'endBy', find: 'steady ?? byClock', put: 'byClock' }],
    killers: [safety('time-alone')],
  },
]

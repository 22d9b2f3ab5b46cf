/** Reads of copies that lag behind: beside a refusal, and before a write. */
import { safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

export const lagging: readonly Mutant[] = [
  {
    name: 'a refund leaves though the read before it shows that the one before was executed after all',
    rule: 'Where a read shows that what was denied was executed, nothing more leaves until that was told.',
    changes: [{ in: 'inTheWay', find: 'isTaken && journalId !== allowed', put: 'false as boolean' }],
    killers: [safety('refund-besides')],
  },
  {
    name: 'a refund that did not leave beside one in conflict is told as safe to run again',
    rule: 'Where a read shows that what was denied was executed, nothing more leaves until that was told.',
    changes: [{ in: 'heldOffBy', find: "'duplicate'", put: "'unsent'" }],
    killers: [safety('refund-besides')],
  },
  {
    name: 'a refund leaves beside another one though the read before it could not be noted',
    rule: 'A read that the journal could not note denies nothing.',
    changes: [{ in: 'inTheWay', find: 'isUnnoted && others.length > 0', put: 'false as boolean' }],
    killers: [safety('refund-besides')],
  },
  {
    name: 'a refund that a person called refused is in conflict again by the same status',
    rule: "The operator's word stands against a status that was known to him.",
    changes: [
      { in: 'learntBy', find: 'write.operatorWord !== null && write.status === status', put: 'false as boolean' },
    ],
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
    changes: [{ in: 'mayBeLeft', find: 'shown || made', put: 'made === null ? shown : 0n' }],
    killers: [safety('second-answer')],
  },
  {
    name: 'a shown amount of 0 is taken for all that is left',
    rule: 'A refusal that says "more than is left" is contradicted by a read in which all of it is left.',
    changes: [{ in: 'mayBeLeft', find: 'shown || made', put: 'shown ?? made' }],
    killers: [safety('second-answer')],
  },
  {
    name: 'an order with a tip or a plan is taken for paid with its amount alone',
    rule: 'A refusal that says "more than is left" is contradicted by a read in which all of it is left.',
    changes: [{ in: 'paidSum', find: 'isMembers(subscriptionPlan) || tipReceiverId != null', put: 'false as boolean' }],
    killers: [safety('second-answer')],
  },
  {
    name: 'too much of an order whose refund failed is a refusal',
    rule: 'A refusal that says "more than is left" is contradicted by a read in which all of it is left.',
    changes: [{ in: 'refundOrder', find: "whole: ['SUCCESS', 'REFUNDED_FAILED']", put: "whole: ['SUCCESS']" }],
    killers: [safety('second-answer')],
  },
  {
    name: 'a completion leaves without a read of its order',
    rule: 'A read that is older than what was known before a write left proves nothing about its refusal.',
    changes: [{ in: 'isReadBefore', find: "means === 'open' || $more", put: "means === 'open'" }],
    killers: [safety('second-answer')],
  },
  {
    name: 'a copy that lags behind takes back that the amount of an order was blocked',
    rule: 'A read that is older than what was known before a write left proves nothing about its refusal.',
    changes: [{ in: 'laterThan', find: 'known.find($later)', put: 'null' }],
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

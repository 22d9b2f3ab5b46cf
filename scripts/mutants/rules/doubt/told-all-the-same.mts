/** An answer, or a read, that proves nothing still tells of its thing. */
import { safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

export const toldAllTheSame: readonly Mutant[] = [
  {
    name: 'what an answer without a meaning tells of its thing is forgotten',
    rule: 'What an answer told all the same is not denied by a later read.',
    changes: [{ in: 'classify', find: 'statusAllTheSame(operation, request, read)', put: 'null' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: 'what a read without a meaning tells of its thing is forgotten',
    rule: 'What an answer told all the same is not denied by a later read.',
    changes: [{ in: 'readThing', find: 'heard.add(status)', put: 'heard' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: '"not any more" is forgotten where nothing could be read beside it',
    rule: 'What an answer told all the same is not denied by a later read.',
    changes: [{ in: 'toldBefore', find: 'notAnyMore ? $told : null', put: 'null as string | null' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: 'a refund that was read as failed was never tried',
    rule: 'What shows a trace of an open write outweighs a later read that shows none.',
    changes: [{ in: 'seenBefore', find: 'evidence.tried.includes(read)', put: 'false' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a status of before a refund makes its refusal a conflict',
    rule: "A status that was known before a refund left is another one's work.",
    changes: [{ in: 'changeBy', find: 'before.status !== seen && wasShown($$it)', put: 'wasShown(intentOf(before))' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a status of before a refund is read as its trace later',
    rule: "A status that was known before a refund left is another one's work.",
    changes: [{ in: 'isExplained', find: 'read?.known === status', put: 'false' }],
    killers: [safety('refund-besides')],
  },
  {
    name: 'a refund that is refused is not read behind its refusal',
    rule: 'What shows the execution of a refund outweighs its refusal.',
    changes: [{ in: 'besideStatus', find: "if (refusals.means === 'open') $read", put: ';' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a payout that was told as taken is refused by a repeat',
    rule: 'What an answer told all the same is not denied by a refusal.',
    changes: [{ in: 'changeBy', find: 'isDoubted(before) || wasTold', put: 'isDoubted(before)' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: 'hearsay makes a payment paid',
    rule: 'An answer without a definite meaning tells of no payment how it stands.',
    changes: [{ in: 'readThing', find: 'isHearsay: true', put: 'isHearsay: false as boolean' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: 'an amount that was refused behind a lost answer cannot be mended',
    rule: 'What refuses the body itself speaks of every attempt with it.',
    changes: [{ in: 'consider', find: 'mayBeMended(past) || past.some($it)', put: 'mayBeMended(past)' }],
    killers: [safety('finalize-mended')],
  },
  {
    name: 'a lost attempt of a body that was refused tells of the mended one',
    rule: 'What refuses the body itself speaks of every attempt with it.',
    changes: [{ in: 'withoutClosed', find: '!isClosed(attempt, at)', put: 'true' }],
    killers: [safety('finalize-mended')],
  },
  {
    name: 'a refund is sent again behind a read that is older than the one before it',
    rule: 'A refund that may have arrived is read before it is sent once more.',
    changes: [{ in: 'lookBefore', find: 'await isDenied()', put: 'false' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a refund of an order that ended unpaid waits for ever',
    rule: 'What a read tells plainly is told.',
    changes: [{ in: 'endBy', find: 'left && isOver', put: 'left && isOver && false' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a completion that came too early is never made',
    rule: 'What has left no trace for a quarter of an hour was not executed.',
    changes: [{ in: 'isContradictedBy', find: "refusals.means === 'conflict' && $rest", put: 'false' }],
    killers: [safety('sent-twice')],
  },
  {
    name: 'a refund is sent again whose refusal stands beside a failed one',
    rule: 'A refusal that its own read contradicts may be the second answer.',
    changes: [
      {
        in: 'besideStatus',
        find: 'refusals.ofStatus.contradictedBy.includes(status)',
        put: '$all && !evidence.tried.includes(status)',
      },
    ],
    killers: [safety('sent-twice')],
  },
  {
    name: 'of two statuses of one answer the first one counts',
    rule: 'What an answer told as paid is not denied by an end without a payment.',
    changes: [{ in: 'statusAllTheSame', find: 'own.find($paid) ?? own[0]', put: 'own[0]' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: 'a refund is sent again behind a read that tells nothing of it',
    rule: 'A refund that may have arrived is read before it is sent once more.',
    changes: [{ in: 'mayLeave', find: '!left && !read.isPassing', put: '!read.isPassing' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a copy that lags behind the read before a refund denies it',
    rule: 'What was read before an attempt left is not denied by an older status.',
    changes: [{ in: 'toldBefore', find: 'left !== null', put: 'left !== null && false' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a refund of all of it is refused as too much beside an order of which all is left',
    rule: 'A refusal that its own read contradicts may be the second answer.',
    changes: [{ in: 'besideStatus', find: 'mayBeLeft(refusals.ofSum, status, intent, read, writes)', put: 'false' }],
    killers: [safety('refund-traces')],
  },
  {
    name: 'a completion that is refused for its status is not executed beside a read that lags behind',
    rule: 'A refusal that its own read contradicts may be the second answer.',
    changes: [{ in: 'besideStatus', find: 'code === refusals.ofStatus?.code', put: 'false' }],
    killers: [safety('sent-twice')],
  },
  {
    name: 'a charge that an answer told as paid is done in any status',
    rule: 'What an answer told all the same is not denied by an end without a payment.',
    changes: [{ in: 'deniedBy', find: "paymentEnd($$status) !== 'paid'", put: 'false' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: 'a charge that an answer told as paid is told as unpaid by its wait',
    rule: 'What an answer told all the same is not denied by an end without a payment.',
    changes: [{ in: 'orderInDoubt', find: 'toldOtherwise(created, told, status)', put: 'null' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: 'hearsay of a finalize is forgotten',
    rule: 'What an answer told all the same is not denied by a copy that lags behind.',
    changes: [{ in: 'learntBy', find: "!payment || paymentEnd($$status) === 'paid'", put: '!payment' }],
    killers: [safety('told-all-the-same')],
  },
  {
    name: 'one answer makes as many statuses as it likes',
    rule: 'One message holds nobody up.',
    changes: [
      { in: 'statusesTold', find: '!told.has(facts.means)', put: 'true' },
      { in: 'statusesTold', find: 'told.set(facts.means, status)', put: 'told.set(status, status)' },
    ],
    killers: [safety('told-all-the-same')],
  },
]

/** Answers that speak of an error, of two things, or of another one than was asked for; names and pages that hide what they say. */
import { command, lib, safety } from '../../killers.mts'
import type { Mutant } from '../../mutant.mts'

export const believed: readonly Mutant[] = [
  {
    name: 'a success with the code of an error is done',
    rule: 'A success that speaks of an error proves nothing.',
    changes: [{ in: 'holdsError', find: 'coding.has(kind)', put: 'false' }],
    killers: [safety('speaks-of-an-error'), lib('desk/answer/speaks-of-an-error')],
  },
  {
    name: 'a success with the group of an error is done',
    rule: 'A success that speaks of an error proves nothing.',
    changes: [{ in: 'holdsError', find: 'kind === groupOfErrors', put: 'false' }],
    killers: [safety('speaks-of-an-error'), lib('desk/answer/speaks-of-an-error')],
  },
  {
    name: 'a success with the reason of a failure is done',
    rule: 'The reason of a failure stands beside none but an end without a payment.',
    changes: [{ in: 'errorIn', find: '!hasFailed', put: 'false' }],
    killers: [safety('speaks-of-an-error'), lib('desk/answer/speaks-of-an-error')],
  },
  {
    name: 'a payout that was taken for another IBAN is accepted',
    rule: 'An answer that names another payee is of another payment.',
    changes: [{ in: 'sumAndPayee', find: 'named.map($$each)', put: '[]' }],
    killers: [safety('another-sum')],
  },
  {
    name: 'a charge of another card is accepted',
    rule: 'An answer that names another card is of another charge.',
    changes: [{ in: 'ofThisRequest', find: 'isOfAnotherCard($$asked)', put: 'false' }],
    killers: [safety('another-sum')],
  },
  {
    name: 'the first of two cards is charged',
    rule: 'An answer that tells of two cards tells of none.',
    changes: [{ in: 'twoCardsIn', find: 'new Set($$tokens).size > 1', put: 'false' }],
    killers: [safety('believed')],
  },
  {
    name: 'the first card of a list is charged',
    rule: 'An answer that tells of two cards tells of none.',
    changes: [{ in: 'cardIn', find: 'answer.length === 1', put: 'answer.length > 0' }],
    killers: [safety('believed')],
  },
  {
    name: 'one of two addresses for a payer is shown',
    rule: 'Of two addresses for a payer that differ none is shown.',
    changes: [{ in: 'withOneAddress', find: 'addresses.length > 1', put: 'false' }],
    killers: [safety('believed')],
  },
  {
    name: 'the first list of an answer is the history',
    rule: 'Of two lists neither is the payments of a subscription.',
    changes: [{ in: 'listIn', find: 'others.length === 0', put: 'true' }],
    killers: [safety('believed')],
  },
  {
    name: 'details without an IBAN confirm the sum of a payout',
    rule: 'What the details do not show is not compared.',
    changes: [{ in: 'read', find: "typeof $iban === 'string' && !hidden.includes('toIban')", put: 'true' }],
    killers: [safety('believed')],
  },
  {
    name: 'an end that contradicts the answer is told as pending by the command that waits',
    rule: 'A command that waits tells an end that it reads as it is.',
    changes: [{ in: 'placeOrder', find: 'error === end', put: 'false' }],
    killers: [safety('paid-then-not')],
  },
  {
    name: 'another sum in the status of an order is no difference',
    rule: 'An order is compared with the sum that its status shows.',
    changes: [{ in: 'compare', find: 'shownRow($$asked) ?? chargedRow($$charged)', put: 'chargedRow($$charged)' }],
    killers: [command('order/diff')],
  },
  {
    name: 'letters that nobody sees make another payee',
    rule: 'A known name with another account is warned of, however it is written.',
    changes: [{ in: 'plainName', find: "$text.replace(unseen, '')", put: '$text' }],
    killers: [command('payee/add')],
  },
  {
    name: 'letters that look alike make another payee',
    rule: 'A known name with another account is warned of, however it is written.',
    changes: [{ in: 'asRead', find: 'lookalikes.get(read) ?? read', put: 'read' }],
    killers: [command('payee/add')],
  },
  {
    name: 'characters that reorder text stand on a page',
    rule: 'What would reorder or hide text is shown on a page.',
    changes: [{ in: 'visiblePage', find: 'page.replace($$how)', put: 'page' }],
    killers: [command('payout/receipt'), command('batch/report')],
  },
]

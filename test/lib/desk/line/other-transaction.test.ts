/** A read shows another payment if its transaction has another number, in whatever digits it is written. */
import { expect, test } from 'vitest'
import { isOfOtherTransaction } from '../../../../src/lib/desk/line/read-thing.ts'
import { intent } from '../../../kit/intent.ts'

test.each([
  ['4711', '4711', false],
  ['4711', '04711', false],
  ['004711', '4711', false],
  ['9007199254740993', '9007199254740992', true],
  ['4711', '4712', true],
  // Zeros are a number, too, and not that of this payment.
  ['4711', '0', true],
  ['4711', '0000', true],
  ['4711', null, false],
  [null, '4711', false],
  ['n/a', '4711', false],
] as const)(
  'a write of the transaction %s: a read that shows the transaction %s is of another one: %s',
  (own, shown, isOther) => {
    expect(isOfOtherTransaction(intent({ transactionId: own }), shown)).toBe(isOther)
  },
)

import { expect, test } from 'vitest'
import { Silence } from '../../../../src/lib/batch/run/silence.ts'
import { Failure } from '../../../../src/lib/failure.ts'

const noAnswer = new Failure('unknown', 'no answer')
const noNetwork = new Failure('unsent', 'the service could not be reached', { operation: 'payout.create' })
const elsewhere = new Failure('locked', 'another run has this payment in flight (office/1)')

/** Nine rows without an answer: one more is too many. */
function afterNine(): Silence {
  const silence = new Silence()
  for (let row = 0; row < 4; row += 1) silence.add({})
  for (let row = 4; row < 9; row += 1) silence.over({}, 'unknown', noAnswer)
  return silence
}

test.each([
  ['accepted', null],
  ['refused', new Failure('refused', 'no')],
  ['turned-away', new Failure('refused', 'busy')],
] as const)('a row that is %s shows that there are answers', (state, failure) => {
  const silence = afterNine()
  silence.over({}, state, failure)
  for (let row = 0; row < 9; row += 1) silence.over({}, 'unknown', noAnswer)
  expect(silence.isLong).toBe(false)
})

test('a row that did not leave this machine is no answer', () => {
  const silence = afterNine()
  silence.over({}, 'unsent', noNetwork)
  expect(silence.isLong).toBe(true)
})

test('a row that another process has says nothing', () => {
  const silence = afterNine()
  silence.over({}, 'sending', elsewhere)
  silence.over({}, 'unknown', elsewhere)
  expect(silence.isLong).toBe(false)
  silence.over({}, 'unknown', noAnswer)
  expect(silence.isLong).toBe(true)
})

import { expect, test } from 'vitest'
import { Stopping } from '../../../../src/lib/batch/run/stop.ts'
import { Failure } from '../../../../src/lib/failure.ts'
import { FailureBeforeSending } from '../../../../src/lib/failure-before-sending.ts'

const fullDisk = new FailureBeforeSending('unsent', 'the journal cannot be written: disk full')
const noSignIn = new FailureBeforeSending('unsent', 'HTTP 502', { operation: 'auth' })
const noNetwork = new Failure('unsent', 'the service could not be reached', { operation: 'payout.create' })

test('a journal that cannot be written ends a run at its first row', () => {
  const stopping = new Stopping(null)
  stopping.ended('planned', fullDisk)
  expect(stopping).toMatchObject({ reason: { kind: 'failure', failure: fullDisk }, hasSent: false, last: fullDisk })
})

test.each([
  ['sign-in', 'planned', noSignIn],
  ['network', 'unsent', noNetwork],
] as const)('a %s that fails ends a run after ten rows, with its reason', (_, state, failure) => {
  const stopping = new Stopping(null)
  for (let row = 1; row < 10; row += 1) stopping.ended(state, failure)
  expect(stopping.reason).toBeNull()
  stopping.ended(state, failure)
  expect(stopping.reason).toMatchObject({ kind: 'enough', why: expect.stringContaining('could not be sent, the last') })
  expect(stopping.hasSent).toBe(false)
})

test.each([
  ['accepted', null],
  ['turned-away', new Failure('refused', 'busy')],
  ['turned-away', noNetwork],
  ['unknown', noSignIn],
  ['refused', new Failure('refused', 'no')],
] as const)('a row that is %s may have been sent', (state, failure) => {
  const stopping = new Stopping(null)
  stopping.ended('unsent', noNetwork)
  expect(stopping.hasSent).toBe(false)
  stopping.ended(state, failure)
  expect(stopping.hasSent).toBe(true)
})

test('one row that was sent begins the count anew', () => {
  const stopping = new Stopping(null)
  for (let row = 1; row < 20; row += 1)
    stopping.ended(row === 10 ? 'accepted' : 'planned', row === 10 ? null : noSignIn)
  expect(stopping.reason).toBeNull()
})

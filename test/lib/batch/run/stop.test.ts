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

const elsewhere = new Failure('locked', 'another run has this payment in flight (office/1)')

test('rows that another process has in flight say nothing of the line, and are no failures', () => {
  const stopping = new Stopping(3)
  for (let row = 1; row < 40; row += 1) stopping.ended(row < 20 ? 'sending' : 'unknown', elsewhere)
  expect(stopping.reason).toBeNull()
  for (let row = 1; row < 3; row += 1) stopping.ended('unknown', new Failure('unknown', 'no answer'))
  expect(stopping.reason).toBeNull()
  stopping.ended('unknown', new Failure('unknown', 'no answer'))
  expect(stopping.reason).toMatchObject({ kind: 'enough', why: '3 rows failed (--max-failures 3)' })
})

test('ten rows that did not leave are of this machine; with one that the service turned away they are not', () => {
  const [own, shared] = [new Stopping(null), new Stopping(null)]
  for (let row = 1; row <= 10; row += 1) {
    own.ended(row % 2 === 0 ? 'planned' : 'unsent', noNetwork)
    shared.ended(row === 5 ? 'turned-away' : 'unsent', noNetwork)
  }
  expect(own.reason).toMatchObject({ kind: 'enough', isOfHere: true })
  expect(shared.reason).toMatchObject({ kind: 'enough', isOfHere: false })
})

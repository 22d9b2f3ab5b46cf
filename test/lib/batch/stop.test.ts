import { expect, test } from 'vitest'
import { StopDecision } from '../../../src/lib/batch/stop.ts'
import { Failure, FailureBeforeSending } from '../../../src/lib/failure.ts'

const fullDisk = new FailureBeforeSending('unsent', 'the journal cannot be written: disk full')
const noSignIn = new FailureBeforeSending('unsent', 'HTTP 502', { operation: 'auth' })
const noNetwork = new Failure('unsent', 'the service could not be reached', { operation: 'payout.create' })

test('a journal that cannot be written ends a run at its first row', () => {
  const stopping = new StopDecision(null)
  stopping.ended('planned', fullDisk)
  expect(stopping).toMatchObject({ reason: { kind: 'failure', failure: fullDisk }, hasSent: false, last: fullDisk })
})

const busy = new Failure('refused', 'busy')
const noAnswer = new Failure('unknown', 'no answer')

/** The rows after which a run stops that meets these ends again and again; null where it never does. */
function stoppedAfter(...ends: readonly (readonly [Parameters<StopDecision['ended']>[0], Failure | null])[]) {
  const stopping = new StopDecision(null)
  for (let row = 1; row <= 60; row += 1) {
    const [state, failure] = ends[row % ends.length] ?? ['planned', null]
    stopping.ended(state, failure)
    if (stopping.reason) return [row, stopping.reason]
  }
  return null
}

test.each([
  ['unknown', noAnswer],
  ['unsent', noNetwork],
] as const)('only an answer of the service ends rows in a row that are %s', (state, failure) => {
  const refusal = new Failure('refused', 'no')
  expect(stoppedAfter([state, failure], ['accepted', null])).toBeNull()
  expect(stoppedAfter([state, failure], ['refused', refusal])).toBeNull()
  expect(stoppedAfter([state, failure], ['sending', elsewhere])).toMatchObject([20, {}])
  expect(stoppedAfter([state, failure], ['refused', new FailureBeforeSending('duplicate', 'no')])).not.toBeNull()
})

test.each([
  ['accepted', null],
  ['turned-away', new Failure('refused', 'busy')],
  ['turned-away', noNetwork],
  ['unknown', noSignIn],
  ['refused', new Failure('refused', 'no')],
] as const)('a row that is %s may have been sent', (state, failure) => {
  const stopping = new StopDecision(null)
  stopping.ended('unsent', noNetwork)
  expect(stopping.hasSent).toBe(false)
  stopping.ended(state, failure)
  expect(stopping.hasSent).toBe(true)
})

test('one row that was sent begins the count anew', () => {
  const stopping = new StopDecision(null)
  for (let row = 1; row < 20; row += 1)
    stopping.ended(row === 10 ? 'accepted' : 'planned', row === 10 ? null : noSignIn)
  expect(stopping.reason).toBeNull()
})

const elsewhere = new Failure('locked', 'another run has this payment in flight (office/1)')

test('rows that another process has in flight say nothing of the line, and are no failures', () => {
  const stopping = new StopDecision(3)
  for (let row = 1; row < 40; row += 1) stopping.ended(row < 20 ? 'sending' : 'unknown', elsewhere)
  expect(stopping.reason).toBeNull()
  for (let row = 1; row < 3; row += 1) stopping.ended('unknown', new Failure('unknown', 'no answer'))
  expect(stopping.reason).toBeNull()
  stopping.ended('unknown', new Failure('unknown', 'no answer'))
  expect(stopping.reason).toMatchObject({ kind: 'enough', why: '3 rows failed (--max-failures 3)' })
})

test('ten rows that did not leave are of this machine; with one that the service turned away they are not', () => {
  const [own, shared] = [new StopDecision(null), new StopDecision(null)]
  for (let row = 1; row <= 10; row += 1) {
    own.ended(row % 2 === 0 ? 'planned' : 'unsent', noNetwork)
    if (row === 5) shared.ended('turned-away', busy)
    else shared.ended('unsent', noNetwork)
  }
  expect(own.reason).toMatchObject({ kind: 'enough', isOfHere: true })
  expect(shared.reason).toMatchObject({ kind: 'enough', isOfHere: false })
})

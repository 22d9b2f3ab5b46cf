import { describe, expect, test } from 'vitest'
import { type PlannedRow, type RowState, rowStates } from '../../../src/lib/batch/row-state.ts'
import { RunOutcomes } from '../../../src/lib/batch/run.ts'

const planned: PlannedRow['planned'] = {
  ...{ number: 2, business_key: 'e-1', unique_id: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11', request: '{}', content: '' },
  ...{ amount_minor: '125', currency: 'GEL', payee: 'GE29NB0000000101904917', source: '', payment: null },
  ...{ known_opened_at: null, known_changed_at: null },
}

const inState = (state: RowState, isTakenKey = false): PlannedRow => ({ planned, intent: null, state, isTakenKey })

function endsOf(...own: readonly RowState[]): RunOutcomes {
  const ends = new RunOutcomes({ self: 'this/1/1/1/one' })
  for (const state of own) ends.add(inState(state))
  return ends
}

/** The states of the journal in which a row is counted as the run has seen it. */
const corrected = (own: RowState) =>
  rowStates.filter((now) => now !== own && endsOf(own).over(inState(now)).state === own)

describe('an end that the run has seen stands against a store that has the row as not paid', () => {
  test.each(['accepted', 'exists'] as const)('%s', (own) => {
    expect(corrected(own)).toEqual(['planned', 'held', 'refused', 'turned-away', 'unsent'])
  })

  test('unknown: what had no answer may have been refused since', () => {
    expect(corrected('unknown')).toEqual(['planned', 'held', 'turned-away', 'unsent'])
  })

  test.each(['planned', 'held', 'refused', 'turned-away', 'unsent'] as const)('but not %s', (own) => {
    expect(corrected(own)).toEqual([])
  })

  test('beside another payment with its key', () => {
    expect(endsOf('accepted').over(inState('refused', true))).toEqual(inState('accepted'))
  })

  test('an acceptance behind an answer that was lost, and before one', () => {
    for (const own of [['unknown', 'accepted'] as const, ['accepted', 'unknown'] as const])
      expect(endsOf(...own).over(inState('planned')).state).toBe('accepted')
  })
})

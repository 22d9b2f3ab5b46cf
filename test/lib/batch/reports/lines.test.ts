import { expect, test } from 'vitest'
import { wordsAndMeaning } from '../../../../src/lib/batch/reports/report.ts'
import { payoutStatuses } from '../../../../src/lib/contract/payout/status.ts'
import { statusDescription } from '../../../../src/lib/sandbox/areas/payouts.ts'

test.each([
  ['REJECTED', 'Rejected by the bank, the funds come back'],
  ['FAILED', 'Failed at the bank, the funds come back'],
  ['DELETED', 'Deleted before execution, the funds come back'],
] as const)('the words of the sandbox for %s and what it means are one sentence', (status, told) => {
  expect(wordsAndMeaning(statusDescription(status, 'documented'), payoutStatuses[status].means)).toBe(told)
})

test('words that say something else stand before the meaning, and one of the two stands alone', () => {
  expect(wordsAndMeaning('Account closed', 'failed, the funds come back')).toBe(
    'Account closed: failed, the funds come back',
  )
  expect(wordsAndMeaning(null, 'failed')).toBe('failed')
  expect(wordsAndMeaning('Account closed', null)).toBe('Account closed')
  expect(wordsAndMeaning(null, null)).toBe('')
})

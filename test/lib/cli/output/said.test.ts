import { expect, test } from 'vitest'
import { saidOn } from '../../../../src/lib/cli/output/said.ts'

const accounts = Array.from({ length: 8 }, (_, at) => `GE02LB335832075800038${at}`)
const warning = `warning: 8 beneficiaries are paid for the first time: ${accounts.join('; ')}`

test.each([60, 80, 140, 200])('no account is broken at a terminal of %i columns', (columns) => {
  const lines = saidOn({ isTTY: true, columns }, warning, null).split('\n')
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
  expect(lines.map((line) => line.trim()).join(' ')).toBe(warning)
})

test('a file gets a line as it is', () => {
  expect(saidOn({ columns: 80 }, warning, null)).toBe(warning)
})

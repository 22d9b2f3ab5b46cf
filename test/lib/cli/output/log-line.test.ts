import fc from 'fast-check'
import { expect, test } from 'vitest'
import { logLines } from '../../../../src/lib/cli/output/log-line.ts'
import { untimed } from '../../../kit/program/untimed.ts'

const moment = Date.parse('2026-11-20T10:03:25Z')

test('every line says when it was written, in the zone, and which payment it is about', () => {
  const about = { key: 'payroll-2026-11:emp-17', id: '5a9db0c0-0301-4a11-8c11-000000000301' }
  expect(logLines('warning: one\n  → two', about, moment, 'Asia/Tbilisi')).toBe(
    [
      '2026-11-20T14:03:25+04:00 key=payroll-2026-11:emp-17 id=5a9db0c0-0301-4a11-8c11-000000000301 warning: one',
      '2026-11-20T14:03:25+04:00 key=payroll-2026-11:emp-17 id=5a9db0c0-0301-4a11-8c11-000000000301   → two',
    ].join('\n'),
  )
})

test('a key that is no word stands in quotes; nothing stands there where nothing is known', () => {
  expect(logLines('one', { key: 'emp "17"', id: null }, moment, 'UTC')).toBe(
    String.raw`2026-11-20T10:03:25+00:00 key="emp \"17\"" one`,
  )
  expect(logLines('one', { key: null, id: null }, moment, 'UTC')).toBe('2026-11-20T10:03:25+00:00 one')
})

test('whatever the key is, the text is what stands behind time, key and id', () => {
  const keys = fc.option(fc.string({ minLength: 1, unit: 'grapheme' }))
  const lines = fc.array(fc.constantFrom('warning: the answer was lost', '  → paydesk resume'), { minLength: 1 })
  const holds = fc.property(keys, lines, (key, said) => {
    const text = said.join('\n')
    expect(untimed(logLines(text, { key, id: 'j-3f9a1c2b7d10' }, moment, 'UTC'))).toBe(text)
  })
  fc.assert(holds)
})

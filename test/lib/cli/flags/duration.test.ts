import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDuration } from '../../../../src/lib/cli/flags/duration.ts'
import { newHome, paydesk } from '../../../kit/program/paydesk.ts'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['30', 30_000],
  ['1.5s', 1_500],
  ['0.25', 250],
  ['0', 0],
])('%s is %i milliseconds', (text, milliseconds) => {
  expect(readDuration(text)).toBe(milliseconds)
})

test('a whole number and a unit are their product, up to what a timer can wait', () => {
  const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, '': 1_000 }
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])), (count, unit) => {
      const product = count * units[unit]
      expect(readDuration(`${count}${unit}`)).toBe(product < 2 ** 31 ? product : null)
    }),
  )
})

test.each([
  '',
  ' ',
  '-1s',
  '+1s',
  '1e3',
  '0x10',
  '1,5s',
  '5 s',
  's',
  '1d',
  '1S',
  '1sec',
  '1m30s',
  '.5s',
  '5.',
  'Infinity',
  '١s',
  '99999999999999999999h',
  '1s\n',
])('%j is no time', (text) => {
  expect(readDuration(text)).toBeNull()
})

test('text of any kind is a time only if a timer can wait for it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.smh -e') }), (text) => {
      const milliseconds = readDuration(text)
      if (milliseconds === null) return
      expect(Number.isInteger(milliseconds) && milliseconds >= 0 && milliseconds < 2 ** 31).toBe(true)
    }),
  )
})

test('a time that is none is one sentence, without what the parser writes around it', async () => {
  const ended = await paydesk(['payout', 'balance', '--timeout', 'soon', '--json'], { home: newHome() })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.error.message).toBe('--timeout takes a time like 500ms, 30s or 2m, not "soon"')
})

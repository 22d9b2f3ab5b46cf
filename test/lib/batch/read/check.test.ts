import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beforeMisreading } from '../../../../src/lib/batch/read/check.ts'

const windows = new TextDecoder('windows-1252')

test('beforeMisreading: a text read as Windows-1252 is found out, whatever its letters', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'\u00E4\u00F6\u00FC\u00DF\u00E9\u10DC\u10D8\u10DD\u0418\u0432\u0430\u043D'),
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(letters, (text) => {
      expect(beforeMisreading(windows.decode(Buffer.from(text)))).toBe(text)
    }),
  )
})

test('beforeMisreading: names as they are written are left alone', () => {
  const names = [
    'M\u00FCller',
    'Jo\u00E3o',
    '\u00C3ngel',
    'Fran\u00E7ois \u00C9t\u00E9',
    '\u10DC\u10D8\u10DC\u10DD',
    'Caf\u00E9\u2026',
  ]
  for (const name of names) expect(beforeMisreading(name)).toBeNull()
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterWordBreak, wordsOfLine } from '../../../../src/lib/cli/completion/complete.ts'

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

test('a line that was quoted word by word has these words', () => {
  const words = fc.array(
    fc.string({ minLength: 1 }).filter((word) => !/[\\"]/.test(word)),
    { minLength: 1, maxLength: 5 },
  )
  fc.assert(
    fc.property(words, (all) => {
      expect(wordsOfLine(`paydesk ${all.map(quoted).join(' ')}`)).toEqual(all)
      expect(wordsOfLine(`paydesk ${all.map(quoted).join(' ')} `)).toEqual([...all, ''])
    }),
  )
})

test.each([
  ['paydesk', []],
  ['paydesk ', ['']],
  ['paydesk a\\ b "c d', ['a b', 'c d']],
  ["paydesk 'open", ['open']],
])('%s', (line, words) => {
  expect(wordsOfLine(line)).toEqual(words)
})

test('bash gets what comes behind the last colon or equals sign that was typed', () => {
  expect(afterWordBreak('payroll:1', 'payroll:17')).toBe('17')
  expect(afterWordBreak('--output=n', '--output=ndjson')).toBe('ndjson')
  expect(afterWordBreak('pay', 'payout')).toBe('payout')
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ColourChoice, wantsColour } from '../../../../src/lib/cli/output/choice.ts'
import { paint } from '../../../../src/lib/cli/output/output.ts'
import { brokenBetweenWords, hangingIndent, screenWidth } from '../../../../src/lib/cli/output/terminal.ts'

const terminal = { isTTY: true }
const pipe = { isTTY: false }

test.each<[ColourChoice, Record<string, string>, { readonly isTTY?: boolean }, boolean]>([
  ['auto', {}, terminal, true],
  ['auto', {}, pipe, false],
  ['auto', {}, {}, false],
  ['auto', { NO_COLOR: '1' }, terminal, false],
  ['auto', { NO_COLOR: '0' }, terminal, false],
  ['auto', { NO_COLOR: '' }, terminal, true],
  ['auto', { TERM: 'dumb' }, terminal, false],
  ['auto', { TERM: 'xterm-256color' }, terminal, true],
  ['auto', { TERM: 'xterm' }, pipe, false],
  ['auto', { CLICOLOR_FORCE: '1' }, pipe, true],
  ['auto', { CLICOLOR_FORCE: '1', TERM: 'dumb' }, pipe, true],
  ['auto', { CLICOLOR_FORCE: '0' }, pipe, false],
  ['auto', { CLICOLOR_FORCE: '0' }, terminal, true],
  ['auto', { CLICOLOR_FORCE: '' }, pipe, false],
  ['auto', { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, terminal, false],
  ['always', {}, pipe, true],
  ['always', { NO_COLOR: '1', TERM: 'dumb' }, pipe, true],
  ['never', {}, terminal, false],
  ['never', { CLICOLOR_FORCE: '1' }, terminal, false],
])('--color %s with %j on %j: %s', (choice, env, stream, colours) => {
  expect(wantsColour(choice, env, stream)).toBe(colours)
  const painted = paint(choice, env, stream).red('no')
  expect(painted).toBe(colours ? '\u001b[31mno\u001b[39m' : 'no')
})

const word = fc.string({ unit: fc.constantFrom(...'abcdefg01234.,:-ნინო₾'), minLength: 1, maxLength: 30 })

describe('broken between words', () => {
  test('no line is longer than it may be, but one of a single word; and nothing is lost', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 10, max: 60 }),
        (words, columns) => {
          const lines = brokenBetweenWords(words.join(' '), columns)
          expect(lines.join(' ')).toBe(words.join(' '))
          for (const line of lines) expect(screenWidth(line) <= columns || !line.includes(' '), line).toBe(true)
        },
      ),
    )
  })

  test('an IBAN is broken between its groups, a line to paste nowhere', () => {
    expect(brokenBetweenWords('GE29 NB00 0000 0101 9049 17', 18)).toEqual(['GE29 NB00 0000', '0101 9049 17'])
    const advice = 'Look: `paydesk payout get 100001 -p acme` tells how it is.'
    expect(brokenBetweenWords(advice, 24)).toEqual(['Look:', '`paydesk payout get 100001 -p acme`', 'tells how it is.'])
    expect(brokenBetweenWords('Pay 3 rows: (GEL 11.00) now', 16)).toEqual(['Pay 3 rows:', '(GEL 11.00) now'])
    expect(brokenBetweenWords('a lonely ` tick here', 10)).toEqual(['a lonely `', 'tick here'])
  })

  test('Georgian letters take one column each, and colours none', () => {
    expect(screenWidth('ნინო ბერიძე')).toBe(11)
    expect(screenWidth('\u001b[31mred\u001b[39m')).toBe(3)
  })

  test('what goes on hangs below its own beginning', () => {
    expect(hangingIndent('  → one two three four', 14, 2)).toBe('  → one two\n    three four')
  })
})

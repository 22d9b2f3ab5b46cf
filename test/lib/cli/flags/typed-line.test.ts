/** A command line, told apart word by word. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ReadableFlag, tokensOf } from '../../../../src/lib/cli/flags/typed-line.ts'
import { shownTokens } from '../../../../src/lib/cli/misuse/shown-words.ts'

const flag = (name: string, more: Partial<ReadableFlag> = {}): ReadableFlag => ({
  ...{ name, letter: null, takesValue: true, negatable: false, greedy: false },
  ...more,
})
const flags = [
  flag('amount', { letter: 'a' }),
  flag('detail', { greedy: true }),
  flag('yes', { takesValue: false, negatable: true }),
]
const kinds = (argv: readonly string[]) => tokensOf(argv, flags).map((token) => token.kind)

test('flags are known by their name, their letter, and joined to their value', () => {
  for (const argv of [['--amount', '5'], ['--amount=5'], ['-a', '5'], ['-a5']])
    expect(tokensOf(argv, flags), argv.join(' ')).toMatchObject([{ kind: 'flag', flag: flags[0], value: '5' }])
  expect(tokensOf(['-a=5'], flags)).toMatchObject([{ kind: 'flag', value: '5' }])
  expect(kinds(['--no-yes', 'x', '--yes'])).toEqual(['flag', 'word', 'flag'])
})

test('a flag that is not known keeps its joined value apart; a negative number is a word', () => {
  expect(tokensOf(['--foo=x=y', '-5', '--bar'], flags)).toEqual([
    { kind: 'unknown', typed: '--foo', value: 'x=y' },
    { kind: 'word', text: '-5' },
    { kind: 'unknown', typed: '--bar', value: null },
  ])
})

test('a greedy flag takes the words behind it, up to the next one with a value; behind -- there are only words', () => {
  expect(kinds(['--detail', 'a', 'b', '--yes', 'c', '--', '--amount'])).toEqual([
    ...['flag', 'flag', 'flag', 'flag', 'end', 'word'],
  ])
  expect(kinds(['--detail', 'a', '--amount', '5', 'c'])).toEqual(['flag', 'flag', 'word'])
})

test('the words of all tokens are a line that is told apart alike', async () => {
  const word = fc.constantFrom(
    '--amount',
    '-a',
    '--yes',
    '--no-yes',
    '--detail',
    '--foo',
    '--foo=1',
    '--amount=-x',
    '-',
    '5',
    'a b',
    '--',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (argv) => {
      const tokens = tokensOf(argv, flags)
      // Behind a flag that lacks its value oclif takes any word that is no flag by itself.
      fc.pre(tokens.every((token) => token.kind !== 'flag' || !token.flag.takesValue || token.value !== null))
      const again = tokensOf((await shownTokens(tokens)).map(String), flags)
      const plain = (each: typeof tokens) =>
        each.map((token) => (token.kind === 'flag' ? [token.flag.name, token.value] : token))
      expect(plain(again)).toEqual(plain(tokens))
    }),
  )
})

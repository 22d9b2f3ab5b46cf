/** A command line, told apart word by word. */

import { type Interfaces, Parser } from '@oclif/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import BatchStatus from '../../../../src/commands/batch/status.ts'
import OrderCreate from '../../../../src/commands/order/create.ts'
import OrderRefund from '../../../../src/commands/order/refund.ts'
import { sharedFlags } from '../../../../src/lib/cli/flags/shared.ts'
import {
  earlyFlags,
  type ReadableFlag,
  readableFlags,
  TypedLine,
  tokensOf,
  typedOutput,
} from '../../../../src/lib/cli/flags/typed-line.ts'
import { mustBeProfileOf } from '../../../../src/lib/cli/usage/parse.ts'
import { keyFlags } from '../../../../src/lib/cli/write/flags.ts'

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

test('a flag that is not known is told without its joined value; a negative number is a word', () => {
  expect(tokensOf(['--foo=x=y', '-5', '--bar'], flags)).toEqual([
    { kind: 'unknown', typed: '--foo' },
    { kind: 'word', text: '-5' },
    { kind: 'unknown', typed: '--bar' },
  ])
})

test('a greedy flag takes the words behind it, up to the next one with a value; behind -- there are only words', () => {
  expect(kinds(['--detail', 'a', 'b', '--yes', 'c', '--', '--amount'])).toEqual([
    ...['flag', 'flag', 'flag', 'flag', 'word'],
  ])
  expect(kinds(['--detail', 'a', '--amount', '5', 'c'])).toEqual(['flag', 'flag', 'word'])
})

const commands = { OrderCreate, OrderRefund, BatchStatus }

const words = [
  ...'-p -phand -p=hand -qp -yp -ypq -qyp=hand -qyphand -py -wp -y -q -qy --profile --profile=hand --profile='.split(
    ' ',
  ),
  ...'--profile=-5 -p- -p-- --no-input --json --key --key=k --key=--json --yes=x --yes=-pteam --yes=-- -y5'.split(' '),
  ...'-q- --json= --output=json --file --file=pay.json --split --split=a --timeout=9s --query -5'.split(' '),
  ...'hand K1 - -- --profil --nope=1 -n a=b -yx -=p -y=p'.split(' '),
  '',
]
const word = fc.constantFrom(...words)

async function parsed(argv: readonly string[], name: keyof typeof commands) {
  const { flags, baseFlags, args } = commands[name]
  const declared = { ...baseFlags, ...flags } as Interfaces.FlagInput
  const input = { flags: declared, args: (args ?? {}) as Interfaces.ArgInput, strict: false }
  const said = await Parser.parse([...argv], input).catch(() => null)
  return said === null || said.nonExistentFlags.length > 0 ? null : said
}

const flagsOf = (name: keyof typeof commands) => {
  const { flags, baseFlags } = commands[name]
  return readableFlags({ ...baseFlags, ...flags })
}

test('every line that oclif reads is read alike before', async () => {
  let read = 0
  const lines = fc.array(word, { maxLength: 6 })
  const names = fc.constantFrom(...(Object.keys(commands) as (keyof typeof commands)[]))
  const property = fc.asyncProperty(lines, names, async (argv, name) => {
    const said = await parsed(argv, name)
    if (said === null) return
    read += 1
    const line = new TypedLine(argv, flagsOf(name))
    const { profile, key, file, query } = said.flags as Readonly<Record<string, string | undefined>>
    const { yes = false, json = false, quiet = false } = said.flags as Readonly<Record<string, boolean | undefined>>
    const raw = said.raw.find(({ type }) => type === 'arg')
    expect({
      ...{ profile, key, file, query, argument: raw?.input },
      ...{ yes, json, quiet, input: said.flags['no-input'] ?? false },
    }).toEqual({
      ...{ profile: line.value('--profile'), key: line.value('--key'), file: line.value('--file') },
      ...{ query: line.value('--query'), argument: line.words[0], yes: line.has('--yes'), json: line.has('--json') },
      ...{ quiet: line.has('--quiet'), input: line.has('--no-input') },
    })
  })
  await fc.assert(property, { numRuns: 5_000 })
  expect(read, 'lines that oclif has read').toBeGreaterThan(500)
})

test('the flags of all commands are known before a command is', () => {
  const byName = (flags: typeof earlyFlags) => flags.toSorted((one, other) => one.name.localeCompare(other.name))
  expect(byName(earlyFlags)).toEqual(byName(readableFlags({ ...sharedFlags, ...keyFlags })))
  expect(typedOutput(new TypedLine(['-qp', 'x', '--json', '--key=k'], earlyFlags))).toMatchObject({
    ...{ form: 'json', quiet: true, key: 'k' },
  })
})

test('a run whose journal was chosen by another profile than oclif reads is a bug, and sends nothing', () => {
  const line = new TypedLine(['-p', 'hand'], earlyFlags)
  expect(() => mustBeProfileOf(line, { profile: 'hand' })).not.toThrow()
  for (const profile of ['team', undefined])
    expect(() => mustBeProfileOf(line, { profile })).toThrow(expect.objectContaining({ exit: 1, moneyMoved: 'no' }))
})

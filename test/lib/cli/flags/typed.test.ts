/** The line that is known before oclif parses it says what oclif then says. */
import { type Interfaces, Parser } from '@oclif/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import BatchStatus from '../../../../src/commands/batch/status.ts'
import OrderCreate from '../../../../src/commands/order/create.ts'
import OrderRefund from '../../../../src/commands/order/refund.ts'
import { readableFlags } from '../../../../src/lib/cli/flags/declared.ts'
import { sharedFlags } from '../../../../src/lib/cli/flags/shared.ts'
import { earlyFlags, TypedLine, typedOutput } from '../../../../src/lib/cli/flags/typed.ts'
import { mustBeProfileOf } from '../../../../src/lib/cli/misuse/named-profile.ts'
import { keyFlags } from '../../../../src/lib/cli/write/flags.ts'

const commands = { OrderCreate, OrderRefund, BatchStatus }

const word = fc.oneof(
  fc.constantFrom(
    '-p',
    '-phand',
    '-p=hand',
    '-qp',
    '-yp',
    '-ypq',
    '-qyp=hand',
    '-qyphand',
    '-py',
    '-wp',
    '-y',
    '-q',
    '-qy',
  ),
  fc.constantFrom('--profile', '--profile=hand', '--profile=', '--profile=-5', '-p-', '-p--', '--no-input', '--json'),
  fc.constantFrom('--key', '--key=k', '--key=--json', '--yes=x', '--yes=-pteam', '--yes=--', '-y5', '-q-', '--json='),
  fc.constantFrom(
    '--output=json',
    '--file',
    '--file=pay.json',
    '--split',
    '--split=a',
    '--timeout=9s',
    '--query',
    '-5',
  ),
  fc.constantFrom('hand', 'K1', '', '-', '--', '--profil', '--nope=1', '-n', 'a=b', '-yx', '-=p', '-y=p'),
)

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

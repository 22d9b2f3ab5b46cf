import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCommandLine } from '../../../../src/lib/cli/program/answer.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const listing = JSON.parse(readFileSync(join(root, 'dist', 'listing.json'), 'utf8'))

const lines = [
  ...['payout create --amount 1', 'payout:create --amount 1', 'payout get 5a9db0c0 --json', 'payout get'],
  ...['payout', 'payout crate', 'payout crate --json', 'pay out', 'payout create --version'],
  ...['payout payout create', 'key=value payout', 'sandbox clock', 'sandbox clock advance 5m', 'sandbox fault'],
  ...['resume abc def', '-p x payout create', '-- payout create', 'constructor', 'toString x'],
]

/** Prints what oclif makes of each line: the command and its argv, the topic, or neither. */
const byOclif = `
  const { Config } = require('@oclif/core')
  const { normalizeArgv } = require('@oclif/core/help')
  Config.load(${JSON.stringify(root)}).then((config) => {
    const made = ${JSON.stringify(lines)}.map((line) => {
      const [id, ...argv] = normalizeArgv(config, line.split(' '))
      if (config.findCommand(id)) return { kind: 'command', id, argv }
      return config.findTopic(id) ? { kind: 'help', id } : { kind: 'none' }
    })
    process.stdout.write(JSON.stringify(made))
  })
`

test('a command line names what it names to oclif', () => {
  const theirs = JSON.parse(execFileSync(process.execPath, ['-e', byOclif], { cwd: root, encoding: 'utf8' }))
  const ours = lines.map((line) => readCommandLine(line.split(' '), listing))
  for (const [at, line] of lines.entries()) expect(ours[at], line).toEqual(theirs[at])
})

test.each([
  ['--version', { kind: 'version' }],
  ['-v', { kind: 'version' }],
  ['version', { kind: 'version' }],
  ['-v payout', { kind: 'none' }],
  ['--version --help', { kind: 'version' }],
  ['', { kind: 'help', id: '' }],
  ['--help', { kind: 'help', id: '' }],
  ['payout create --amount 1 --help', { kind: 'help', id: 'payout:create' }],
  ['payout --help', { kind: 'help', id: 'payout' }],
  // Not as oclif: whoever puts flags before the command's last word would see a page, and 0.
  ['payout --key k1 create', { kind: 'none' }],
  ['sandbox fault add payout.create', { kind: 'command', id: 'sandbox:fault:add', argv: ['payout.create'] }],
  ['sandbox world extra', { kind: 'command', id: 'sandbox:world', argv: ['extra'] }],
  ['payout create x y --json', { kind: 'command', id: 'payout:create', argv: ['x', 'y', '--json'] }],
  ['--help payout create', { kind: 'help', id: 'payout:create' }],
  ['help', { kind: 'help', id: '' }],
  ['help payout create', { kind: 'help', id: 'payout:create' }],
  ['help sandbox fault', { kind: 'help', id: 'sandbox:fault' }],
  ['help exit-codes', { kind: 'exit-codes' }],
  ['payout crate --help', { kind: 'none' }],
  ['help payout create --json', { kind: 'command', id: 'help', argv: ['payout', 'create', '--json'] }],
  ['help payout crate', { kind: 'command', id: 'help', argv: ['payout', 'crate'] }],
  ['payout get -- --help', { kind: 'command', id: 'payout:get', argv: ['--', '--help'] }],
])('command lines that are answered without a command: %s', (line, asked) => {
  expect(readCommandLine(line.split(' ').filter(Boolean), listing)).toEqual(asked)
})

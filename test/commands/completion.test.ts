/** Completion: what a shell is told, and the scripts in the shells that this machine has. */
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Config } from '@oclif/core'
import { beforeAll, expect, test } from 'vitest'
import { completeWord } from '../../src/lib/cli/completion/complete.ts'
import { completionTree } from '../../src/lib/cli/completion/tree.ts'
import { wholeConfig } from '../../src/lib/cli/program/config.ts'
import { places } from '../../src/lib/paths.ts'
import { create, flags } from '../kit/payment.ts'
import { builtPaydesk, cleanEnv, node, program } from '../kit/process.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'

const home = newHome()
const folder = temporaryDirectory('path')
writeFileSync(join(folder, 'paydesk'), `#!/bin/sh\nexec '${node}' '${program}' "$@"\n`, { mode: 0o755 })
const made = { journalId: '' }

beforeAll(async () => {
  const paid = await succeeds(paydesk([...create({ key: 'payroll:17' }), '--json'], { home }))
  made.journalId = String(paid.json.journalId)
  const added = ['profile', 'add', 'acme', ...flags({ environment: 'test', 'base-url': 'https://pay.example' })]
  expect((await paydesk(added, { home })).code).toBe(0)
})

const inShell = promisify(execFile)
const pathOf = () => ({ ...cleanEnv(home), PATH: `${folder}:${process.env.PATH ?? ''}`, TERM: 'dumb' })

/** What a shell is told: a line for each candidate. */
async function candidates(line: string): Promise<string[]> {
  const tree = completionTree(await wholeConfig(await Config.load({ root: join(program, '..', '..') })))
  const text = completeWord(['bash', '--', line], tree, () =>
    places({ PAYDESK_HOME: home }, { configDir: '', dataDir: '', cacheDir: '' }),
  )
  return text.split('\n').filter(Boolean)
}

test.each([
  ['paydesk pay', ['payee', 'payout']],
  ['paydesk payout c', ['create']],
  ['paydesk payout create --to-', ['--to-iban']],
  ['paydesk payout create --output=n', ['ndjson']],
  ['paydesk help sandbox cl', ['clock']],
  ['paydesk completion z', ['zsh']],
  ['paydesk payout get --profile ac', ['acme']],
  ['paydesk profile show sandbox-po', ['sandbox-poor']],
  ['paydesk batch check run', [':file']],
  ['paydesk payout get --json --js', []],
  ['paydesk payout get -- --js', []],
  ['paydesk order status j-', []],
  ['paydesk nonsense ', []],
])('completion: "%s" may go on with %j', async (line, words) => {
  expect(await candidates(line)).toEqual(words)
})

test('completion: payout get and resume are completed with the journal id of a payout', async () => {
  expect(await candidates('paydesk payout get j')).toEqual([made.journalId])
  expect(await candidates('paydesk resume ')).toEqual([made.journalId])
})

test('completion bash, built program: commands, values, keys with a colon and files are completed', async () => {
  const lines = [
    'paydesk payout c',
    'paydesk payout get j',
    'paydesk journal show payroll:1',
    'paydesk batch check run',
  ]
  const script = `eval "$(paydesk completion bash)"
    for line in "$@"; do
      COMP_LINE=$line COMP_POINT=\${#line}
      _paydesk paydesk "\${line##* }" ''
      printf '%s\n' "\${COMPREPLY[*]}"
    done`
  const { stdout } = await inShell('bash', ['-c', script, 'bash', ...lines], {
    env: pathOf(),
    cwd: join(program, '..'),
  })
  // Bash takes a word apart at the colon.
  expect(stdout.trimEnd().split('\n')).toEqual(['create', made.journalId, '17', 'run.js'])
})

test.skipIf(!existsSync('/usr/bin/fish'))('completion fish: ids and commands have a description', async () => {
  const script = 'paydesk completion fish | source; complete -C "paydesk payout get j"; complete -C "paydesk payout c"'
  const { stdout } = await inShell('fish', ['--no-config', '-c', script], { env: pathOf() })
  const [id, command] = stdout.split('\n')
  expect(id).toMatch(new RegExp(`^${made.journalId}\tGEL 12.50 payout.create accepted \\d{4}-\\d\\d-\\d\\d$`))
  expect(command).toMatch(/^create\tSend funds/)
})

test.skipIf(!existsSync('/usr/bin/zsh'))('completion zsh: the shell accepts the script', async () => {
  const { script } = (await paydesk(['completion', 'zsh', '--json'], { home })).json
  await inShell('zsh', ['-n', '-c', String(script)], { env: pathOf() })
})

test('completion: a home without a journal offers no id, and no journal is made', async () => {
  for (const place of [newHome(), join(home, 'not-there')]) {
    const asked = await builtPaydesk(['__complete', 'zsh', '--', 'payout', 'get', 'j'], place)
    expect(asked).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(existsSync(join(place, 'journal'))).toBe(false)
  }
})

test('completion: an unknown shell is refused (2), and the known ones are named', async () => {
  const ended = await paydesk(['completion', 'tcsh'], { home })
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('bash, zsh, fish, powershell')
})

/** Completion by the built program, in the shells that are here. */
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { create, flags } from '../kit/payment.ts'
import { builtPaydesk, cleanEnv, node, program } from '../kit/program/built-paydesk.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'

const home = newHome()
const folder = temporaryDirectory('path')
writeFileSync(join(folder, 'paydesk'), `#!/bin/sh\nexec '${node}' '${program}' "$@"\n`, { mode: 0o755 })
const made = { journalId: '' }

beforeAll(async () => {
  const paid = await paydesk([...create({ key: 'payroll:17' }), '--json'], { home })
  expect(paid.code, paid.stderr).toBe(0)
  made.journalId = String(paid.json.journalId)
  const added = ['profile', 'add', 'acme', ...flags({ environment: 'test', 'base-url': 'https://pay.example' })]
  expect((await paydesk(added, { home })).code).toBe(0)
})

const inShell = promisify(execFile)
const pathOf = () => ({ ...cleanEnv(home), PATH: `${folder}:${process.env.PATH ?? ''}`, TERM: 'dumb' })

/** The words that bash would put in the place of the one at the end of a line. */
async function inBash(line: string): Promise<string[]> {
  const script = `eval "$(paydesk completion bash)"
    COMP_LINE=$1 COMP_POINT=\${#1}
    _paydesk paydesk "\${1##* }" ''
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await inShell('bash', ['-c', script, 'bash', line], { env: pathOf(), cwd: join(program, '..') })
  return stdout.split('\n').filter(Boolean)
}

describe('bash completes', () => {
  test.each([
    ['paydesk pay', ['payee', 'payout']],
    ['paydesk payout c', ['create']],
    ['paydesk payout create --to-', ['--to-iban']],
    ['paydesk payout create --output=n', ['ndjson']],
    ['paydesk help sandbox cl', ['clock']],
    ['paydesk completion z', ['zsh']],
    ['paydesk payout get --profile ac', ['acme']],
    ['paydesk profile show sandbox-po', ['sandbox-poor']],
    // It takes the word apart at the colon.
    ['paydesk journal show payroll:1', ['17']],
    ['paydesk batch check run', ['run.js']],
    ['paydesk payout get --json --js', []],
    ['paydesk payout get -- --js', []],
    ['paydesk order status j-', []],
    ['paydesk nonsense ', []],
  ])('%s', async (line, words) => {
    expect(await inBash(line)).toEqual(words)
  })

  test('the id of a payout', async () => {
    expect(await inBash('paydesk payout get j')).toEqual([made.journalId])
    expect(await inBash('paydesk resume ')).toEqual([made.journalId])
  })
})

test.each(existsSync('/usr/bin/fish') ? ['fish'] : [])('%s shows what stands behind an id', async () => {
  const script = 'paydesk completion fish | source; complete -C "paydesk payout get j"; complete -C "paydesk payout c"'
  const { stdout } = await inShell('fish', ['--no-config', '-c', script], { env: pathOf() })
  const [id, command] = stdout.split('\n')
  expect(id).toMatch(new RegExp(`^${made.journalId}\tGEL 12.50 payout.create accepted \\d{4}-\\d\\d-\\d\\d$`))
  expect(command).toMatch(/^create\tSend funds/)
})

test.each(existsSync('/usr/bin/zsh') ? ['zsh'] : [])('%s reads its script', async () => {
  const { script } = (await paydesk(['completion', 'zsh', '--json'], { home })).json
  await inShell('zsh', ['-n', '-c', String(script)], { env: pathOf() })
})

test('nothing that was not told, and nothing where there is nothing to look at', async () => {
  for (const place of [newHome(), join(home, 'not-there')]) {
    const asked = await builtPaydesk(['__complete', 'zsh', '--', 'payout', 'get', 'j'], place)
    expect(asked).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(existsSync(join(place, 'journal'))).toBe(false)
  }
})

test('a shell that is not known is refused', async () => {
  const ended = await paydesk(['completion', 'tcsh'], { home })
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('bash, zsh, fish, powershell')
})

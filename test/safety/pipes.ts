/** Streams of the built program: pipes that are slow, long, or go away. */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { cleanEnv, type ProcessEnd, program, untimed } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, json, serviceByHand } from '../kit/service.ts'
import { ledgerOf, standingSandbox } from '../kit/world.ts'

/** Processes of the built program, on a machine that may be busy with others. */
const patience = { timeout: 120_000 }

/** A shell line in which `paydesk` is the built program. */
function shell(line: string, home: string): Promise<ProcessEnd> {
  const child = spawn('bash', ['-c', `paydesk() { "${process.execPath}" "${program}" "$@"; }; ${line}`], {
    env: cleanEnv(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8')
  child.stderr.setEncoding('utf8')
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr: untimed(stderr), log: stderr })),
  )
}

const details = {
  transactionId: 7,
  status: 'PENDING',
  amount: 12.5,
  toIban: 'GE29NB0000000101904917',
  currency: 'GEL',
  paymentDescription: 'Salary',
  uniqueId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
  createdAt: '2026-11-20T10:00:00',
}

/** The service says so many bytes in a status and in a refusal; `refused.csv` has rows with more complaints than a pipe holds. */
async function wordyHome(bytes: number) {
  const home = newHome()
  const statusDescription = 'ლ'.repeat(bytes / 3)
  const service = await serviceByHand(({ path }) => {
    if (path === '/api/distributor/details') return json({ ...details, statusDescription })
    if (path === '/api/distributor') return json({ message: statusDescription, statusCode: 5033 }, 400)
    return undefined
  })
  await addHandProfile(home, service.url)
  const rows = Array.from({ length: 1000 }, (_, at) => `k${at},-1,GEL,Salary,GE00`)
  const file = join(home, 'refused.csv')
  writeFileSync(file, ['key,amount,currency,description,toIban', ...rows, ''].join('\n'))
  return { home, statusDescription, file }
}

/** A command that prints more than a pipe holds, and ends with this code. */
const longOutputs = (file: string) =>
  [
    ['payout get 7 -p hand --json', 0],
    [`batch check ${file} --json`, 2],
  ] as const

export function longOutput(bytes: number): void {
  test(
    'payout get (0) and batch check (2), long output through a slow reader: it arrives whole',
    patience,
    async () => {
      const { home, file, statusDescription } = await wordyHome(bytes)
      for (const [argv, code] of longOutputs(file)) {
        const ended = await shell(`set -o pipefail; paydesk ${argv} 2>/dev/null | { sleep 0.3; cat; }`, home)
        expect(ended.code, argv).toBe(code)
        expect(ended.stdout.length, argv).toBeGreaterThan(100_000)
        const read = JSON.parse(ended.stdout) as { statusDescription?: string }
        if (code === 0) expect(read.statusDescription === statusDescription, argv).toBe(true)
      }
    },
  )

  test('payout create, refused in a long message: stderr has its beginning, and says how much is left out (5)', async () => {
    const { home } = await wordyHome(bytes)
    const ended = await paydesk([...create({ profile: 'hand' }), '--json'], { home })
    expect(ended).toMatchObject({ code: 5, stdout: '' })
    const { message } = ended.error.service as { message: string }
    expect(message).toMatch(/… \d+ more characters$/)
    expect(message.length).toBeLessThan(5000)
  })

  test(
    'payout get (0) and batch check (2), a reader that goes away within a long output: the code stays',
    patience,
    async () => {
      const { home, file } = await wordyHome(bytes)
      for (const [argv, code] of longOutputs(file)) {
        const ended = await shell(`paydesk ${argv} | head -c 10 >/dev/null; echo "code \${PIPESTATUS[0]}"`, home)
        expect(ended.stdout, argv).toContain(`code ${code}\n`)
        expect(ended.stderr, argv).not.toMatch(/EPIPE|^\s+at /m)
      }
    },
  )
}

/** `payout wait` is at its end only when its time is. */
export function longWait(bytes: number): void {
  test(
    'payout wait, not final in time, long output: it arrives whole, read at once, slowly or not to its end (8)',
    patience,
    async () => {
      const { home, statusDescription } = await wordyHome(bytes)
      const argv = 'paydesk payout wait 7 -p hand --timeout 9s --json'
      const ended = await shell(argv, home)
      expect(ended.code, ended.stderr.slice(0, 300)).toBe(8)
      const read = JSON.parse(ended.stdout) as { statusDescription: string }
      expect(read.statusDescription === statusDescription).toBe(true)
      expect(ended.stderr.trim().split('\n')).toHaveLength(1)
      const slow = await shell(`set -o pipefail; ${argv} 2>/dev/null | { sleep 0.5; cat; } | wc -c; echo "$?"`, home)
      const [length, code] = slow.stdout.trim().split('\n')
      expect(Number(length)).toBeGreaterThan(bytes)
      expect(code).toBe('8')
      const gone = await shell(`${argv} | head -c 10 >/dev/null; echo "code \${PIPESTATUS[0]}"`, home)
      expect(gone.stdout).toContain('code 8\n')
      expect(gone.stderr).not.toMatch(/EPIPE|^\s+at /m)
    },
  )
}

/** Shell lines whose reader goes away, and the exit codes of the program in them. */
export const briefReaders = [
  ['paydesk journal list --output ndjson | head -1', '0'],
  ['paydesk payout get 1 -p sandbox 2>&1 | head -1', '6'],
  ['paydesk payout balance -p sandbox --json | true', '0'],
  ['paydesk journal list | head -1', '0'],
  ['paydesk payout get nonsense -p sandbox --json 2>&1 | true', '2'],
] as const

export function readersThatGo(lines: readonly (typeof briefReaders)[number][]): void {
  test(
    'success (0) and failure (2, 6), a reader that goes away: the code stays, and no stack is printed',
    patience,
    async () => {
      const home = newHome()
      await standingSandbox(home)
      for (let amount = 1; amount <= 3; amount += 1) await paydesk(create({ amount: `${amount}` }), { home })
      for (const [line, code] of lines) {
        const ended = await shell(`${line}; echo "code \${PIPESTATUS[0]}"`, home)
        expect(ended.stdout, line).toMatch(new RegExp(`^code ${code}$`, 'm'))
        expect(ended.stdout + ended.stderr, line).not.toMatch(/EPIPE|^\s+at /m)
      }
    },
  )

  test('sandbox requests --follow, a reader that goes away: it ends (0)', patience, async () => {
    const home = newHome()
    const sandbox = await standingSandbox(home)
    const asking = setInterval(() => void fetch(`${sandbox.url}/asked`).catch(() => undefined), 200)
    try {
      // Never left running: `timeout` says 124 where it would not end.
      const follow = `timeout 100 "${process.execPath}" "${program}" sandbox requests --follow --output ndjson`
      const ended = await shell(`${follow} | head -1; echo "code \${PIPESTATUS[0]}"`, home)
      expect(ended.stdout).toMatch(/^\{.*\}\ncode 0\n$/)
      expect(ended.stderr).toBe('')
    } finally {
      clearInterval(asking)
    }
  })
}

const quoted = (command: string, ...argv: string[]) => [command, ...argv.map((word) => `'${word}'`)].join(' ')

export function slowInputAndFullDisk(): void {
  test('payout create --file -, a request through a slow pipe: it is read to its end', patience, async () => {
    const request = JSON.stringify({
      amount: 2,
      currency: 'GEL',
      toIban: 'GE29NB0000000101904917',
      description: 'Slow',
    })
    const ended = await shell(
      `{ printf '%s' '${request.slice(0, 20)}'; sleep 0.5; printf '%s' '${request.slice(20)}'; } | paydesk payout create -p sandbox --yes --json --file -`,
      newHome(),
    )
    expect(ended.code, ended.stderr).toBe(0)
    expect(JSON.parse(ended.stdout)).toMatchObject({ amount: 2 })
  })

  describe.skipIf(!existsSync('/dev/full'))('payout create', () => {
    test(
      'payout create, a full disk behind stdout: one line (1), and the same command again pays nothing twice',
      patience,
      async () => {
        const home = newHome()
        const argv = [...create({ key: 'full' }), '--json']
        const ended = await shell(`${quoted('paydesk', ...argv)} >/dev/full`, home)
        expect(ended).toMatchObject({ code: 1, stdout: '' })
        expect(ended.stderr.trim().split('\n')).toHaveLength(1)
        expect(ended.stderr).toContain('stdout could not be written')
        expect((await paydesk(argv, { home })).code).toBe(0)
        expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
      },
    )

    test('payout create, a full disk behind stderr: accepted (0)', patience, async () => {
      const line = quoted('paydesk', ...create())
      expect((await shell(`${line} 2>/dev/full`, newHome())).code).toBe(0)
    })
  })
}

/** Streams of the built program: pipes that are slow, long, or go away. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { figures } from '../figures.ts'
import { create } from '../kit/payment.ts'
import { builtPaydesk, cleanEnv, type ProcessEnd, program } from '../kit/program/built-paydesk.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { untimed } from '../kit/program/untimed.ts'
import { many, slice } from '../kit/run/whole.ts'
import { addHandProfile, json, serviceByHand } from '../kit/service/service-by-hand.ts'
import { ledgerOf, standingSandbox } from '../kit/world.ts'

// Processes of the built program, perhaps beside fifty others on two cores.
vi.setConfig({ testTimeout: 90_000 })

/** Far more than a pipe holds; every day a part of it. */
const long = many(...figures.mebibytes) * 1024 * 1024

/** A shell line in which `paydesk` is the built program. */
function shell(line: string, home: string): Promise<ProcessEnd> {
  const child = spawn('bash', ['-c', `paydesk() { "${process.execPath}" "${program}" "$@"; }; ${line}`], {
    env: cleanEnv(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
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

describe('megabytes on a failing path', () => {
  async function wordy() {
    const home = newHome()
    const statusDescription = 'ლ'.repeat(long / 3)
    const service = await serviceByHand(({ path }) => {
      if (path === '/api/distributor/details') return json({ ...details, statusDescription })
      if (path === '/api/distributor') return json({ message: statusDescription, statusCode: 5033 }, 400)
      return undefined
    })
    await addHandProfile(home, service.url)
    return { home, statusDescription }
  }

  test('arrive whole on stdout: payout wait ends with 8 and the whole document', async () => {
    const { home, statusDescription } = await wordy()
    const ended = await builtPaydesk(['payout', 'wait', '7', '-p', 'hand', '--timeout', '3s', '--json'], home)
    expect(ended.code, ended.stderr.slice(0, 300)).toBe(8)
    const read = JSON.parse(ended.stdout) as { statusDescription: string }
    expect(read.statusDescription === statusDescription).toBe(true)
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  })

  test('arrive whole through a slow reader', async () => {
    const { home } = await wordy()
    const slow = '{ sleep 0.5; cat; }'
    const ended = await shell(
      `set -o pipefail; paydesk payout wait 7 -p hand --timeout 9s --json 2>/dev/null | ${slow} | wc -c; echo "$?"`,
      home,
    )
    const [bytes, code] = ended.stdout.trim().split('\n')
    expect(Number(bytes)).toBeGreaterThan(long)
    expect(code).toBe('8')
  })

  test('are cut on stderr, and said to be: a refusal in many words ends with 5', async () => {
    const { home } = await wordy()
    const ended = await builtPaydesk([...create({ profile: 'hand' }), '--json'], home)
    expect(ended.code).toBe(5)
    expect(ended.stdout).toBe('')
    const { error } = JSON.parse(ended.stderr) as { error: { service: { message: string } } }
    expect(error.service.message).toMatch(/… \d+ more characters$/)
    expect(error.service.message.length).toBeLessThan(5000)
  })
})

describe('a reader that goes away', () => {
  test('keeps the exit code of a success and of a failure, and prints no stack', async () => {
    const home = newHome()
    await standingSandbox(home)
    for (let amount = 1; amount <= 3; amount += 1) await paydesk(create({ amount: `${amount}` }), { home })
    for (const [line, code] of [
      ['paydesk journal list --output ndjson | head -1', '0'],
      ['paydesk journal list | head -1', '0'],
      ['paydesk payout get 1 -p sandbox 2>&1 | head -1', '6'],
      ['paydesk payout balance -p sandbox --json | true', '0'],
      ['paydesk payout get nonsense -p sandbox --json 2>&1 | true', '2'],
    ] as const) {
      const ended = await shell(`${line}; echo "code \${PIPESTATUS[0]}"`, home)
      expect(ended.stdout, line).toMatch(new RegExp(`^code ${code}$`, 'm'))
      expect(ended.stdout + ended.stderr, line).not.toMatch(/EPIPE|^\s+at /m)
    }
  })

  test('ends what only shows: a log that is followed, with 0', async () => {
    const home = newHome()
    const sandbox = await standingSandbox(home)
    const asking = setInterval(() => void fetch(`${sandbox.url}/asked`).catch(() => undefined), 200)
    try {
      // Never left running: `timeout` says 124 where it would not end.
      const follow = `timeout 30 "${process.execPath}" "${program}" sandbox requests --follow --output ndjson`
      const ended = await shell(`${follow} | head -1; echo "code \${PIPESTATUS[0]}"`, home)
      expect(ended.stdout).toMatch(/^\{.*\}\ncode 0\n$/)
      expect(ended.stderr).toBe('')
    } finally {
      clearInterval(asking)
    }
  })

  test('of megabytes keeps the code as well', async () => {
    const home = newHome()
    const service = await serviceByHand(({ path }) =>
      path === '/api/distributor/details' ? json({ ...details, statusDescription: 'x'.repeat(long) }) : undefined,
    )
    await addHandProfile(home, service.url)
    for (const [argv, code] of [
      ['payout get 7 -p hand', 0],
      ['payout wait 7 -p hand --timeout 5s --json', 8],
    ] as const) {
      const ended = await shell(`paydesk ${argv} | head -c 10 >/dev/null; echo "code \${PIPESTATUS[0]}"`, home)
      expect(ended.stdout, argv).toContain(`code ${code}\n`)
      expect(ended.stderr, argv).not.toMatch(/EPIPE|^\s+at /m)
    }
  })
})

describe('arguments that the parser does not understand', () => {
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['a bad flag', ['payout', 'create', '--no-such-flag', '--json']],
    ['a flag without its value', ['payout', 'get', '7', '--json', '--profile']],
    ['a missing argument', ['payout', 'get', '--json']],
    ['one argument too many', ['payout', 'get', '1', '2', '--json']],
    ['an unknown command', ['payout', 'refund', '--json']],
    ['an unknown topic', ['nonsense', '--json']],
    ['an unknown command before a secret', ['nonsense', '--client-secret=hunter2hunter2', '--json']],
    ['a time that is none', ['payout', 'balance', '-p', 'sandbox', '--timeout', 'soon', '--json']],
    ['an unknown form', ['payout', 'balance', '--output', 'xml', '--json']],
  ]
  const everyDay = lines.filter(([what]) => ['a bad flag', 'an unknown command before a secret'].includes(what))

  test.each(slice(lines, everyDay))(
    '%s with --json is one error line and nothing on stdout (2)',
    async (_what, argv) => {
      const ended = await builtPaydesk(argv, newHome())
      expect(ended.code, ended.stderr).toBe(2)
      expect(ended.stdout).toBe('')
      expect(ended.stderr.trim().split('\n')).toHaveLength(1)
      expect(JSON.parse(ended.stderr)).toMatchObject({ error: { name: 'usage', exit: 2, moneyMoved: 'no' } })
      expect(ended.stderr).not.toContain('hunter2')
    },
  )

  test('without --json it is a few lines, no stack and no argv', async () => {
    for (const argv of [['payout', 'create', '--no-such-flag'], ['nonsense'], ['payout', 'nonsense']]) {
      const ended = await builtPaydesk(argv, newHome())
      expect(ended.code, ended.stderr).toBe(2)
      expect(ended.stdout).toBe('')
      expect(ended.stderr.trim().split('\n').length).toBeLessThan(6)
      expect(ended.stderr).not.toMatch(/^\s+at /m)
    }
  })
})

test('a request through a slow pipe is read to its end', async () => {
  const request = JSON.stringify({ amount: 2, currency: 'GEL', toIban: 'GE29NB0000000101904917', description: 'Slow' })
  const ended = await shell(
    `{ printf '%s' '${request.slice(0, 20)}'; sleep 0.7; printf '%s' '${request.slice(20)}'; } | paydesk payout create -p sandbox --yes --json --file -`,
    newHome(),
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({ amount: 2 })
})

const quoted = (command: string, ...argv: string[]) => [command, ...argv.map((word) => `'${word}'`)].join(' ')

describe.skipIf(!existsSync('/dev/full'))('a full disk behind stdout', () => {
  test('is told in one sentence, the payment stands in the journal, and running it again pays nothing twice', async () => {
    const home = newHome()
    const line = quoted('paydesk', ...create({ key: 'full' }), '--json')
    const ended = await shell(`${line} >/dev/full`, home)
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
    expect(ended.stderr).toContain('stdout could not be written')
    expect((await shell(line, home)).code).toBe(0)
    expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
  })

  test('behind stderr changes nothing', async () => {
    const home = newHome()
    const line = quoted('paydesk', ...create())
    expect((await shell(`${line} 2>/dev/full`, home)).code).toBe(0)
  })
})

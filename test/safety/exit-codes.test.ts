/** Every exit code, with and without --json: the same code, nothing or one document on stdout, one error line. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { journalOf } from '../kit/journal.ts'
import { create } from '../kit/payment.ts'
import { builtPaydesk, start as startProcess } from '../kit/program/built-paydesk.ts'
import { hurriedClock, impatient } from '../kit/program/hurried.ts'
import { type Ended, newHome, paydesk, type Surroundings } from '../kit/program/paydesk.ts'
import { until } from '../kit/run/until.ts'
import { slice } from '../kit/run/whole.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'
import { addFault, clearFaults, ledgerOf, standingSandbox } from '../kit/world.ts'

// Processes of the built program, perhaps beside fifty others on two cores.
vi.setConfig({ testTimeout: 90_000 })

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'

const errorKeys = [
  'name',
  'exit',
  'message',
  'operation',
  'uniqueId',
  'transactionId',
  'status',
  'journalId',
  'service',
  'moneyMoved',
  'retry',
  'warnings',
  'hints',
]

interface Case {
  readonly code: number
  readonly name: string
  readonly when: string
  readonly moneyMoved?: string
  readonly arrange?: (home: string) => Promise<unknown>
  readonly argv: (home: string) => readonly string[]
  readonly around?: Partial<Surroundings>
}

const quick = () => ({ clock: hurriedClock(), random: impatient })

const cases: readonly Case[] = [
  { code: 0, name: 'done', when: 'a payout is accepted', argv: () => create() },
  {
    code: 1,
    name: 'bug',
    when: 'the journal is damaged',
    moneyMoved: 'no',
    arrange: async (home) => {
      await builtPaydesk(create({ amount: '1' }), home)
      rmSync(join(home, 'journal', 'journal.db'))
    },
    argv: () => create(),
  },
  { code: 2, name: 'usage', when: 'a flag does not exist', moneyMoved: 'no', argv: () => create({ nonsense: 'x' }) },
  { code: 2, name: 'usage', when: 'a value breaks a rule', moneyMoved: 'no', argv: () => create({ amount: '-1' }) },
  {
    code: 3,
    name: 'declined',
    when: '--confirm says another sum',
    moneyMoved: 'no',
    argv: () => create({ yes: null, confirm: 'GEL 1' }),
  },
  {
    code: 4,
    name: 'credentials',
    when: 'there is no profile',
    moneyMoved: 'no',
    argv: () => create({ profile: null }),
  },
  { code: 5, name: 'refused', when: 'the service refuses', moneyMoved: 'no', argv: () => create({ amount: '0.01' }) },
  {
    code: 6,
    name: 'not-found',
    when: 'the service knows no such payout',
    moneyMoved: 'no',
    argv: () => ['payout', 'get', '1', '-p', 'sandbox'],
  },
  {
    code: 7,
    name: 'duplicate',
    when: 'an id stands for another request',
    moneyMoved: 'unknown',
    arrange: (home) => paydesk(create({ 'unique-id': id }), { home }),
    argv: () => create({ 'unique-id': id, amount: '99' }),
  },
  {
    code: 8,
    name: 'pending',
    when: 'the payout is not final when the time is up',
    moneyMoved: 'unknown',
    argv: () => create({ wait: true, description: 'sandbox:insufficient-balance', timeout: '5s' }),
  },
  {
    code: 9,
    name: 'unknown',
    when: 'no definite answer came',
    moneyMoved: 'unknown',
    arrange: (home) => addFault(home, { at: 'after', kind: 'garbage', times: 99 }),
    argv: () => create(),
  },
  {
    code: 11,
    name: 'unsent',
    when: 'the service cannot be reached',
    moneyMoved: 'no',
    arrange: (home) => addHandProfile(home, 'http://127.0.0.1:1'),
    argv: () => create({ profile: 'hand' }),
  },
]

function checkStreams({ code, stdout, stderr }: Pick<Ended, 'code' | 'stdout' | 'stderr'>, name: string): void {
  if (code === 0 || code === 8) {
    expect(stdout.trim().split('\n'), 'one document').toHaveLength(1)
    expect(JSON.parse(stdout)).toBeTypeOf('object')
  } else {
    expect(stdout).toBe('')
  }
  if (code === 0) {
    expect(stderr).toBe('')
    return
  }
  expect(stderr.endsWith('\n')).toBe(true)
  expect(stderr.trimEnd().split('\n'), 'one line').toHaveLength(1)
  const line = JSON.parse(stderr) as { error: Record<string, unknown> }
  expect(Object.keys(line)).toEqual(['error'])
  expect(Object.keys(line.error)).toEqual(errorKeys)
  expect(line.error).toMatchObject({ name, exit: code, warnings: expect.any(Array), hints: expect.any(Array) })
  if (line.error.service !== null) {
    expect(Object.keys(line.error.service as object)).toEqual(['http', 'statusCode', 'exceptionGroup', 'message'])
  }
}

describe.each(cases)('$code ($name) when $when', ({ code, name, moneyMoved, arrange, argv, around }) => {
  test('is the same with --json, --output json and without', async () => {
    for (const form of [[], ['--json'], ['--output', 'json'], ['--output=ndjson']]) {
      const home = newHome()
      await arrange?.(home)
      const ended = await paydesk([...argv(home), ...form], { home, ...quick(), ...around })
      expect(ended.code, `${form}: ${ended.stderr}`).toBe(code)
      if (form.length > 0) {
        checkStreams(ended, name)
        if (moneyMoved !== undefined) expect(ended.error).toMatchObject({ moneyMoved })
      } else if (code !== 0) {
        expect(ended.stderr).toMatch(new RegExp(`^${name}: `, 'm'))
        expect(ended.stderr).not.toMatch(/^\s+at /m)
        if (code !== 8) expect(ended.stdout).toBe('')
      }
    }
  })
})

/** The ends that the program itself has a part in: a result, a defect, and what may have been executed. */
const everyDay = cases.filter(({ name }) => ['done', 'bug', 'unknown'].includes(name))

test.each(slice(cases, everyDay))('$code ($name) when $when, in the built program', async (each) => {
  const { code, name, arrange, argv } = each
  const home = newHome()
  await arrange?.(home)
  // At its own pace the program would wait and repeat for seconds.
  const given = argv(home)
  const at = given.indexOf('--timeout')
  const hasty = at < 0 ? [...given, '--timeout', '3s'] : given.with(at + 1, '3s')
  const ended = await builtPaydesk([...hasty, '--json'], home)
  expect(ended.code, ended.stderr).toBe(code)
  checkStreams({ ...ended, code }, name)
})

describe('12 (locked)', () => {
  test('when another run has the payment in flight; the first run is not disturbed', async () => {
    const home = newHome()
    await addFault(home, { at: 'before', kind: 'hang' })
    const argv = create({ 'unique-id': id, 'answer-timeout': '1500ms' })
    const first = paydesk([...argv, '--json'], { home, ...quick() })
    await until('the first is in flight', async () =>
      (await paydesk(['journal', 'list'], { home })).stdout.includes('unknown'),
    )
    for (const form of [[], ['--json']]) {
      const second = await paydesk([...argv, ...form], { home, ...quick() })
      expect(second).toMatchObject({ code: 12, stdout: '' })
      if (form.length > 0) {
        checkStreams(second, 'locked')
        expect(second.error).toMatchObject({ uniqueId: id, moneyMoved: 'unknown' })
      }
    }
    expect(await first).toMatchObject({ code: 0 })
    expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
  })
})

describe('130 and 143', () => {
  const signals = [
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
  ] as const

  describe.each(signals)('%s while a payout waits for its answer', (signal, code, name) => {
    test.each([{ form: [] }, { form: ['--json'] }])(
      'ends the built program with its code, the journal says unknown and stderr how to go on ($form)',
      async ({ form }) => {
        const home = newHome()
        await standingSandbox(home)
        await addFault(home, { at: 'after', kind: 'hang' })
        const { child, end } = startProcess([...create(), ...form], home)
        await until('the service executed it', async () => (await ledgerOf(home)).length === 1)
        child.kill(signal)
        const ended = await end
        expect(ended.code, ended.stderr).toBe(code)
        expect(ended.stdout).toBe('')
        const [intent] = await journalOf({ home })
        expect(intent?.state).toBe('unknown')
        expect(ended.stderr).toContain(`paydesk resume ${intent?.journalId}`)
        expect(ended.stderr).not.toMatch(/^\s+at /m)
        if (form.length > 0) {
          checkStreams({ ...ended, code }, name)
          expect(JSON.parse(ended.stderr)).toMatchObject({
            error: { moneyMoved: 'unknown', journalId: intent?.journalId },
          })
        }
        await clearFaults(home)
        const resumed = await builtPaydesk(['resume', '-p', 'sandbox', '--json'], home)
        expect(resumed.code, resumed.stderr).toBe(0)
        expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
      },
    )
  })

  test.each(signals)('%s at the sign-in ends with its code, and nothing was sent', async (signal, code, name) => {
    for (const form of [[], ['--json']]) {
      const home = newHome()
      let send: (signal: 'SIGINT' | 'SIGTERM') => void = () => undefined
      const service = await serviceByHand(({ path }) => {
        if (path === '/api/auth') setTimeout(() => send(signal), 50)
        return path === '/api/auth' ? 'hang' : undefined
      })
      await addHandProfile(home, service.url)
      const ended = await paydesk([...create({ profile: 'hand' }), ...form], {
        home,
        signals: (given) => {
          send = given
        },
      })
      expect(ended).toMatchObject({ code, stdout: '' })
      if (form.length > 0) {
        checkStreams(ended, name)
        expect(ended.error).toMatchObject({ moneyMoved: 'no' })
      }
      expect(service.creates).toEqual([])
      expect(await journalOf({ home })).toEqual([])
    }
  })

  describe.each(signals)('%s during a pause between repeats', (signal, code, name) => {
    test('leaves the payout unknown and names the resume', async () => {
      const home = newHome()
      await addFault(home, { at: 'after', kind: 'reset', times: 99 })
      let stop: (signal: 'SIGINT' | 'SIGTERM') => void = () => undefined
      const running = paydesk([...create(), '--json'], {
        home,
        random: { ...impatient, fraction: () => 0.99 },
        signals: (given) => {
          stop = given
        },
      })
      await until('the service executed it', async () => (await ledgerOf(home)).length === 1)
      setTimeout(() => stop(signal), 100)
      const ended = await running
      expect(ended.code, ended.stderr).toBe(code)
      checkStreams(ended, name)
      expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
      expect(String(ended.error.hints)).toContain(`paydesk resume ${ended.error.journalId}`)
    })
  })

  test.each(signals)('%s during payout wait ends the built program with its code', async (signal, code) => {
    const home = newHome()
    await standingSandbox(home)
    const made = await paydesk([...create({ description: 'sandbox:insufficient-balance' }), '--json'], { home })
    const { child, end } = startProcess(['payout', 'wait', String(made.json.transactionId), '-p', 'sandbox'], home)
    await until(
      'it waits',
      () =>
        new Promise((resolve) => {
          let seen = ''
          child.stderr?.on('data', (chunk) => {
            seen += chunk
            if (seen.includes('looking again')) resolve(true)
          })
        }),
    )
    child.kill(signal)
    const ended = await end
    expect(ended.code, ended.stderr).toBe(code)
    expect(ended.stdout).toBe('')
  })
})

test('^C in the moment in which the service accepts does not deny the payout: it is told as it is', async () => {
  const home = newHome()
  let stop: (signal: 'SIGINT') => void = () => undefined
  let stopped = false
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const clock = {
    ...realClock,
    // The first look at the clock after the answer has come.
    now: () => {
      if (service.creates.length > 0 && !stopped) stop('SIGINT')
      stopped ||= service.creates.length > 0
      return realClock.now()
    },
  }
  const ended = await paydesk([...create({ profile: 'hand' }), '--json'], {
    home,
    clock,
    signals: (given) => {
      stop = given
    },
  })
  const [entry] = await journalOf({ home })
  expect(entry?.state).toBe('accepted')
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.json).toMatchObject({ outcome: 'accepted', transactionId: '4711' })
})

test('help exit-codes names every code of the table', async () => {
  const ended = await builtPaydesk(['help', 'exit-codes'], newHome())
  expect(ended.code, ended.stderr).toBe(0)
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 130, 143])
    expect(ended.stdout).toMatch(new RegExp(`\\b${code}\\b`))
})

test('PAYDESK_HOME below a file is 11 in every command that needs the journal', async () => {
  const file = join(newHome(), 'file')
  writeFileSync(file, '')
  for (const argv of [
    create(),
    ['payout', 'balance', '-p', 'sandbox'],
    ['journal', 'list'],
    ['resume', '-p', 'sandbox'],
  ]) {
    const ended = await paydesk([...argv, '--json'], { home: join(file, 'home') })
    expect(ended.code, argv.join(' ')).toBe(11)
    checkStreams(ended, 'unsent')
  }
})

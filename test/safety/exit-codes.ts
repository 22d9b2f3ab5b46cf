/**
 * Every exit code of the program, in words and as JSON: the same code, one document or nothing on stdout, one error
 * line.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realClock } from '../../src/lib/edge.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create, journalOf } from '../kit/payment.ts'
import { builtPaydesk, start as startProcess } from '../kit/process.ts'
import { type Ended, newHome, paydesk, type Surroundings, succeeds } from '../kit/program.ts'
import { addHandProfile, type Reply, serviceByHand } from '../kit/service.ts'
import { until } from '../kit/tools.ts'
import { addFault, clearFaults, ledgerOf, standingSandbox } from '../kit/world.ts'

/** Processes of the built program, on a machine that may be busy with others. */
const patience = { timeout: 120_000 }

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'

const errorKeys = [
  ...['name', 'exit', 'message', 'operation', 'uniqueId', 'transactionId', 'status', 'journalId', 'service'],
  ...['moneyMoved', 'retry', 'warnings', 'hints'],
]

export interface Case {
  readonly code: number
  readonly name: string
  readonly when: string
  readonly moneyMoved?: string
  readonly arrange?: (home: string) => Promise<unknown>
  readonly argv: (home: string) => readonly string[]
  readonly around?: Partial<Surroundings>
}

/** The answer is lost; the repeat is turned away for longer than the program waits. */
const lost = (count: number): Reply =>
  count % 2 === 1 ? 'reset' : { status: 429, headers: { 'retry-after': '61' }, body: '' }

const quick = () => ({ clock: hurriedClock(), random: impatient })

export const cases: readonly Case[] = [
  { code: 0, name: 'done', when: 'payout create, accepted', argv: () => create() },
  {
    code: 1,
    name: 'bug',
    when: 'payout create, journal damaged',
    moneyMoved: 'no',
    arrange: async (home) => {
      // A process of its own: nothing of this one has the file open when it is removed.
      await builtPaydesk(create({ amount: '1' }), home)
      rmSync(join(home, 'journal', 'journal.db'))
    },
    argv: () => create(),
  },
  {
    code: 2,
    name: 'usage',
    when: 'payout create, unknown flag',
    moneyMoved: 'no',
    argv: () => create({ nonsense: 'x' }),
  },
  {
    code: 2,
    name: 'usage',
    when: 'payout create, negative amount',
    moneyMoved: 'no',
    argv: () => create({ amount: '-1' }),
  },
  {
    code: 3,
    name: 'declined',
    when: 'payout create, --confirm with another sum',
    moneyMoved: 'no',
    argv: () => create({ yes: null, confirm: 'GEL 1' }),
  },
  {
    code: 4,
    name: 'credentials',
    when: 'payout create, no profile',
    moneyMoved: 'no',
    argv: () => create({ profile: null }),
  },
  {
    code: 5,
    name: 'refused',
    when: 'payout create, refused by the service',
    moneyMoved: 'no',
    argv: () => create({ amount: '0.01' }),
  },
  {
    code: 6,
    name: 'not-found',
    when: 'payout get, no such payout',
    moneyMoved: 'no',
    argv: () => ['payout', 'get', '1', '-p', 'sandbox'],
  },
  {
    code: 7,
    name: 'duplicate',
    when: 'payout create, id of another payout',
    moneyMoved: 'unknown',
    arrange: (home) => paydesk(create({ 'unique-id': id }), { home }),
    argv: () => create({ 'unique-id': id, amount: '99' }),
  },
  {
    code: 8,
    name: 'pending',
    when: 'payout create --wait, not final in time',
    moneyMoved: 'unknown',
    argv: () => create({ wait: true, description: 'sandbox:insufficient-balance', timeout: '5s' }),
  },
  {
    code: 9,
    name: 'unknown',
    when: 'payout create, lost answer and then turned away',
    moneyMoved: 'unknown',
    arrange: async (home) => {
      const service = await serviceByHand(({ path }, count) => (path === '/api/distributor' ? lost(count) : undefined))
      await addHandProfile(home, service.url)
    },
    argv: () => create({ profile: 'hand' }),
  },
  {
    code: 11,
    name: 'unsent',
    when: 'payout create, service not reached',
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

const everyForm: readonly (readonly string[])[] = [[], ['--json'], ['--output', 'json'], ['--output=ndjson']]

function checkForm(ended: Ended, { code, name, moneyMoved }: Case, form: readonly string[]): void {
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

/** For the titles of their tests. */
const named = (chosen: readonly Case[]) => chosen.map((each) => [each.when, each.code, each.name, each] as const)

/** Each case in words and as JSON; these cases in every spelling of JSON. */
export function exitCodes(spelled: readonly string[]): void {
  test.each(named(cases))(
    '%s: %i (%s), one document or one error line, in words and as JSON',
    patience,
    async (_when, _code, _name, each) => {
      const home = newHome()
      await each.arrange?.(home)
      for (const form of spelled.includes(each.name) ? everyForm : everyForm.slice(0, 2)) {
        const ended = await paydesk([...each.argv(home), ...form], { home, ...quick(), ...each.around })
        checkForm(ended, each, form)
      }
    },
  )
}

/** The same of the built program, at its own pace. */
export function exitCodesOfProcesses(chosen: readonly Case[]): void {
  test.each(named(chosen))(
    '%s: %i (%s) of the built program, with one document or one error line',
    patience,
    async (_when, _code, _name, each) => {
      const { code, name, arrange, argv } = each
      const home = newHome()
      await arrange?.(home)
      const ended = await builtPaydesk([...argv(home), '--json'], home)
      expect(ended.code, ended.stderr).toBe(code)
      checkStreams({ ...ended, code }, name)
    },
  )
}

const signals = { SIGINT: [130, 'interrupted'], SIGTERM: [143, 'terminated'] } as const
type Signal = keyof typeof signals
type Form = 'in words' | '--json'

const flagsOf = (form: Form) => (form === '--json' ? [form] : [])

export function signalsInFlight(chosen: readonly (readonly [Signal, Form])[]): void {
  test.each(chosen)(
    'payout create, %s while its answer is awaited (%s): its code, unknown, and the line names the resume',
    patience,
    async (signal, form) => {
      const [code, name] = signals[signal]
      const home = newHome()
      await standingSandbox(home)
      await addFault(home, { at: 'after', kind: 'hang' })
      const { child, end } = startProcess([...create(), ...flagsOf(form)], home)
      await until('the service executed it', async () => (await ledgerOf(home)).length === 1)
      child.kill(signal)
      const ended = await end
      expect(ended.code, ended.stderr).toBe(code)
      expect(ended.stdout).toBe('')
      const [intent] = await journalOf({ home })
      expect(intent?.state).toBe('unknown')
      expect(ended.stderr).toContain(`paydesk resume ${intent?.journalId}`)
      expect(ended.stderr).not.toMatch(/^\s+at /m)
      if (form === '--json') {
        checkStreams({ ...ended, code }, name)
        expect(JSON.parse(ended.stderr)).toMatchObject({
          error: { moneyMoved: 'unknown', journalId: intent?.journalId },
        })
      }
      await clearFaults(home)
      await succeeds(paydesk(['resume', '-p', 'sandbox', '--json'], { home, ...quick() }))
      expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
    },
  )
}

export function signalsInWait(chosen: readonly Signal[]): void {
  test.each(chosen)(
    'payout wait, %s between two reads: the built program ends with its code',
    patience,
    async (signal) => {
      const home = newHome()
      await standingSandbox(home)
      const made = await paydesk([...create({ description: 'sandbox:insufficient-balance' }), '--json'], { home })
      const { child, end } = startProcess(['payout', 'wait', String(made.json.transactionId), '-p', 'sandbox'], home)
      let seen = ''
      child.stderr?.on('data', (chunk) => {
        seen += chunk
      })
      await until('it waits', () => seen.includes('waiting until'))
      child.kill(signal)
      const ended = await end
      expect(ended.code, ended.stderr).toBe(signals[signal][0])
      expect(ended.stdout).toBe('')
    },
  )
}

export function exitCodesInThisProcess(): void {
  test('payout create, another run has it in flight: locked (12), and the first run is accepted once', async () => {
    const home = newHome()
    let answer = () => undefined as unknown
    const service = await serviceByHand(async ({ path }) => {
      if (path === '/api/distributor') {
        await new Promise<void>((resolve) => {
          answer = resolve
        })
      }
      return undefined
    })
    await addHandProfile(home, service.url)
    const argv = create({ profile: 'hand', 'unique-id': id })
    const first = paydesk([...argv, '--json'], { home, ...quick() })
    await until('the first is in flight', () => service.creates.length === 1)
    for (const form of [[], ['--json']]) {
      const second = await paydesk([...argv, ...form], { home, ...quick() })
      expect(second).toMatchObject({ code: 12, stdout: '' })
      if (form.length > 0) {
        checkStreams(second, 'locked')
        expect(second.error).toMatchObject({ uniqueId: id, moneyMoved: 'unknown' })
      }
    }
    answer()
    expect(await first).toMatchObject({ code: 0 })
    expect(service.creates).toHaveLength(1)
  })

  const everySignal = Object.entries(signals) as [Signal, (typeof signals)[Signal]][]

  test.each(everySignal)('payout create, %s at the sign-in: its code, nothing sent', async (signal, [code, name]) => {
    const home = newHome()
    let send: (signal: Signal) => void = () => undefined
    const service = await serviceByHand(({ path }) => {
      if (path === '/api/auth') send(signal)
      return path === '/api/auth' ? 'hang' : undefined
    })
    await addHandProfile(home, service.url)
    for (const form of [[], ['--json']]) {
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
    }
    expect(service.creates).toEqual([])
    expect(await journalOf({ home })).toEqual([])
  })

  test.each(everySignal)(
    'payout create, %s in a pause between repeats: its code, unknown, and the line names the resume',
    async (signal, [code, name]) => {
      const home = newHome()
      await addFault(home, { at: 'after', kind: 'reset', times: 99 })
      let stop: (signal: Signal) => void = () => undefined
      const ended = await paydesk([...create(), '--json'], {
        home,
        random: { ...impatient, fraction: () => 0.99 },
        clock: {
          ...realClock,
          sleep: (milliseconds, over) => {
            const pause = realClock.sleep(milliseconds, over)
            stop(signal)
            return pause
          },
        },
        signals: (given) => {
          stop = given
        },
      })
      expect(ended.code, ended.stderr).toBe(code)
      checkStreams(ended, name)
      expect(ended.error).toMatchObject({ moneyMoved: 'unknown' })
      expect(String(ended.error.hints)).toContain(`paydesk resume ${ended.error.journalId}`)
      expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
    },
  )

  test('payout create, SIGINT in the moment of its acceptance: accepted (0), as the journal says', async () => {
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
}

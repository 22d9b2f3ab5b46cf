/** The journal alone knows the payments of earlier runs. */
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create } from '../kit/payment.ts'
import { start } from '../kit/process.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import { addHandProfile, broken, handDesk, handOrder, type Reply, serviceByHand } from '../kit/service.ts'

interface Place {
  readonly home: string
  readonly journal: string
}

const files = ['', '-wal', '-shm']

/** The hindrance of the reading, and its exit code. */
const hindrances: Readonly<Record<string, readonly [number, (place: Place) => void]>> = {
  garbage: [
    1,
    ({ journal }) => {
      for (const end of files.slice(1)) rmSync(`${journal}${end}`, { force: true })
      writeFileSync(journal, 'this is no journal'.repeat(1000), { mode: 0o600 })
    },
  ],
  'deleted, its mark kept': [
    1,
    ({ journal }) => {
      for (const end of files) rmSync(`${journal}${end}`, { force: true })
    },
  ],
  'an older copy': [
    1,
    ({ home, journal }) => {
      for (const end of files) rmSync(`${journal}${end}`, { force: true })
      cpSync(join(home, 'older'), journal)
    },
  ],
  'a directory': [
    11,
    ({ journal }) => {
      for (const end of files) rmSync(`${journal}${end}`, { force: true })
      mkdirSync(journal)
    },
  ],
  'a link': [
    4,
    ({ journal }) => {
      renameSync(journal, `${journal}.moved`)
      symlinkSync(`${journal}.moved`, journal)
    },
  ],
  'a home that others may write': [4, ({ home }) => chmodSync(home, 0o777)],
  'a configuration that others may write': [4, ({ home }) => chmodSync(join(home, 'config', 'config.json'), 0o666)],
}

const run = (argv: readonly string[], home: string) => paydesk(argv, { home, clock: hurriedClock(), random: impatient })

async function paid(): Promise<Place> {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const journal = join(home, 'journal', 'journal.db')
  await run(['journal', 'list'], home)
  cpSync(journal, join(home, 'older'))
  await succeeds(run([...create({ profile: 'hand', key: 'k-1' }), '--json'], home))
  return { home, journal }
}

const commands: Readonly<Record<string, readonly string[]>> = {
  'payout create --key': create({ profile: 'hand', key: 'k-1' }),
  'payout get': ['payout', 'get', 'k-1', '-p', 'hand'],
  'payout wait': ['payout', 'wait', '4711', '-p', 'hand'],
  'payout reconcile': ['payout', 'reconcile', 'k-1', '--transaction-id', '4711', '-p', 'hand'],
  resume: ['resume'],
  'resume of one': ['resume', 'k-1'],
  'resume --all': ['resume', '--all'],
  'order status': ['order', 'status', '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11', '-p', 'hand'],
  'wallet details': ['wallet', 'details', 'k-1', '-p', 'hand'],
  'wallet finalize': ['wallet', 'finalize', '--key', 'k-1', '--amount', '5', '--final-status', 'SUCCESS', '--yes'],
}

function errorOf(stderr: string): Record<string, unknown> {
  return (JSON.parse(stderr) as { error: Record<string, unknown> }).error
}

/** So many commands for each hindrance, others for each; all of them if it is as many as there are. */
export function unreadableJournal(commandsEach: number): void {
  const named = Object.entries(commands)
  const cases = Object.entries(hindrances).map(([what, [exit, hinder]], at) => {
    const chosen = Array.from({ length: commandsEach }, (_, next) => named[(at * 3 + next) % named.length] ?? [])
    return [what, exit, hinder, chosen] as const
  })

  test.each(cases)(
    'journal unreadable (%s): commands about an earlier payout end with moneyMoved unknown, a new payout with no (%i)',
    { timeout: 60_000 }, // Many commands of this process.
    async (_what, exit, hinder, chosen) => {
      const place = await paid()
      hinder(place)
      for (const [name, argv = []] of chosen) {
        const { code, stderr } = await run([...argv, '--json'], place.home)
        // A profile without wallet or orders is told so, whatever the journal is.
        expect([exit, 4], `${name}: ${stderr}`).toContain(code)
        const { moneyMoved, retry, message } = errorOf(stderr)
        expect(moneyMoved, `${name}: ${stderr}`).toBe('unknown')
        expect(retry, `${name}: ${stderr}`).not.toBe('same-id')
        expect(message).not.toMatch(/nothing was sent(?! by this run)/)
      }
      // Its id is made in this run.
      const { code, stderr } = await run([...create({ profile: 'hand' }), '--json'], place.home)
      expect(code, stderr).toBe(exit)
      expect(errorOf(stderr).moneyMoved).toBe('no')
    },
  )
}

const early = ['payout reconcile', 'resume --all', 'payout wait', 'payout create --key', 'payout get']

/** Each command is stopped at these moments, in milliseconds since Node began to run it; `share`: at one in so many of them. */
export function signalsAtTheStart(moments: readonly number[], share = 1): void {
  const preload = join(import.meta.dirname, 'signal-after.cjs')
  test.each(early)(
    '%s of a payout whose answer was lost, SIGINT or SIGTERM while the program starts: unknown at every moment',
    { timeout: 120_000 }, // Processes of the built program, on a machine that may be busy with others.
    async (name) => {
      const home = newHome()
      let isSilent = false
      const service = await serviceByHand(({ path }): Reply | undefined => {
        if (path === '/api/auth') return undefined
        return isSilent ? 'hang' : 'reset'
      })
      await addHandProfile(home, service.url)
      const lost = await run([...create({ profile: 'hand', key: 'k-1' }), '--json'], home)
      expect(lost.code, lost.stderr).toBe(9)
      isSilent = true
      for (const [at, after] of moments.entries()) {
        if (at % share !== early.indexOf(name) % share) continue
        const signal = { SIGNAL_NAME: at % 2 === 0 ? 'SIGINT' : 'SIGTERM', SIGNAL_AFTER: String(after) }
        const env = { ...signal, NODE_OPTIONS: `--require ${preload}` }
        const { code, stderr } = await start([...(commands[name] ?? []), '--json'], home, env).end
        // Nothing of paydesk had run yet.
        if (code === null && stderr === '') continue
        const { moneyMoved, message } = errorOf(stderr)
        expect(moneyMoved, `${after} ms: ${stderr}`).toBe('unknown')
        expect(message).not.toContain('before anything was sent')
      }
    },
  )
}

export function journalLostInFlight(): void {
  const order = { integratorOrderId: handOrder }
  const writes = {
    'order.refund': [
      ['order', 'refund', handOrder, '--amount', '5', '--key', 'r'],
      { ...order, status: 'REFUND_REQUESTED' },
    ],
    'order.complete': [['order', 'complete', handOrder, '--amount', '5'], { ...order, status: 'SUCCESS' }],
    'order.cancel': [['order', 'cancel', handOrder], { ...order, status: 'CANCELED' }],
    'wallet.finalize': [
      ['wallet', 'finalize', '--unique-id', handOrder, '--amount', '25', '--final-status', 'SUCCESS'],
      { uniqueId: handOrder, status: 'SUCCESS' },
    ],
  } as const

  test.each(Object.entries(writes))(
    '%s, journal overwritten while the request is at the service: accepted or unknown (9), never unsent',
    async (operation, [argv, done]) => {
      for (const said of [{ value: done }, { plain: 'reset' }] as const) {
        const desk = await handDesk(({ name }) => {
          if (name !== operation) return broken
          const journal = join(desk.home, 'journal', 'journal.db')
          for (const end of files) writeFileSync(`${journal}${end}`, 'this is no journal'.repeat(1000), { mode: 0o600 })
          return said
        })
        const ended = await desk.run(...argv, '--yes')
        const moneyMoved = 'value' in said ? 'yes' : 'unknown'
        expect(ended, ended.stderr).toMatchObject({ code: 9, stdout: '', error: { moneyMoved } })
        expect(ended.error.message).not.toContain('nothing was sent')
        expect(ended.error.message).toContain('the journal could not record that')
        expect(desk.count(operation)).toBe(1)
      }
    },
  )
}

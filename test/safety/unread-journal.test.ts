/**
 * Payments of an earlier run are known to the journal alone. Where it cannot be read, or was not read yet, nothing is said to
 * be unmoved: after a payout that was accepted under a key.
 */
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { builtPaydesk, start } from '../kit/program/built-paydesk.ts'
import { everydayPaydesk } from '../kit/program/everyday.ts'
import { newHome } from '../kit/program/paydesk.ts'
import { turn } from '../kit/run/whole.ts'
import { broken, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'

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

async function paid(): Promise<Place> {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  const journal = join(home, 'journal', 'journal.db')
  await everydayPaydesk(['journal', 'list'], home)
  cpSync(journal, join(home, 'older'))
  const made = await everydayPaydesk([...create({ profile: 'hand', key: 'k-1' }), '--json'], home)
  expect(made.code, made.stderr).toBe(0)
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

describe.each(Object.entries(hindrances))('the journal cannot be read: %s', (_what, [exit, hinder]) => {
  test('no command about a payment of an earlier run says that nothing moved', { timeout: 60_000 }, async () => {
    const place = await paid()
    hinder(place)
    for (const [name, argv] of Object.entries(commands)) {
      const { code, stderr } = await everydayPaydesk([...argv, '--json'], place.home)
      // A profile without wallet or orders is told so, whatever the journal is.
      expect([exit, 4], `${name}: ${stderr}`).toContain(code)
      const { moneyMoved, retry, message } = errorOf(stderr)
      expect(moneyMoved, `${name}: ${stderr}`).toBe('unknown')
      expect(retry, `${name}: ${stderr}`).not.toBe('same-id')
      expect(message).not.toMatch(/nothing was sent(?! by this run)/)
    }
  })

  test('a new payout, whose id is made in this run, did not move', async () => {
    const place = await paid()
    hinder(place)
    const { code, stderr } = await everydayPaydesk([...create({ profile: 'hand' }), '--json'], place.home)
    expect(code, stderr).toBe(exit)
    expect(errorOf(stderr).moneyMoved).toBe('no')
  })
})

/** Milliseconds after the start; every day a part of them. */
const moments = Array.from({ length: 12 }, (_, number) => 40 * (number + 1))

const early = ['payout reconcile', 'resume --all', 'payout wait', 'payout create --key', 'payout get']

describe('^C and SIGTERM while the program starts', () => {
  test.each(early)('%s says at no moment that nothing moved', { timeout: 60_000 }, async (name) => {
    const home = newHome()
    const service = await serviceByHand(({ path }) => (path === '/api/auth' ? undefined : 'hang'))
    await addHandProfile(home, service.url)
    const lost = [...create({ profile: 'hand', key: 'k-1', timeout: '2s', 'answer-timeout': '300ms' }), '--json']
    expect((await builtPaydesk(lost, home)).code).toBe(9)
    for (const at of turn(moments, 3, early.indexOf(name), 2)) {
      const { child, end } = start([...(commands[name] ?? []), '--json'], home)
      await wait(at)
      child.kill(at % 80 === 0 ? 'SIGINT' : 'SIGTERM')
      const { code, stderr } = await end
      // Node itself was not up yet: nothing of paydesk had run.
      if (code === null && stderr === '') continue
      const { moneyMoved, message } = errorOf(stderr)
      expect(moneyMoved, `${at} ms: ${stderr}`).toBe('unknown')
      expect(message).not.toContain('before anything was sent')
    }
  })
})

describe('a journal that becomes unreadable while the request is at the service', () => {
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
    'leaves %s accepted or unknown, and never unsent',
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
})

/** Findings of a hostile reading of the journal's rules, told as they must be. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { journalOf } from '../kit/journal.ts'
import { cachedPairs } from '../kit/key-pairs.ts'
import { branch, order, paidOrder, play, wholeLedger } from '../kit/order.ts'
import { hurriedClock } from '../kit/program/hurried.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addFault, clearFaults, inSandbox, standingSandbox } from '../kit/world.ts'

vi.setConfig({ testTimeout: 60_000 })

const flags = ['-p', 'sandbox', '--yes', '--json'] as const
const day = 24 * 60 * 60_000

function begin() {
  return { home: newHome(), clock: hurriedClock(), random: { ...cachedPairs, fraction: () => 0 } }
}

type Around = ReturnType<typeof begin>

const refund = (id: string, ...more: readonly string[]) => ['order', 'refund', id, '--amount', '5', ...more, ...flags]

async function refundsOf({ home, clock }: Around, id: string) {
  const { orders } = await wholeLedger(home, clock)
  return orders.find(({ integratorOrderId }) => integratorOrderId === id)?.refunds
}

async function walletOrder(around: Around, key: string): Promise<string> {
  const { qrAddresses } = await inSandbox(around.home, (sandbox) => sandbox.wholeWorld())
  const uri = qrAddresses.find(({ amount }) => amount === null)?.uri ?? ''
  const made = await paydesk(['wallet', 'create', '--uri', uri, '--key', key, ...flags], around)
  expect(made.code, made.stderr).toBe(0)
  return String(made.json.uniqueId)
}

const finalize = (key: string, amount: string) => {
  return ['wallet', 'finalize', '--key', key, '--amount', amount, '--final-status', 'SUCCESS', ...flags]
}

test('resume by an id that a creation and its finalization share means the open one', async () => {
  const around = begin()
  const id = await walletOrder(around, 'w')
  await addFault(around.home, { op: 'wallet.finalize', at: 'after', kind: 'hang', times: 9 })
  await addFault(around.home, { op: 'wallet.details', at: 'before', kind: 'html502', times: 99 })
  const lost = await paydesk([...finalize('w', '25'), '--timeout', '2s', '--answer-timeout', '300ms'], around)
  expect(lost.code, lost.stderr).toBe(9)
  await clearFaults(around.home)
  const resumed = await paydesk(['resume', id, '-p', 'sandbox', '--json'], around)
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(resumed.json).toMatchObject({ operation: 'wallet.finalize' })
  expect((await paydesk(['journal', 'show', id, '--json'], around)).json).toBeDefined()
})

describe('while a refund is unknown', () => {
  async function unknownRefund(around: Around): Promise<string> {
    const id = await paidOrder(around)
    await addFault(around.home, { op: 'order.refund', at: 'after', kind: 'reset' })
    expect((await paydesk(refund(id), around)).code).toBe(9)
    await inSandbox(around.home, (sandbox) => sandbox.moveClock((now) => now + 60_000), around.clock)
    return id
  }

  test('a second one of the same sum is not sent under a key either, and the way on is named', async () => {
    const around = begin()
    const id = await unknownRefund(around)
    const second = await paydesk(refund(id, '--key', 'another'), around)
    expect([second.code, await refundsOf(around, id)]).toEqual([7, 1])
    expect(String(second.error.hints)).toContain('paydesk resume j-')
  })

  test('nor after a day', async () => {
    const around = begin()
    const id = await unknownRefund(around)
    around.clock.skip(2 * day)
    expect([(await paydesk(refund(id), around)).code, await refundsOf(around, id)]).toEqual([7, 1])
    const [open] = await journalOf(around)
    const journalId = open?.journalId ?? ''
    const resumed = await paydesk(['resume', journalId, '-p', 'sandbox', '--json'], around)
    expect(resumed.code, 'reading what the service shows needs no consent').toBe(9)
  })
})

test.each([
  ['its command', (id: string) => refund(id, '--key', 'first'), 'the same was sent before'],
  ['resume', (_id: string, journalId: string) => ['resume', journalId, ...flags], 'the same was sent before'],
  // The other one is told.
  ['resume --all', () => ['resume', '--all', ...flags], 'its outcome is still unknown'],
] as const)(
  'a refund that was turned away is not sent by %s while another of the same sum is unknown',
  async (_, again, told) => {
    const around = begin()
    const id = await paidOrder(around)
    await addFault(around.home, { op: 'order.refund', at: 'before', kind: '429', times: 99 })
    const first = await paydesk(refund(id, '--key', 'first', '--timeout', '2s'), around)
    expect(first.code, first.stderr).toBe(5)
    await clearFaults(around.home)
    await addFault(around.home, { op: 'order.refund', at: 'after', kind: 'reset' })
    expect((await paydesk(refund(id, '--key', 'second'), around)).code).toBe(9)
    await clearFaults(around.home)
    await inSandbox(around.home, (sandbox) => sandbox.moveClock((now) => now + 60_000), around.clock)
    const ended = await paydesk(again(id, String(first.error.journalId)), around)
    expect(await refundsOf(around, id), ended.stderr).toBe(1)
    expect([7, 9]).toContain(ended.code)
    expect(ended.error.message).toContain(told)
  },
)

test('a key protects a refund whatever prefix the address of the service is written with', async () => {
  const around = begin()
  const { url } = await standingSandbox(around.home)
  const id = await paidOrder(around)
  const { integrators } = await inSandbox(around.home, (sandbox) => sandbox.wholeWorld())
  const mine = integrators.find(({ name }) => name === 'sandbox')
  if (!mine) throw new Error('the sandbox has no integrator')
  const { writeFileSync } = await import('node:fs')
  const [service, own] = [join(around.home, 'service.pub'), join(around.home, 'own.key')]
  writeFileSync(service, mine.servicePublicKey)
  writeFileSync(own, mine.privateKey, { mode: 0o600 })
  const keys = ['--environment', 'test', '--integrator-id', mine.integratorId, '--service-public-key', service]
  for (const [name, address] of [
    ['plain', url],
    ['prefixed', `${url}/ecommerce-service`],
  ]) {
    const argv = ['profile', 'add', String(name), '--base-url', String(address), ...keys, '--private-key', own]
    const added = await paydesk(argv, around)
    expect(added.code, added.stderr).toBe(0)
  }
  const as = (profile: string) => [
    'order',
    'refund',
    id,
    '--amount',
    '5',
    '--key',
    'r1',
    '-p',
    profile,
    '--yes',
    '--json',
  ]
  expect((await paydesk(as('plain'), around)).code).toBe(0)
  const again = await paydesk(as('prefixed'), around)
  expect([again.code, again.json.replayed, await refundsOf(around, id)]).toEqual([0, true, 1])
})

describe('a charge that was sent before', () => {
  const charge = (id: string) => [
    ...['order', 'create', '--amount', '6.5', '--receiver-id', branch, '--card-from-order', id, '--key', 'c'],
    ...flags,
  ]

  test('is told from the journal, even if the card cannot be read any more', async () => {
    const around = begin()
    const id = await paidOrder(around, '--save-card', '--direct-link-provider', 'BOG')
    expect((await paydesk(charge(id), around)).code).toBe(0)
    await addFault(around.home, { op: 'card.get', at: 'before', kind: 'html502', times: 99 })
    const again = await paydesk(charge(id), around)
    expect([again.code, again.json.replayed]).toEqual([0, true])
  })

  test('stays unknown while it is, and is resolved by its status', async () => {
    const around = begin()
    const id = await paidOrder(around, '--save-card', '--direct-link-provider', 'BOG')
    await addFault(around.home, { op: 'order.create', at: 'after', kind: 'reset' })
    await addFault(around.home, { op: 'order.status', at: 'before', kind: 'html502', times: 99 })
    await addFault(around.home, { op: 'card.get', at: 'before', nth: 2, kind: 'html502', times: 99 })
    expect((await paydesk(charge(id), around)).code).toBe(9)
    const again = await paydesk(charge(id), around)
    expect(again.code).toBe(9)
    expect(again.error).toMatchObject({ operation: 'order.create', moneyMoved: 'unknown' })
    await clearFaults(around.home)
    expect((await paydesk(charge(id), around)).code).toBe(0)
  })

  test('and was declined is not told as paid', async () => {
    const around = begin()
    const id = String(
      (await paydesk(order('--save-card', '--direct-link-provider', 'BOG'), around)).json.integratorOrderId,
    )
    await play(around.home, { what: 'paid', order: id, card: 'declined-when-saved' }, around.clock)
    await addFault(around.home, { op: 'order.create', at: 'after', kind: 'reset' })
    const told = await paydesk(charge(id), around)
    expect(told, told.stdout).toMatchObject({ code: 5, stdout: '', error: { moneyMoved: 'no', status: 'FAILED' } })
    expect(told.error.message).toContain('the order ended in FAILED')
  })
})

test('a finalize that was turned away did not happen: another machine’s is a conflict', async () => {
  const around = begin()
  await walletOrder(around, 't')
  const copy = join(around.home, 'copy')
  cpSync(join(around.home, 'journal'), copy, { recursive: true })
  expect((await paydesk(finalize('t', '5'), around)).code).toBe(0)
  rmSync(join(around.home, 'journal'), { recursive: true })
  cpSync(copy, join(around.home, 'journal'), { recursive: true })
  await addFault(around.home, { op: 'wallet.finalize', at: 'before', kind: '429' })
  expect((await paydesk(finalize('t', '7'), around)).code).toBe(7)
})

test('a finalize that was lost is not told as executed where another machine finalized another sum', async () => {
  const around = begin()
  const { home } = around
  await walletOrder(around, 'o')
  const [journal, fresh, lost] = ['journal', 'fresh', 'lost'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ]
  const swap = (from: string) => {
    rmSync(journal, { recursive: true })
    cpSync(from, journal, { recursive: true })
  }
  cpSync(journal, fresh, { recursive: true })
  await addFault(home, { op: 'wallet.finalize', at: 'before', kind: 'reset', times: 9 })
  await addFault(home, { op: 'wallet.details', at: 'before', kind: 'html502', times: 99 })
  expect((await paydesk(finalize('o', '7'), around)).code).toBe(9)
  await clearFaults(home)
  cpSync(journal, lost, { recursive: true })
  swap(fresh)
  expect((await paydesk(finalize('o', '5'), around)).code).toBe(0)
  swap(lost)
  const again = await paydesk(finalize('o', '7'), around)
  expect(again.code, again.stderr).toBe(9)
  expect(again.error).toMatchObject({ moneyMoved: 'unknown' })
  expect(String(again.error.message)).toContain('amount is 5.00, not 7.00')
  expect(String(again.error.hints)).toContain('--settle executed|refused')
})

test('a repeat gets its receipt after its --valid-until has passed', async () => {
  const around = begin()
  const until = new Date(around.clock.now() + 10 * 60_000).toISOString()
  const argv = order('--key', 'v', '--valid-until', until)
  expect((await paydesk(argv, around)).code).toBe(0)
  around.clock.skip(20 * 60_000)
  const again = await paydesk(argv, around)
  expect([again.code, again.json.replayed], again.stderr).toEqual([0, true])
})

test('a repeat of a wallet create says what became of the order since', async () => {
  const around = begin()
  const id = await walletOrder(around, 'k')
  expect((await paydesk(['wallet', 'cancel', id, ...flags], around)).code).toBe(0)
  const { qrAddresses } = await inSandbox(around.home, (sandbox) => sandbox.wholeWorld())
  const uri = qrAddresses.find(({ amount }) => amount === null)?.uri ?? ''
  const again = await paydesk(['wallet', 'create', '--uri', uri, '--key', 'k', ...flags], around)
  expect(String(again.json.warnings)).toContain('it was deleted since')
})

test('a token that is pasted where its file belongs is not shown', async () => {
  const around = begin()
  const token = '454d428e-4419-4cee-aa68-eae36cc82c81'
  const ended = await paydesk(order('--card-token-file', token), around)
  expect(ended.code).toBe(2)
  expect(ended.stderr + ended.stdout).not.toContain(token)
})

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { fromMinorUnits, JsonNumber, minorUnits } from '../../../src/lib/contract/core/decimal.ts'
import { hasGeorgianPattern, hasValidCheckDigits } from '../../../src/lib/contract/core/iban.ts'
import { realClock } from '../../../src/lib/edge.ts'
import { readJson, writeJson } from '../../../src/lib/json.ts'
import { openStore } from '../../../src/lib/store/engine/sqlite.ts'
import type { Schema } from '../../../src/lib/store/engine/store.ts'
import { type SandboxTables, sandboxSchema } from '../../../src/lib/store/sandbox/schema.ts'
import { callers, payout, toIban } from '../../kit/sandbox/callers.ts'
import { integratorNamed } from '../../kit/sandbox/integrator.ts'
import { fileSandbox, freshDirectory, handClock, memorySandbox, served } from '../../kit/sandbox/stand.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('the world names all that a client needs, ids and IBANs valid', async () => {
  const world = await (await memorySandbox()).world()
  expect(world.worldId).toMatch(uuid4)
  expect(world.distributorClients.map(({ name, paysOutBy }) => [name, paysOutBy])).toEqual([
    ['sandbox', 'iban'],
    ['sandbox-receiver', 'receiver'],
    ['sandbox-full', 'iban'],
    ['sandbox-poor', 'iban'],
  ])
  expect(world.receivers.map(({ receiverType }) => receiverType)).toEqual(['BRANCH', 'USER'])
  for (const id of [
    ...world.distributorClients.map(({ clientId }) => clientId),
    ...world.receivers.map(({ receiverId }) => receiverId),
  ]) {
    expect(id).toMatch(uuid4)
  }
  const ibans = world.distributorClients.flatMap(({ accounts }) => accounts.map(({ iban }) => iban))
  expect(new Set(ibans).size).toBe(14)
  for (const iban of ibans) expect([iban, hasGeorgianPattern(iban) && hasValidCheckDigits(iban)]).toEqual([iban, true])
})

test('ids stay from world to world; its name and the secrets are new', async () => {
  const sandbox = await memorySandbox()
  const before = await sandbox.world()
  const { byIban } = await callers(sandbox)
  await byIban.create(toIban())
  await sandbox.reset()
  const after = await sandbox.world()
  const ids = (world: typeof after) => world.distributorClients.map(({ clientId }) => clientId)
  const secrets = (world: typeof after) => world.distributorClients.map(({ clientSecret }) => clientSecret)
  expect(ids(after)).toEqual(ids(before))
  expect(after.worldId).not.toBe(before.worldId)
  expect(new Set([...secrets(before), ...secrets(after)]).size).toBe(8)
  expect((await sandbox.ledger()).payouts).toEqual([])
  expect(String(after.distributorClients[0]?.accounts[0]?.balance)).toBe('1000000.00')
})

test('a sandbox that is opened again is the same world with the same payouts', async () => {
  const directory = freshDirectory()
  const first = await fileSandbox(directory)
  const { byIban } = await callers(first)
  await byIban.create(toIban())
  const world = await first.world()
  await first.close()
  const second = await fileSandbox(directory)
  expect(writeJson(await second.world())).toBe(writeJson(world))
  expect((await second.ledger()).payouts).toHaveLength(1)
})

test('the store, which holds secrets, is readable by its owner only', async () => {
  const directory = freshDirectory()
  await fileSandbox(directory)
  expect(statSync(join(directory, 'sandbox.db')).mode & 0o777).toBe(0o600)
})

const step = fc.oneof(
  fc.record({
    kind: fc.constant<'create'>('create'),
    units: fc.integer({ min: 1, max: 12_000_000 }),
    currency: fc.constantFrom('GEL', 'USD', 'EUR'),
    description: fc.constantFrom(
      'Invoice',
      'sandbox:failed',
      'sandbox:rejected',
      'sandbox:deleted',
      'sandbox:insufficient-balance',
    ),
    by: fc.constantFrom<'byIban' | 'byReceiver'>('byIban', 'byReceiver'),
    second: fc.boolean(),
    again: fc.boolean(),
  }),
  fc.record({ kind: fc.constant<'wait'>('wait'), milliseconds: fc.integer({ min: 0, max: 4000 }) }),
)

test('a balance is always the opening balance less what was executed plus what came back, and never below zero', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const clock = handClock()
      const sandbox = await memorySandbox(clock)
      const at = await callers(sandbox)
      const opening = openingOf(await sandbox.world())
      let uniqueId = randomUUID()
      const accountOf = new Map<string, string>()
      for (const each of steps) {
        if (each.kind === 'wait') {
          clock.forward(each.milliseconds)
          continue
        }
        if (!each.again) uniqueId = randomUUID()
        const caller = at[each.by]
        const to =
          each.by === 'byIban'
            ? toIban()
            : payout({
                receiverId: at.user.receiverId,
                receiverType: 'USER',
                ...(each.second ? { fromIban: 'GE18SB1000000000000014' } : {}),
              })
        const { currency, description } = each
        const created = await caller.create({
          ...to,
          amount: new JsonNumber(fromMinorUnits(BigInt(each.units))),
          currency,
          description,
          uniqueId,
        })
        if (created.http !== 200) continue
        const main = caller.client.accounts.find((account) => account.main && account.currency === currency)
        accountOf.set(
          String(created.value.transactionId),
          each.by === 'byReceiver' && each.second ? 'GE18SB1000000000000014' : (main?.iban ?? ''),
        )
      }
      const { payouts } = await sandbox.ledger()
      const expected = new Map(opening)
      for (const each of payouts) {
        const iban = accountOf.get(each.transactionId) ?? ''
        const units = minorUnits(each.amount.text) ?? 0n
        const commission = each.clientId === at.byIban.client.clientId ? (units * 5n + 999n) / 1000n : 0n
        const isBack = ['FAILED', 'REJECTED', 'DELETED'].includes(each.status)
        if (each.executions === 1 && !isBack) expected.set(iban, (expected.get(iban) ?? 0n) - units - commission)
      }
      const actual = openingOf(await sandbox.world())
      expect(actual).toEqual(expected)
      expect([...actual.values()].every((units) => units >= 0n)).toBe(true)
      expect(new Set(payouts.map((each) => `${each.clientId} ${each.uniqueId}`)).size).toBe(payouts.length)
    }),
    { numRuns: 60 },
  )
})

function openingOf(world: {
  distributorClients: readonly { accounts: readonly { iban: string; balance: JsonNumber }[] }[]
}): Map<string, bigint> {
  return new Map(
    world.distributorClients.flatMap(({ accounts }) =>
      accounts.map(({ iban, balance }) => [iban, minorUnits(balance.text) ?? -1n] as const),
    ),
  )
}

test('twenty creates at once through two sandboxes cannot overdraw an account', async () => {
  const directory = freshDirectory()
  const pair = [await fileSandbox(directory), await fileSandbox(directory)]
  const desks = await Promise.all(pair.map((sandbox) => callers(sandbox)))
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => desks[at % 2]?.byIban.create(toIban({ amount: 100000, currency: 'USD' }))),
  )
  expect(answers.filter((answer) => answer?.http === 200)).toHaveLength(2)
  expect(answers.filter((answer) => answer?.code === 5038)).toHaveLength(18)
  expect(await desks[0]?.byIban.balance('USD')).toBe('49000.00')
})

test('two sandboxes that are opened at once on a new directory are one world', async () => {
  const directory = freshDirectory()
  const [one, other] = await Promise.all([fileSandbox(directory), fileSandbox(directory)])
  expect((await one.world()).worldId).toBe((await other.world()).worldId)
})

test('processes that pay at once execute each uniqueId once and lose none', { timeout: 60_000 }, async () => {
  const directory = freshDirectory()
  const ids = Array.from({ length: 12 }, () => randomUUID())
  const script = join(import.meta.dirname, 'pay-all.mts')
  const outputs = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ['--import', 'tsx', script, directory, ...ids], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let output = ''
      child.stdout.on('data', (piece) => {
        output += String(piece)
      })
      await once(child, 'close')
      return readJson(output) as string[]
    }),
  )
  const codes = outputs.flat()
  expect(codes.filter((code) => code === 'paid')).toHaveLength(12)
  expect(codes.filter((code) => code === '5017')).toHaveLength(36)
  const sandbox = await fileSandbox(directory, realClock)
  const { payouts } = await sandbox.ledger()
  expect(payouts.map(({ uniqueId }) => uniqueId).toSorted()).toEqual(ids.toSorted())
  expect(payouts.every(({ executions }) => executions === 1)).toBe(true)
  expect(new Set(payouts.map(({ transactionId }) => transactionId)).size).toBe(12)
})

test('a reset forgets payouts and orders alike, and sets the clock back', async () => {
  const sandbox = await fileSandbox(freshDirectory())
  const { url } = await served(sandbox)
  const us = await integratorNamed(sandbox, url)
  const { byIban } = await callers(sandbox)
  await byIban.create(toIban())
  const id = await us.created({ saveCard: true, directLinkProvider: 'TBC' })
  await sandbox.trigger({ what: 'paid', order: id })
  await us.refund(id, 1)
  await sandbox.moveClock((now) => now + 1000)
  await sandbox.reset()
  expect(await sandbox.ledger()).toEqual({
    ...{ payouts: [], orders: [], walletOrders: [], cards: [], subscriptions: [], users: [], callbacks: [] },
  })
  expect((await sandbox.clock()).ahead).toBe(0)
})

/** Tables that refer to each other, in an order in which they cannot be dropped one by one. */
const children = [
  'create table parents (id integer primary key)',
  'create table children (parent integer references parents)',
]

test('a store of another version is made anew, with its world, and serves', async () => {
  const directory = freshDirectory()
  const old: Schema = { ...sandboxSchema, version: 99, tables: ['create table world (world_id text)', ...children] }
  const store = await openStore<SandboxTables>(join(directory, 'sandbox.db'), old)
  await store.write((db) => sql`insert into world values ('of another version')`.execute(db))
  await store.write((db) => sql`insert into parents values (1)`.execute(db))
  await store.write((db) => sql`insert into children values (1)`.execute(db))
  await store.close()
  for (let times = 0; times < 2; times += 1) {
    const sandbox = await fileSandbox(directory)
    expect((await sandbox.world()).distributorClients).toHaveLength(4)
    const { url } = await served(sandbox)
    const us = await integratorNamed(sandbox, url)
    const id = await us.created()
    await sandbox.trigger({ what: 'paid', order: id })
    expect(await us.status(id)).toBe('SUCCESS')
  }
})

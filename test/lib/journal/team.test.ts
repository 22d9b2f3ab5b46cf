/** The journal of a team: machines whose clocks disagree, and that cannot look each other's processes up. */
import { expect, onTestFinished, test } from 'vitest'
import { type Clock, realClock, realRandom } from '../../../src/lib/edge.ts'
import type { Guard } from '../../../src/lib/journal/duplicates.ts'
import type { NewIntent } from '../../../src/lib/journal/intent.ts'
import { Journal } from '../../../src/lib/journal/journal.ts'
import { type HolderState, isLeaseOver } from '../../../src/lib/journal/lease.ts'
import type { Verdict } from '../../../src/lib/journal/verdict.ts'
import type { JournalTables } from '../../../src/lib/store/journal/schema.ts'
import { openTeam } from '../../../src/lib/store/team/schema.ts'
import { cutWay, postgresServer } from '../../kit/postgres.ts'

const server = postgresServer()
const hour = 3_600_000

const newIntent: NewIntent = {
  ...{ operation: 'payout.create', profile: 'box', environment: 'test', clientId: 'me', idempotencyKey: 'k' },
  ...{ service: 'https://bank.example', serviceId: 'https://bank.example', uniqueId: 'u-1' },
  ...{ body: '{"amount":"12.50"}', bodyDigest: 'digest', payee: 'GE29NB0000000101904917' },
  ...{ amountMinor: '1250', currency: 'GEL' },
}
const guard: Guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: true }
const lost: Verdict = { kind: 'unknown', why: 'reset', words: null }

/** Two machines; of the first the clock can be moved, and the time since it started is not told. */
async function machines(): Promise<{
  one: Journal
  other: Journal
  passes: (milliseconds: number) => void
  address: string
}> {
  const address = await server.newAddress()
  let ahead = 0
  const slow: Clock = { ...realClock, now: () => Date.now() - hour + ahead, steady: () => null }
  const fast: Clock = { ...realClock, now: () => Date.now() + hour, steady: () => null }
  const journal = async (clock: Clock, self: string) => {
    const store = await openTeam<JournalTables>(address, { machine: clock })
    onTestFinished(() => store.close())
    const standing = (holder: string): HolderState => (holder === self ? 'alive' : 'unknown')
    return new Journal(store, store.clock, realRandom, { self, standing })
  }
  return {
    one: await journal(slow, 'one'),
    other: await journal(fast, 'other'),
    passes: (milliseconds) => {
      ahead += milliseconds
    },
    address,
  }
}

async function begun(journal: Journal, leaseTime: number) {
  const result = await journal.begin(newIntent, guard, leaseTime, 'recognised')
  if (result.kind !== 'begun') throw new Error(`it is ${result.kind}`)
  return result
}

test('a lease lasts as long as the database says, whatever the clocks of the machines are', async () => {
  const { one, other } = await machines()
  const { intent } = await begun(one, 60_000)
  expect(isLeaseOver(intent, one.moment)).toBe(false)
  await expect(begun(other, 60_000)).rejects.toMatchObject({ kind: 'locked' })
  expect(Math.abs(Date.parse(intent.openedAt) - Date.now())).toBeLessThan(60_000)
  expect(Math.abs(one.moment.now - other.moment.now)).toBeLessThan(5_000)
})

test('a run that slept through its lease sends no more', async () => {
  const { one, passes } = await machines()
  const { intent } = await begun(one, 60_000)
  passes(58_000)
  expect(isLeaseOver(intent, one.moment)).toBe(true)
})

test('after a lease that ended by time a payout is repeated under its id, and an answer of the one before still counts', async () => {
  const { one, other, address } = await machines()
  const first = await begun(one, 1)
  await server.run(address, 'select pg_sleep(0.1)')
  const second = await begun(other, 60_000)
  expect([first.attempt, second.attempt]).toEqual([1, 2])
  const accepted: Verdict = {
    ...{ kind: 'accepted', transactionId: '7', status: 'INITIAL', statusDescription: 'Initial' },
    ...{ createdAt: '2026-11-20T10:00:00.123456789', answer: null },
  }
  await one.finish(first.intent, first.attempt, accepted)
  expect((await other.finish(second.intent, second.attempt, lost)).state).toBe('accepted')
})

test('after a lease that ended by time another write is sent no more: it is resolved by what the service shows', async () => {
  const { one, other, address } = await machines()
  const { intent } = await begun(one, 1)
  await server.run(address, 'select pg_sleep(0.1)')
  expect(other.mayWake(intent)).toBe(true)
  expect(await other.begin(newIntent, guard, 60_000, 1)).toMatchObject({ kind: 'unresolved' })
  expect(one.mayWake(intent)).toBe(false)
})

test.each([
  ['lost', 'before-it-arrives'],
  ['not answered', 'before-its-answer'],
] as const)('a payment whose commit was %s is the one that is told, sent and recorded', async (_, when) => {
  const address = await server.newAddress()
  const way = await cutWay(server.port)
  const store = await openTeam<JournalTables>(address.replace(`:${server.port}/`, `:${way.port}/`), {
    machine: realClock,
  })
  onTestFinished(() => store.close())
  const journal = new Journal(store, store.clock, realRandom, { self: 'one', standing: () => 'alive' })
  way.next('select paydesk_commit', when)
  const { intent, attempt } = await begun(journal, 60_000)
  expect(way.cuts()).toBe(1)
  expect(await journal.list({})).toMatchObject([{ journalId: intent.journalId }])
  way.next('select paydesk_commit', when)
  expect((await journal.finish(intent, attempt, lost)).state).toBe('unknown')
  expect(way.cuts()).toBe(2)
})

test('an older paydesk begins nothing new, and records what is in flight', async () => {
  const { one, address } = await machines()
  const { intent, attempt } = await begun(one, 60_000)
  await server.run(address, 'update paydesk_store set schema = schema + 1')
  expect((await one.finish(intent, attempt, lost)).state).toBe('unknown')
  await expect(begun(one, 60_000)).rejects.toMatchObject({ kind: 'usage' })
  await expect(one.again(intent, [])).rejects.toMatchObject({ kind: 'usage' })
  expect(await one.release(intent)).toBe(true)
})

test('a role that is no administrator may keep the store', async () => {
  const address = await server.newAddress()
  const schema = /search_path%3D(\w+)/.exec(address)?.[1]
  await server.run(address, "create role clerk login password 'password of the tests'")
  await server.run(address, `grant all on schema ${schema} to clerk`)
  const store = await openTeam<JournalTables>(address.replace('//paydesk@', '//clerk@'), { machine: realClock })
  onTestFinished(() => store.close())
  const journal = new Journal(store, store.clock, realRandom, { self: 'clerk', standing: () => 'alive' })
  expect((await begun(journal, 60_000)).attempt).toBe(1)
})

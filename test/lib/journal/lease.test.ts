/** Leases, on both engines: those that a process still has are given free when they are over, and not before; and the money that is open. */
import { expect, test } from 'vitest'
import { realClock, realRandom } from '../../../src/lib/edge.ts'
import type { NewIntent } from '../../../src/lib/journal/intent.ts'
import { Journal } from '../../../src/lib/journal/journal.ts'
import {
  type HolderState,
  readOpenMoney,
  releaseOverdue,
  sumOpenMoney,
  type ThisProcess,
  thisProcess,
} from '../../../src/lib/journal/lease.ts'
import type { OpenSum } from '../../../src/lib/store/journal/spent.ts'
import { journalStores } from '../../kit/postgres.ts'

const newStore = journalStores()
const minute = 60_000
const hour = 60 * minute

const guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: true } as const

const place = {
  environment: 'test',
  service: 'https://pay.example',
  serviceId: 'https://pay.example',
  clientId: 'me',
}

function newIntent(name: string, units = 125, more: Partial<NewIntent> = {}): NewIntent {
  return {
    ...{ ...place, operation: 'payout.create', profile: 'acme', uniqueId: `id-${name}`, idempotencyKey: null },
    ...{ body: '{}', bodyDigest: name, payee: `payee ${name}`, amountMinor: String(units), currency: 'GEL', ...more },
  }
}

async function worker() {
  return workerOn(await newStore(), thisProcess('any-machine'))
}

function workerOn(store: Awaited<ReturnType<typeof newStore>>, leaseHolder: ThisProcess) {
  let passed = 0
  const clock = {
    ...realClock,
    now: () => realClock.now() + passed,
    steady: () => ({ boot: 'this', milliseconds: 1_000_000 + passed }),
  }
  const journal = new Journal(store, clock, realRandom, leaseHolder)
  return {
    store,
    journal,
    begin: (name: string, lease = minute) => journal.begin(newIntent(name), guard, lease, 'recognised'),
    look: (name: string) => journal.look(newIntent(name), guard),
    leave: () => releaseOverdue({ store, clock, leaseHolder }),
    pass: (milliseconds: number) => {
      passed += milliseconds
    },
  }
}

test('what never left, and what was lost, can be sent again when its lease is over', async () => {
  const { journal, begin, look, leave, pass } = await worker()
  const unsent = await begin('unsent')
  if (unsent.kind !== 'begun') throw new Error(unsent.kind)
  await journal.finish(unsent.intent, 1, { kind: 'unsent', why: 'the store was away' })
  await begin('lost')
  await begin('longer', 3 * minute)
  expect(await leave()).toBe(3)
  await expect(look('unsent')).rejects.toMatchObject({ kind: 'locked' })
  pass(minute + 1)
  expect(await leave()).toBe(1)
  expect(await look('unsent')).toMatchObject({ kind: 'open', unresolved: null })
  expect(await look('lost')).toMatchObject({
    kind: 'open',
    unresolved: { uniqueId: 'id-lost', leaseUntil: expect.any(String) },
  })
  await expect(look('longer')).rejects.toMatchObject({ kind: 'locked' })
  pass(2 * minute)
  expect(await leave()).toBe(0)
  expect(await leave()).toBe(0)
})

test('what another process holds is not given free', async () => {
  const { store, begin, leave, pass, look } = await worker()
  const other = workerOn(store, { self: 'other', standing: () => 'alive' })
  await begin('mine')
  await other.begin('theirs')
  pass(2 * minute)
  expect(await leave()).toBe(0)
  expect(await look('mine')).toMatchObject({ kind: 'open', unresolved: { uniqueId: 'id-mine' } })
  await expect(other.look('theirs')).rejects.toMatchObject({ kind: 'locked' })
})

const lost = { kind: 'unknown', why: 'reset', words: null } as const

/** A journal of a process that this machine cannot look up, or of this one. */
async function journals() {
  const store = await newStore()
  const own = thisProcess()
  const elsewhere = { self: 'another/7/7/7', standing: own.standing }
  let ahead = 0
  const clock = { ...realClock, now: () => realClock.now() + ahead, steady: () => null }
  const journal = new Journal(store, clock, realRandom, own)
  const other = new Journal(store, clock, realRandom, elsewhere)
  const pass = (milliseconds: number) => {
    ahead += milliseconds
  }
  return { journal, other, pass }
}

test('what this process, another one and nobody have open is told apart, until a lease is over', async () => {
  const { journal, other, pass } = await journals()
  const begin = (by: Journal, name: string, units: number, more: Partial<NewIntent> = {}) =>
    by.begin(newIntent(name, units, more), guard, hour, 'recognised')
  expect(await readOpenMoney(journal, place)).toEqual({
    ...{ inFlight: new Map(), own: new Map() },
    unknown: { payments: 0, units: new Map(), oldest: null },
  })
  await begin(journal, 'mine', 125)
  await begin(other, 'theirs', 250)
  await begin(other, 'dollars', Number.MAX_SAFE_INTEGER, { currency: 'USD' })
  const gone = await begin(journal, 'gone', 500)
  await journal.finish(gone.intent, 1, lost)
  await journal.release(gone.intent)
  await begin(other, 'of another client', 1000, { clientId: 'you' })
  await begin(other, 'an order', 1000, { operation: 'order.create' })
  pass(60_000)
  const open = await readOpenMoney(journal, place)
  expect(open).toMatchObject({
    inFlight: new Map([
      ['GEL', 375n],
      ['USD', 9_007_199_254_740_991n],
    ]),
    own: new Map([['GEL', 125n]]),
    unknown: { payments: 1, units: new Map([['GEL', 500n]]) },
  })
  expect(open.unknown.oldest).toBeGreaterThanOrEqual(60_000)
  expect(open.unknown.oldest).toBeLessThan(hour)
  expect((await readOpenMoney(journal, null)).inFlight.get('GEL')).toBe(1375n)
  pass(hour)
  // Of the process that is there no lease is over; of another machine's, time decides.
  expect(await readOpenMoney(journal, place)).toMatchObject({
    inFlight: new Map([['GEL', 125n]]),
    unknown: { payments: 3 },
  })
})

test('a holder that was killed has nothing on its way, whatever its lease', () => {
  const sum: OpenSum = {
    ...{ holder: 'killed', isLeased: true, currency: 'GEL', payments: 2, units: 7n },
    oldest: '2026-11-20T06:00:00.000Z',
  }
  const leaseHolder = { self: 'me', standing: (): HolderState => 'gone' }
  const now = Date.parse('2026-11-20T06:00:05.000Z')
  expect(sumOpenMoney([sum, { ...sum, holder: null, isLeased: false }], { now, leaseHolder })).toMatchObject({
    ...{ inFlight: new Map(), own: new Map() },
    unknown: { payments: 4, units: new Map([['GEL', 14n]]), oldest: 5000 },
  })
})

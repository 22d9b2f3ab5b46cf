/** The payouts that are open, on both engines. */
import { expect, test } from 'vitest'
import { realClock, realRandom } from '../../../../src/lib/edge.ts'
import { type HolderState, thisProcess } from '../../../../src/lib/journal/hold/holder.ts'
import { openMoneyOf, openPayouts } from '../../../../src/lib/journal/hold/open-money.ts'
import type { Draft } from '../../../../src/lib/journal/intent.ts'
import { Journal } from '../../../../src/lib/journal/journal.ts'
import type { OpenSum } from '../../../../src/lib/store/journal/open-sums.ts'
import { journalStores } from '../../../kit/store/journal-stores.ts'

const newStore = journalStores()
const hour = 3_600_000

const place = {
  environment: 'test',
  service: 'https://pay.example',
  serviceId: 'https://pay.example',
  clientId: 'me',
}

function draft(name: string, units: number, more: Partial<Draft> = {}): Draft {
  return {
    ...{ ...place, operation: 'payout.create', profile: 'acme', uniqueId: `id-${name}`, businessKey: null },
    ...{ body: '{}', bodyDigest: name, payee: `payee ${name}`, amountMinor: String(units), currency: 'GEL', ...more },
  }
}

const guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: true } as const
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
  const begin = (by: Journal, name: string, units: number, more: Partial<Draft> = {}) =>
    by.begin(draft(name, units, more), guard, hour, 'recognised')
  expect(await openPayouts(journal, place)).toEqual({
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
  const open = await openPayouts(journal, place)
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
  expect((await openPayouts(journal, null)).inFlight.get('GEL')).toBe(1375n)
  pass(hour)
  // Of the process that is there no lease is over; of another machine's, time decides.
  expect(await openPayouts(journal, place)).toMatchObject({
    inFlight: new Map([['GEL', 125n]]),
    unknown: { payments: 3 },
  })
})

test('a holder that was killed has nothing on its way, whatever its lease', () => {
  const sum: OpenSum = {
    ...{ holder: 'killed', isLeased: true, currency: 'GEL', payments: 2, units: 7n },
    oldest: '2026-11-20T06:00:00.000Z',
  }
  const holding = { self: 'me', standing: (): HolderState => 'gone' }
  const now = Date.parse('2026-11-20T06:00:05.000Z')
  expect(openMoneyOf([sum, { ...sum, holder: null, isLeased: false }], { now, holding })).toMatchObject({
    ...{ inFlight: new Map(), own: new Map() },
    unknown: { payments: 4, units: new Map([['GEL', 14n]]), oldest: 5000 },
  })
})

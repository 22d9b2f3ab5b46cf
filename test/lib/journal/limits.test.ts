/** Limits in the transaction that opens an intent: counting once, giving back, windows, and two processes. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { limitedOperations } from '../../../src/lib/contract/operation.ts'
import { writesAbout } from '../../../src/lib/contract/operations.ts'
import type { Clock, Random } from '../../../src/lib/edge.ts'
import type { Guard } from '../../../src/lib/journal/duplicates.ts'
import type { Intent, NewIntent } from '../../../src/lib/journal/intent.ts'
import { Journal } from '../../../src/lib/journal/journal.ts'
import type { Verdict } from '../../../src/lib/journal/verdict.ts'
import { readLimit } from '../../../src/lib/spending.ts'
import { beneficiaryIban } from '../../kit/payment.ts'
import { isOnServer, journalStores } from '../../kit/postgres.ts'

// Each test pays many times through a store.
vi.setConfig({ testTimeout: 60_000 })

const newStore = journalStores()

const place = {
  environment: 'test',
  service: 'https://Pay.example/base',
  serviceId: 'https://pay.example',
  clientId: 'me',
}

/** A payout of so many minor units of GEL, told apart by a letter or a number. */
function payout(name: string | number, units: bigint, more: Partial<NewIntent> = {}): NewIntent {
  return {
    ...place,
    operation: 'payout.create',
    profile: 'acme',
    uniqueId: `id-${name}`,
    idempotencyKey: `key-${name}`,
    body: `{"amount":"${units}"}`,
    bodyDigest: `digest of ${more.currency} ${units}`,
    payee: beneficiaryIban,
    amountMinor: String(units),
    currency: 'GEL',
    ...more,
  }
}

function guard(limits: readonly string[], sendsHeld = true): Guard {
  const read = limits.map((text) => {
    const each = readLimit(text)
    if (!each.ok) throw new Error(each.complaint)
    return each.limit
  })
  return { duplicates: 'off', allowed: null, limits: read, sendsHeld }
}

const words = { http: 400, statusCode: 5038, exceptionGroup: 1, message: 'no' }
const verdicts = {
  accepted: {
    ...{ kind: 'accepted', transactionId: '1', status: 'INITIAL', statusDescription: '' },
    ...{ createdAt: '', answer: null },
  },
  refused: { kind: 'refused', words, bodyOnly: false, status: null },
  duplicate: { kind: 'duplicate', words: { ...words, statusCode: 5017 } },
  unsent: { kind: 'unsent', why: 'ECONNREFUSED' },
  busy: { kind: 'turned-away', by: 'rate', words, wait: null },
  lost: { kind: 'unknown', why: 'reset', words: null },
} as const satisfies Record<string, Verdict>

type VerdictName = keyof typeof verdicts

async function scene(start = '2026-11-20T06:00:00Z') {
  const store = await newStore()
  let now = Date.parse(start)
  let ids = 0
  const clock: Clock = {
    now: () => now,
    steady: () => ({ boot: 'this', milliseconds: now }),
    sleep: () => Promise.reject(new Error('the journal does not sleep')),
  }
  const random: Random = {
    uuid: () => {
      ids += 1
      return `${String(ids).padStart(8, '0')}-0000-4000-8000-000000000000`
    },
    fraction: () => 0,
    secret: () => '',
    rsaKeyPair: () => Promise.reject(new Error('the journal makes no keys')),
  }
  const of = (self: string) => new Journal(store, clock, random, { self, standing: () => 'alive' })
  const journal = of('me')
  const open = async (newIntent: NewIntent, given: Guard, by = journal) =>
    by.begin(newIntent, given, 155_000, 'recognised')
  return {
    store,
    journal,
    other: of('other'),
    open,
    /** Opens it, lets its only attempt come to this end, and gives it free. */
    async pay(newIntent: NewIntent, given: Guard, ...ends: readonly VerdictName[]): Promise<Intent> {
      const begun = await open(newIntent, given)
      if (begun.kind !== 'begun') return begun.intent
      let { intent, attempt } = begun
      for (const [at, end] of ends.entries()) {
        if (at > 0) {
          const again = await journal.again(intent, given.limits)
          if (again.kind === 'held') return again.intent
          ;({ intent, attempt } = again)
        }
        intent = await journal.finish(intent, attempt, verdicts[end])
      }
      await journal.release(intent)
      return intent
    },
    passes: (milliseconds: number) => {
      now += milliseconds
    },
    isAt: (iso: string) => {
      now = Date.parse(iso)
    },
    /** Minor units that count today. */
    async today() {
      const { day } = await journal.spent(place)
      return day.reduce((sum, { units }) => sum + units, 0n)
    },
    /** Payouts that count in the last hour. */
    async lastHour() {
      const { hour } = await journal.spent(place)
      return hour.reduce((sum, { payouts }) => sum + payouts, 0n)
    },
  }
}

describe('an intent counts', () => {
  test.each([
    ['accepted', 100n],
    ['lost', 100n],
    ['busy', 100n],
    // Its id is taken: this request may have been executed, sent twice on its way.
    ['duplicate', 100n],
    ['refused', 0n],
    ['unsent', 0n],
  ] as const)('%s: %s', async (end, counted) => {
    const { pay, today } = await scene()
    await pay(payout('a', 100n), guard([]), end)
    expect(await today()).toBe(counted)
  })

  test('while it is in flight, and where its process died', async () => {
    const { open, today } = await scene()
    await open(payout('a', 100n), guard([]))
    expect(await today()).toBe(100n)
  })

  test('once, however often it is tried, and by its first attempt', async () => {
    const { pay, today, isAt } = await scene('2026-11-20T19:59:59Z')
    const limit = guard(['GEL 1/day'])
    await pay(payout('a', 100n), limit, 'lost', 'lost')
    expect(await today()).toBe(100n)
    // Midnight in Tbilisi.
    isAt('2026-11-20T20:00:00Z')
    expect(await today()).toBe(0n)
    expect(await pay(payout('a', 100n), limit, 'lost')).toMatchObject({ state: 'unknown' })
    expect(await today()).toBe(0n)
    expect(await pay(payout('b', 100n), limit, 'accepted')).toMatchObject({ state: 'accepted' })
    expect(await today()).toBe(100n)
  })

  test('anew when it is begun anew after a refusal, with the sum that it has then', async () => {
    const { pay, today, isAt } = await scene('2026-11-20T10:00:00Z')
    await pay(payout('a', 100n), guard([]), 'refused')
    isAt('2026-11-21T10:00:00Z')
    await pay(payout('a', 70n), guard([]), 'accepted')
    expect(await today()).toBe(70n)
  })

  test('until the operator says that it was refused', async () => {
    const { journal, pay, today } = await scene()
    const lost = await pay(payout('a', 100n), guard([]), 'lost')
    await journal.close(lost, 'refused', 'not on the statement', { byOperator: true })
    expect(await today()).toBe(0n)
  })

  test('for its client alone, by every address and name of the service', async () => {
    const { pay, today } = await scene()
    await pay(payout('a', 1n, { clientId: 'another' }), guard([]), 'accepted')
    await pay(payout('b', 2n, { environment: 'live' }), guard([]), 'accepted')
    await pay(payout('c', 4n, { service: 'https://other.example', serviceId: 'https://other.example' }), guard([]))
    expect(await today()).toBe(0n)
    await pay(payout('d', 8n, { service: 'https://moved.example' }), guard([]), 'accepted')
    await pay(
      payout('e', 16n, { service: 'https://PAY.example:443/prefix', serviceId: 'named' }),
      guard([]),
      'accepted',
    )
    await pay(payout('f', 32n, { profile: 'another profile' }), guard([]), 'accepted')
    expect(await today()).toBe(56n)
  })

  test('if it is a payout', async () => {
    expect(limitedOperations).toEqual(writesAbout('payout').map(({ name }) => name))
    const { pay, today } = await scene()
    await pay(payout('a', 100n, { operation: 'wallet.finalize' }), guard([]), 'accepted')
    expect(await today()).toBe(0n)
  })
})

describe('an hour', () => {
  test('is the last 60 minutes, to the millisecond', async () => {
    const { pay, lastHour, isAt } = await scene('2026-11-20T10:15:30.500Z')
    await pay(payout('a', 1n), guard([]), 'accepted')
    isAt('2026-11-20T10:15:40.000Z')
    await pay(payout('b', 1n), guard([]), 'refused')
    await pay(payout('c', 1n), guard([]), 'accepted')
    isAt('2026-11-20T11:15:30.499Z')
    expect(await lastHour()).toBe(2n)
    isAt('2026-11-20T11:15:30.500Z')
    expect(await lastHour()).toBe(1n)
    isAt('2026-11-20T11:15:39.999Z')
    expect(await lastHour()).toBe(1n)
    isAt('2026-11-20T11:15:40.000Z')
    expect(await lastHour()).toBe(0n)
  })

  test('counts what was opened before the clock was set back', async () => {
    const { pay, lastHour, today, isAt } = await scene('2026-11-20T10:15:30Z')
    await pay(payout('a', 1n), guard([]), 'accepted')
    isAt('2026-11-20T04:00:00Z')
    expect([await lastHour(), await today()]).toEqual([1n, 1n])
  })
})

describe('a limit', () => {
  const limit = guard(['GEL 1/day'])

  test('holds what does not fit, and opens nothing', async () => {
    const { journal, pay, today } = await scene()
    await pay(payout('a', 60n), limit, 'accepted')
    const held = await pay(payout('b', 41n), limit)
    expect(held).toMatchObject({ state: 'held', holder: null, because: expect.stringContaining('leaves GEL 0.40') })
    expect(await journal.attempts(held)).toEqual([])
    expect(await today()).toBe(60n)
    expect(await pay(payout('c', 40n), limit, 'accepted')).toMatchObject({ state: 'accepted' })
  })

  test('is told by a look, and decided by the transaction that opens', async () => {
    const { journal, open } = await scene()
    const [one, two] = [payout('a', 60n), payout('b', 60n)]
    expect(await journal.look(one, limit)).toMatchObject({ isHeldBack: false })
    expect(await journal.look(two, limit)).toMatchObject({ isHeldBack: false })
    expect(await open(one, limit)).toMatchObject({ kind: 'begun' })
    expect(await open(two, limit)).toMatchObject({ kind: 'held' })
    expect(await journal.look(two, limit)).toMatchObject({ isHeldBack: true })
  })

  test('never holds a repeat, though it was lowered since', async () => {
    const { journal, pay } = await scene()
    for (const end of ['lost', 'busy', 'duplicate'] as const) {
      await pay(payout(end, 30n), limit, end)
      const nothing = guard(['GEL 0/day', '0/hour', 'GEL 0/payout'])
      expect(await journal.look(payout(end, 30n), nothing)).toMatchObject({ isHeldBack: false })
      expect(await pay(payout(end, 30n), nothing, 'lost')).not.toMatchObject({ state: 'held' })
    }
  })

  test('holds one more attempt of a payment that did not leave, where another one has taken its room', async () => {
    const { journal, other, open, today } = await scene()
    const begun = await open(payout('a', 60n), limit)
    if (begun.kind !== 'begun') throw new Error(begun.kind)
    const unsent = await journal.finish(begun.intent, begun.attempt, verdicts.unsent)
    const free = await journal.again(unsent, limit.limits)
    expect(free).toMatchObject({ kind: 'begun', attempt: 2 })
    await journal.finish(unsent, 2, verdicts.unsent)
    expect(await open(payout('b', 60n), limit, other)).toMatchObject({ kind: 'begun' })
    expect(await journal.again(unsent, limit.limits)).toMatchObject({
      kind: 'held',
      intent: { state: 'held', holder: null },
    })
    expect(await today()).toBe(60n)
  })

  test('counts such an attempt on the day on which it is made', async () => {
    const { journal, open, today, isAt } = await scene('2026-11-20T19:59:59Z')
    const begun = await open(payout('a', 60n), limit)
    if (begun.kind !== 'begun') throw new Error(begun.kind)
    await journal.finish(begun.intent, begun.attempt, verdicts.unsent)
    isAt('2026-11-20T20:00:01Z')
    await journal.again(begun.intent, limit.limits)
    expect(await today()).toBe(60n)
  })

  test('of a held payment keeps it held for all that does not ask for it by its name', async () => {
    const { journal, open, pay } = await scene()
    const held = await pay(payout('a', 101n), limit)
    const raised = ['GEL 2/day']
    expect(await journal.look(payout('a', 101n), guard(raised, false))).toMatchObject({ isHeldBack: true })
    expect(await open(payout('a', 101n), guard(raised, false))).toMatchObject({ kind: 'held' })
    expect(await journal.hold(payout('a', 101n), guard(raised, false))).toMatchObject({ intent: { state: 'held' } })
    expect(await open(payout('a', 101n), guard(raised))).toMatchObject({
      kind: 'begun',
      intent: { journalId: held.journalId, state: 'unknown', because: null },
    })
  })

  test('holds a payment since it was held first, however often it is tried', async () => {
    const { pay, passes } = await scene()
    const first = await pay(payout('a', 101n), limit)
    passes(60_000)
    const second = await pay(payout('a', 101n), limit)
    expect(second.openedAt).toBe(first.openedAt)
    expect(second.changedAt).not.toBe(first.changedAt)
    const third = await pay(payout('a', 101n), guard(['GEL 2/day']), 'refused')
    passes(60_000)
    const fourth = await pay(payout('a', 101n), limit)
    expect(fourth).toMatchObject({ state: 'held' })
    expect(fourth.openedAt > third.openedAt).toBe(true)
  })
})

describe('whatever happens', () => {
  const ends = fc.constantFrom(...(Object.keys(verdicts) as VerdictName[]))
  const steps = fc.array(
    fc.record({
      name: fc.integer({ min: 0, max: 5 }),
      units: fc.bigInt({ min: 1n, max: 60n }),
      ends: fc.array(ends, { minLength: 0, maxLength: 3 }),
      minutes: fc.constantFrom(0, 0.4, 5, 31, 300),
      currency: fc.constantFrom('GEL', 'USD'),
    }),
    { minLength: 1, maxLength: 14 },
  )
  const limit = guard(['GEL 1/day', 'GEL 0.80/hour', '4/hour', 'USD 0.50/payout'])

  /** Sums of the journal's own rows: of each payout that counts, when it was opened. */
  async function rowsOf(store: Awaited<ReturnType<typeof scene>>['store']) {
    const rows = await store.read((db) => db.selectFrom('intents').selectAll().execute())
    return rows
      .filter(({ state, sum_confirmed }) => !['held', 'refused', 'unsent'].includes(state) || sum_confirmed === 'taken')
      .map((row) => ({ at: Date.parse(row.opened_at), units: BigInt(row.amount_minor), currency: row.currency }))
  }

  // Each try has a store of its own.
  const timeout = 90_000
  test('what is counted is what the intents say, and no limit is exceeded by a payment that is begun', {
    timeout,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const { store, journal, open, pay, passes } = await scene('2026-11-20T15:00:00Z')
        let now = Date.parse('2026-11-20T15:00:00Z')
        for (const step of given) {
          const newIntent = payout(step.name, step.units, { currency: step.currency, uniqueId: `${step.name}` })
          // A run that ends without a word leaves its lease behind: the same payment is locked (12) then.
          const paid = step.ends.length === 0 ? open(newIntent, limit) : pay(newIntent, limit, ...step.ends)
          await paid.catch((error: unknown) => {
            if (!['duplicate', 'locked'].includes((error as { kind?: string }).kind ?? '')) throw error
          })
          const rows = await rowsOf(store)
          const { day, hour } = await journal.spent(place)
          const gel = (list: readonly { units: bigint; currency: string }[]) =>
            list.filter(({ currency }) => currency === 'GEL').reduce((sum, { units }) => sum + units, 0n)
          const midnight = Math.floor((now + 4 * 3_600_000) / 86_400_000) * 86_400_000 - 4 * 3_600_000
          const ofToday = rows.filter(({ at }) => at >= midnight)
          const ofHour = rows.filter(({ at }) => at > now - 3_600_000)
          expect(gel(day)).toBe(gel(ofToday))
          expect(gel(hour)).toBe(gel(ofHour))
          expect(hour.reduce((sum, { payouts }) => sum + payouts, 0n)).toBe(BigInt(ofHour.length))
          expect(gel(ofToday)).toBeLessThanOrEqual(100n)
          expect(gel(ofHour)).toBeLessThanOrEqual(80n)
          expect(ofHour.length).toBeLessThanOrEqual(4)
          for (const { units, currency } of rows) if (currency === 'USD') expect(units).toBeLessThanOrEqual(50n)
          passes(step.minutes * 60_000)
          now += step.minutes * 60_000
        }
      }),
      { numRuns: isOnServer ? 10 : 150 },
    )
  })
})

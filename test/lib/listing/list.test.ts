import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromMinorUnits, JsonNumber, minorUnits } from '../../../src/lib/contract/core/decimal.ts'
import { realRandom } from '../../../src/lib/edge.ts'
import { intentOf } from '../../../src/lib/journal/intent.ts'
import { newRow, noLease } from '../../../src/lib/journal/row.ts'
import { counted, countsAs, readThings, Totals } from '../../../src/lib/listing/list.ts'
import type { ListedRow, ListQuery } from '../../../src/lib/listing/row.ts'
import { addIntent, listIntents } from '../../../src/lib/store/journal/intents.ts'
import { journalStores } from '../../kit/postgres.ts'

function row(more: Partial<ListedRow>): ListedRow {
  return {
    ...{ journalId: 'j-000000000000', openedAt: '2026-11-20T10:00:00.000Z', name: null, account: 'GE29' },
    ...{ amount: new JsonNumber('1.00'), currency: 'GEL', state: 'accepted', status: 'INITIAL' },
    ...{ statusDescription: null, end: null, moneyMoved: 'unknown', open: true, inDoubt: null, because: null },
    ...{ unresolved: [], uniqueId: 'u', transactionId: null, key: null, profile: 'p', environment: 'test' },
    readAt: null,
    ...more,
  }
}

test.each([
  ['accepted', { state: 'accepted', end: null }],
  ['accepted', { state: 'accepted', end: 'paid' }],
  ['accepted', { state: 'exists', end: null }],
  ['refused', { state: 'accepted', end: 'not-paid' }],
  ['refused', { state: 'refused' }],
  ['unknown', { state: 'unknown', unresolved: [{ journalId: 'j-000000000000', operation: 'payout.create' }] }],
  ['unknown', { state: 'accepted', inDoubt: 'another sum' }],
  [null, { state: 'held' }],
  [null, { state: 'unsent' }],
  [null, { state: 'turned-away' }],
] as const)('totals: a payout counts as %s where it stands as %j', (expected, more) => {
  expect(countsAs(row(more))).toBe(expected)
})

const payouts = fc.array(
  fc.record({
    units: fc.bigInt({ min: 1n, max: 9_000_000_000_000_000_000n }),
    day: fc.constantFrom('2026-11-19', '2026-11-20'),
    currency: fc.constantFrom('GEL', 'USD'),
    account: fc.constantFrom('GE29', 'USER 7'),
    name: fc.constantFrom('Nino', 'Levan', null),
    state: fc.constantFrom('accepted' as const, 'refused' as const, 'held' as const),
  }),
)

test('totals: sums of any size are exact, each currency, account and name apart, and every payout that counts counts once', () => {
  fc.assert(
    fc.property(payouts, (made) => {
      const totals = new Totals((openedAt) => openedAt.slice(0, 10))
      for (const { units, day, ...more } of made) {
        totals.add(row({ ...more, openedAt: `${day}T10:00:00.000Z`, amount: new JsonNumber(fromMinorUnits(units)) }))
      }
      const { rows, totals: all } = totals.result()
      for (const currency of ['GEL', 'USD']) {
        for (const kind of counted) {
          const own = made.filter((each) => each.currency === currency && each.state === kind)
          const sum = own.reduce((whole, { units }) => whole + units, 0n)
          const parts = rows.filter((each) => each.currency === currency).map((each) => each[kind])
          expect(parts.reduce((whole, { amount }) => whole + (minorUnits(amount.text) ?? -1n), 0n)).toBe(sum)
          const total = all.find((each) => each.currency === currency)?.[kind]
          expect(total?.count ?? 0).toBe(own.length)
          expect(total?.amount.text ?? '0.00').toBe(fromMinorUnits(sum))
        }
      }
      const keys = rows.map(({ day, currency, account, name }) => `${day} ${currency} ${account} ${name}`)
      expect(new Set(keys).size).toBe(keys.length)
    }),
  )
})

// Pages of the journal, on both engines.

const newStore = journalStores()
const everything: ListQuery = {
  ...{ subject: 'payout', profile: null, since: null, until: null, payee: null, amount: null, currency: null },
  ...{ statuses: [], key: null, open: false, limit: 100 },
}

test.each([1, 2, 3, 7, 100])('pages of %i hold every payout once, newest first, of one moment, too', async (size) => {
  const store = await newStore()
  const rows = Array.from({ length: 13 }, (_, number) => {
    const draft = {
      ...{ operation: 'payout.create', profile: 'acme', environment: 'test', idempotencyKey: null },
      ...{ service: 'https://pay.example', serviceId: 'https://pay.example', clientId: realRandom.uuid() },
      ...{ uniqueId: realRandom.uuid(), body: '{}', bodyDigest: 'd', payee: '', amountMinor: '1', currency: 'GEL' },
    }
    return newRow(draft, realRandom, `2026-11-20T10:00:0${Math.floor(number / 5)}.000Z`, noLease)
  })
  await store.write(async (db) => {
    for (const row of rows) await addIntent(db, row)
  })
  const journal = {
    list: ({ operations, ...filter }: { operations?: readonly { name: string }[] }) =>
      store.read(async (db) =>
        (await listIntents(db, { ...filter, operations: (operations ?? []).map(({ name }) => name) })).map(intentOf),
      ),
  }
  const found: string[] = []
  for await (const page of readThings(journal, everything, size)) {
    expect(page.length).toBeLessThanOrEqual(size)
    found.push(...page.map(({ created }) => created.journalId))
  }
  const expected = rows.toSorted((a, b) =>
    a.opened_at === b.opened_at ? (a.id < b.id ? -1 : 1) : a.opened_at < b.opened_at ? 1 : -1,
  )
  expect(found).toEqual(expected.map(({ id }) => id))
})

/** Pages of the journal, on both engines. */
import { expect, test } from 'vitest'
import { realRandom } from '../../../src/lib/edge.ts'
import { intentOf } from '../../../src/lib/journal/intent.ts'
import { newRow, noLease } from '../../../src/lib/journal/row.ts'
import { thingsOf } from '../../../src/lib/listing/things.ts'
import type { ListWish } from '../../../src/lib/listing/wish.ts'
import { addIntent, listIntents } from '../../../src/lib/store/journal/intents.ts'
import { journalStores } from '../../kit/store/journal-stores.ts'

const newStore = journalStores()
const everything: ListWish = {
  ...{ subject: 'payout', profile: null, since: null, until: null, payee: null, amount: null, currency: null },
  ...{ statuses: [], key: null, open: false, limit: 100 },
}

test.each([1, 2, 3, 7, 100])(
  'pages of %i hold every payout once, the newest first, also where many are of one moment',
  async (size) => {
    const store = await newStore()
    const rows = Array.from({ length: 13 }, (_, number) => {
      const draft = {
        ...{ operation: 'payout.create', profile: 'acme', environment: 'test', businessKey: null },
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
    for await (const page of thingsOf(journal, everything, size)) {
      expect(page.length).toBeLessThanOrEqual(size)
      found.push(...page.map(({ created }) => created.journalId))
    }
    const expected = rows.toSorted((a, b) =>
      a.opened_at === b.opened_at ? (a.id < b.id ? -1 : 1) : a.opened_at < b.opened_at ? 1 : -1,
    )
    expect(found).toEqual(expected.map(({ id }) => id))
  },
)

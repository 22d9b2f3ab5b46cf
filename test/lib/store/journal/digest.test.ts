/** Whatever texts come, a row that was sealed is read back whole, and as it was given: no engine keeps all of them as they are. */
import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { realRandom } from '../../../../src/lib/edge.ts'
import { verifyJournal } from '../../../../src/lib/journal/chain.ts'
import { newAttempt, newRow, noLease } from '../../../../src/lib/journal/row.ts'
import { rowDigest } from '../../../../src/lib/store/journal/digest.ts'
import {
  addAttempt,
  addIntent,
  attemptsOf,
  changeAttempt,
  changeIntent,
  recordedIntent,
} from '../../../../src/lib/store/journal/intents.ts'
import { postgresReading } from '../../../../src/lib/store/postgres/chain.ts'
import { isOnServer, journalStores } from '../../../kit/postgres.ts'
import { intent as plain } from '../../../kit/store.ts'

// Hundreds of inputs, each of which takes its time.
vi.setConfig({ testTimeout: 60_000 })

const newStore = journalStores()
const now = '2026-11-20T06:31:00.000Z'

/** Half of a surrogate pair and NUL among them, alone and beside others. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udc00', '\0', 'x', '"', '\\', 'ქ', '\ufffd', '😀') }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
)

test('intents and attempts with any texts are read back whole, as they were given', async () => {
  const store = await newStore()
  let count = 0
  const words = fc.tuple(text, text, text, text, text, text)
  const holds = fc.asyncProperty(words, async ([one, two, three, four, five, six]) => {
    count += 1
    const uniqueId = `${count} ${one}`
    const newIntent = plain({ uniqueId, idempotencyKey: two, body: three, payee: four, profile: five })
    const given = await store.write(async (db) => {
      const opened = await addIntent(db, newRow(newIntent, realRandom, now, noLease))
      const tried = await addAttempt(db, newAttempt(opened, 1, { iso: now, steady: null }))
      const ended = { status: one, status_description: two, because: three, service_created_at: four }
      const changed = await changeIntent(db, opened, { ...ended, answer: five, operator_word: six })
      return { changed, tried: await changeAttempt(db, tried, { message: six, why: one }) }
    })
    const { id } = given.changed
    expect(await store.ask((db) => recordedIntent(db, id))).toEqual(given.changed)
    expect(await store.ask((db) => attemptsOf(db, id))).toEqual([given.tried])
  })
  await fc.assert(holds, { numRuns: isOnServer ? 100 : 500 })
  const verified = await verifyJournal(store, null, new AbortController().signal, isOnServer ? postgresReading : null)
  expect(verified).toMatchObject({ intact: true })
})

test('a digest is that of the names and values in the order of the names, whatever they are', () => {
  const value = fc.oneof(text, fc.constant(null), fc.integer(), fc.double())
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('id', 'state', 'body', 'salt', '"', 'ქ'), value), (row) => {
      const pairs = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))
      expect(rowDigest({ ...row, digest: 'of before' })).toBe(hash('sha256', JSON.stringify(pairs), 'base64url'))
    }),
  )
})

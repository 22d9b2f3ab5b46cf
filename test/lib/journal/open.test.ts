/** The last words about money of a command that is ended at once, whatever it had to do with before. */
import { expect, test } from 'vitest'
import { realClock, realRandom } from '../../../src/lib/edge.ts'
import type { Guard } from '../../../src/lib/journal/duplicates.ts'
import type { NewIntent } from '../../../src/lib/journal/intent.ts'
import { WatchedJournal } from '../../../src/lib/journal/open.ts'
import type { Verdict } from '../../../src/lib/journal/verdict.ts'
import { journalStores } from '../../kit/postgres.ts'

const newStore = journalStores()

const words = { http: 400, statusCode: 5038, exceptionGroup: 1, message: 'Insufficient balance' }
const refused: Verdict = { kind: 'refused', words, bodyOnly: false, status: null }
const duplicate: Verdict = { kind: 'duplicate', words: { ...words, statusCode: 5017 } }
const accepted: Verdict = {
  ...{
    kind: 'accepted',
    transactionId: '1',
    status: 'INITIAL',
    statusDescription: null,
    createdAt: null,
    answer: null,
  },
}
const off: Guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: true }

const newIntent = (end: string): NewIntent => ({
  ...{ operation: 'payout.create', profile: 'box', environment: 'sandbox', clientId: 'me', idempotencyKey: null },
  ...{ service: 'http://localhost:1', serviceId: 'http://127.0.0.1:1', body: '{}', bodyDigest: 'digest' },
  ...{ payee: 'GE29NB0000000101904917', amountMinor: '1250', currency: 'GEL' },
  uniqueId: `0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a${end}`,
})

/** A journal that has brought payments to these ends, one after the other. */
async function after(...ends: readonly Verdict[]) {
  const journal = new WatchedJournal(await newStore(), realClock, realRandom, { self: 'me', standing: () => 'alive' })
  for (const [at, verdict] of ends.entries()) {
    const begun = await journal.begin(newIntent(String(10 + at)), off, 60_000, 'recognised')
    if (begun.kind !== 'begun') throw new Error(begun.kind)
    await journal.finish(begun.intent, begun.attempt, verdict)
  }
  return journal.standing(false)
}

test.each([
  ['one that was executed', accepted],
  ['a conflict', duplicate],
])('%s is not denied because another one was refused last', async (_what, verdict) => {
  expect(await after(verdict, refused)).toMatchObject({ moneyMoved: 'unknown', retry: 'never' })
})

test('where all were refused nothing was executed', async () => {
  expect(await after(refused, refused)).toMatchObject({ moneyMoved: 'no' })
})

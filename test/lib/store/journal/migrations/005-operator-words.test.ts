import { join } from 'node:path'
import { expect, test } from 'vitest'
import { intentOf } from '../../../../../src/lib/journal/intent.ts'
import { openStore } from '../../../../../src/lib/store/engine/open.ts'
import { listIntents } from '../../../../../src/lib/store/journal/journal.ts'
import { type IntentRow, type JournalTables, journalSchema } from '../../../../../src/lib/store/journal/schema.ts'
import { sealed } from '../../../../../src/lib/store/journal/seal.ts'
import { newHome } from '../../../../kit/program/paydesk.ts'

type EarlierRow = Omit<IntentRow, 'operator_word' | 'salt' | 'maker' | 'approvers' | 'removed_at'>

const earlierSchema = { title: journalSchema.title, migrations: journalSchema.migrations.slice(0, 4) }

const settled: Omit<EarlierRow, 'digest'> = {
  ...{ id: 'j-000000000001', operation: 'payout.create', profile: 'hand', environment: 'test' },
  ...{ service: 'https://pay.example', service_id: 'https://pay.example', origin: 'https://pay.example' },
  ...{ client_id: 'c', unique_id: 'u-1', business_key: null, body: '{}', body_digest: 'd', payee: 'p' },
  ...{ amount_minor: '1250', currency: 'GEL', state: 'exists', transaction_id: null, status: null },
  ...{ status_description: null, service_created_at: null, answer: null, sum_confirmed: 'no' },
  ...{ because: 'the operator says: on the statement', opened_at: '2026-11-20T06:00:00.000Z' },
  ...{ changed_at: '2026-11-20T06:00:00.000Z', holder: null, held_until: null, held_until_steady: null },
}

/** The intents of a journal that an earlier paydesk left with these rows. */
async function broughtForward(rows: readonly EarlierRow[]) {
  const path = join(newHome(), 'journal', 'journal.db')
  const earlier = await openStore<{ intents: EarlierRow }>(path, earlierSchema)
  await earlier.write((db) => db.insertInto('intents').values(rows).execute())
  await earlier.close()
  const store = await openStore<JournalTables>(path, journalSchema)
  try {
    return (await store.read((db) => listIntents(db, {}))).map(intentOf)
  } finally {
    await store.close()
  }
}

test('the word of an operator that an earlier paydesk kept among the reasons is told as before', async () => {
  const read = { id: 'j-000000000002', unique_id: 'u-2', because: 'the details show status SUCCESS' }
  const rows = [sealed<EarlierRow>(settled), sealed<EarlierRow>({ ...settled, ...read })]
  expect(await broughtForward(rows)).toMatchObject([
    { operatorWord: 'on the statement', because: 'the operator says: on the statement' },
    { operatorWord: null, because: 'the details show status SUCCESS' },
  ])
})

test('a row that was changed outside paydesk stays damaged', async () => {
  const damaged = { ...sealed<EarlierRow>(settled), amount_minor: '9950' }
  await expect(broughtForward([damaged])).rejects.toThrow('was changed outside paydesk')
})

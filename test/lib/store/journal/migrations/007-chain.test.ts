import { expect, test } from 'vitest'
import { verifyJournal } from '../../../../../src/lib/journal/chain.ts'
import { openStore } from '../../../../../src/lib/store/engine/open.ts'
import { listIntents } from '../../../../../src/lib/store/journal/journal.ts'
import {
  type AttemptRow,
  type IntentRow,
  type JournalTables,
  journalSchema,
} from '../../../../../src/lib/store/journal/schema.ts'
import { sealed } from '../../../../../src/lib/store/journal/seal.ts'
import { create } from '../../../../kit/payment.ts'
import { newHome, paydesk } from '../../../../kit/program/paydesk.ts'
import { journalFile, valueIn } from '../../../../kit/store/tampered.ts'

type EarlierIntent = Omit<IntentRow, 'salt' | 'maker' | 'approvers' | 'removed_at'>
type EarlierAttempt = Omit<AttemptRow, 'salt' | 'known' | 'told'>

const earlierSchema = { title: journalSchema.title, migrations: journalSchema.migrations.slice(0, 5) }

function intent(at: number): EarlierIntent {
  return sealed<EarlierIntent>({
    ...{ id: `j-${String(at).padStart(12, '0')}`, operation: 'payout.create', profile: 'hand', environment: 'test' },
    ...{ service: 'https://pay.example', service_id: 'https://pay.example', origin: 'https://pay.example' },
    ...{ client_id: 'c', unique_id: `u-${at}`, business_key: null, body: '{}', body_digest: 'd', payee: 'p' },
    ...{ amount_minor: '1250', currency: 'GEL', state: 'accepted', transaction_id: `${at}`, status: null },
    ...{ status_description: null, service_created_at: null, answer: null, sum_confirmed: 'yes', because: null },
    ...{ opened_at: '2026-11-20T06:00:00.000Z', changed_at: '2026-11-20T06:00:00.000Z', operator_word: null },
    ...{ holder: null, held_until: null, held_until_steady: null },
  })
}

function attempt({ id, body_digest, opened_at }: EarlierIntent): EarlierAttempt {
  return sealed<EarlierAttempt>({
    ...{ intent_id: id, number: 1, started_at: opened_at, started_steady: null, ended_at: opened_at, body_digest },
    ...{ outcome: 'accepted', http: 200, status_code: null, exception_group: null, message: null, why: null },
  })
}

/** A home whose journal an earlier paydesk left with these intents, and an attempt of each. */
async function earlierHome(rows: readonly EarlierIntent[]): Promise<string> {
  const home = newHome()
  const store = await openStore<{ intents: EarlierIntent; attempts: EarlierAttempt }>(journalFile(home), earlierSchema)
  await store.write(async (db) => {
    for (const row of rows) {
      await db.insertInto('intents').values(row).execute()
      await db.insertInto('attempts').values(attempt(row)).execute()
    }
  })
  await store.close()
  return home
}

const verify = (home: string) => paydesk(['journal', 'verify', '--json'], { home })

test('the rows of an earlier paydesk are sealed as they stand, which is said', async () => {
  const home = await earlierHome(Array.from({ length: 1_203 }, (_, at) => intent(at)))
  const verified = await verify(home)
  expect(verified).toMatchObject({ code: 0, json: { intact: true, rows: 2407, links: 7, sealingLinks: 7 } })
  const said = await paydesk(['journal', 'verify'], { home })
  expect(said.stdout).toContain('7 links seal rows of an earlier build as they stood')
  const store = await openStore<JournalTables>(journalFile(home), journalSchema)
  expect(await store.read((db) => listIntents(db, {}))).toHaveLength(1_203)
  await store.close()
  expect(valueIn(home, 'select count(distinct salt) from intents')).toBe(1_203)
  expect(
    valueIn(
      home,
      'select count(*) from attempts join intents on intents.id = intent_id where attempts.salt = intents.salt',
    ),
  ).toBe(1_203)
})

test('what follows on a sealed journal has links of its own', async () => {
  const home = await earlierHome([intent(1)])
  const paid = await paydesk([...create(), '--json'], { home })
  expect(paid.code, paid.stderr).toBe(0)
  expect(await verify(home)).toMatchObject({
    code: 0,
    json: { intact: true, rows: 6, links: 5, sealingLinks: 3, head: paid.json.journalHead },
  })
})

test('a row that was changed before stays damaged, and is found', async () => {
  const home = await earlierHome([intent(1), { ...intent(2), amount_minor: '9950' }])
  const { code, json } = await verify(home)
  expect(code).toBe(1)
  expect(json.findings).toMatchObject([
    { kind: 'row-changed', row: 'intents:j-000000000002', words: expect.stringContaining('before link 1 sealed it') },
  ])
  const store = await openStore<JournalTables>(journalFile(home), journalSchema)
  await expect(store.read((db) => listIntents(db, {}))).rejects.toThrow('was changed outside paydesk')
  await store.close()
})

test('an empty journal of an earlier paydesk has nothing to seal', async () => {
  const home = await earlierHome([])
  const store = await openStore<JournalTables>(journalFile(home), journalSchema)
  expect(await verifyJournal(store, null, new AbortController().signal)).toMatchObject({
    intact: true,
    links: 0,
    sealingLinks: 0,
  })
  await store.close()
})

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJournal } from '../../../../../src/lib/journal/open.ts'
import { openStore } from '../../../../../src/lib/store/engine/open.ts'
import { type IntentRow, type JournalTables, journalSchema } from '../../../../../src/lib/store/journal/schema.ts'
import { sealed } from '../../../../../src/lib/store/journal/seal.ts'
import { hurriedClock, impatient } from '../../../../kit/program/hurried.ts'
import { newHome } from '../../../../kit/program/paydesk.ts'

type EarlierRow = Omit<IntentRow, 'salt' | 'maker' | 'approvers' | 'removed_at'>

const earlierSchema = { title: journalSchema.title, migrations: journalSchema.migrations.slice(0, 5) }

const place = { environment: 'test', service: 'https://pay.example', serviceId: 'https://pay.example', clientId: 'c' }

const paid: Omit<EarlierRow, 'digest'> = {
  ...{ id: 'j-000000000000', operation: 'payout.create', profile: 'hand', environment: 'test' },
  ...{ service: 'https://pay.example', service_id: 'https://pay.example', origin: 'https://pay.example' },
  ...{ client_id: 'c', unique_id: 'u-0', business_key: null, body: '{}', body_digest: 'd', payee: 'p' },
  ...{ amount_minor: '1250', currency: 'GEL', state: 'accepted', transaction_id: '1', status: 'SUCCESS' },
  ...{ status_description: null, service_created_at: null, answer: null, sum_confirmed: 'yes', operator_word: null },
  ...{ because: null, opened_at: '2026-11-20T06:00:00.000Z', changed_at: '2026-11-20T06:00:00.000Z' },
  ...{ holder: null, held_until: null, held_until_steady: null },
}

test('payouts that an earlier paydesk sent count against limits from the first day on', async () => {
  const path = join(newHome(), 'journal', 'journal.db')
  const earlier = await openStore<Omit<JournalTables, 'intents'> & { intents: EarlierRow }>(path, earlierSchema)
  const rows: Partial<IntentRow>[] = [
    {},
    { state: 'unknown', amount_minor: '100', opened_at: '2026-11-20T06:00:59.999Z' },
    { state: 'refused', sum_confirmed: 'taken', amount_minor: '10', currency: 'USD' },
    // None of these counts today.
    { state: 'refused', sum_confirmed: null },
    { state: 'unsent', sum_confirmed: null },
    { operation: 'wallet.finalize' },
    { client_id: 'another' },
    { opened_at: '2026-11-19T19:59:59.999Z' },
  ]
  const named = rows.map((row, at) =>
    sealed<EarlierRow>({ ...paid, ...row, id: `j-00000000000${at}`, unique_id: `u-${at}` }),
  )
  await earlier.write((db) => db.insertInto('intents').values(named).execute())
  await earlier.close()
  const { journal, close } = await openJournal(
    { journal: path, team: null },
    hurriedClock(Date.parse('2026-11-20T06:30:00Z')),
    impatient,
  )
  const { day, hour } = await journal.spent(place)
  await close()
  const told = (list: typeof day) => list.map(({ currency, payouts, units }) => [currency, payouts, units])
  expect(told(day)).toEqual([
    ['GEL', 2n, 1350n],
    ['USD', 1n, 10n],
  ])
  expect(told(hour)).toEqual(told(day))
})

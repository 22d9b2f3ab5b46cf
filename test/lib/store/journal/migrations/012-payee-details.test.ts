import { expect, test } from 'vitest'
import { openStore } from '../../../../../src/lib/store/engine/open.ts'
import { type JournalTables, journalSchema, type PayeeRow } from '../../../../../src/lib/store/journal/schema.ts'
import { sealed } from '../../../../../src/lib/store/journal/seal.ts'
import { mustVerify } from '../../../../kit/journal.ts'
import { newHome, paydesk } from '../../../../kit/program/paydesk.ts'
import { journalFile } from '../../../../kit/store/tampered.ts'

type EarlierPayee = Omit<PayeeRow, 'identity_number' | 'address' | 'birth_date' | 'currency'>

test('a payee that an earlier paydesk listed stands as it was sealed, and takes details', async () => {
  const home = newHome()
  const earlierSchema = { ...journalSchema, migrations: journalSchema.migrations.slice(0, 11) }
  const earlier = await openStore<Omit<JournalTables, 'payees'> & { payees: EarlierPayee }>(
    journalFile(home),
    earlierSchema,
  )
  const row = sealed<EarlierPayee>({
    ...{ id: 'p-000000000001', profile: 'sandbox', name: 'Nino Beridze', account: 'GE29NB0000000101904917' },
    ...{ added_at: '2026-11-20T06:00:00.000Z', salt: 's' },
  })
  await earlier.write((db) => db.insertInto('payees').values(row).execute())
  await earlier.close()
  const run = (...argv: readonly string[]) => paydesk(['payee', ...argv, '-p', 'sandbox', '--json'], { home })
  const listed = await run('list')
  expect(listed.json, listed.stderr).toMatchObject([{ name: 'Nino Beridze', beneficiaryAddress: null, currency: null }])
  await mustVerify({ home })
  const edited = await run('edit', 'p-000000000001', '--beneficiary-address', 'Tbilisi')
  expect(edited.json, edited.stderr).toMatchObject({ beneficiaryAddress: 'Tbilisi' })
  await mustVerify({ home })
})

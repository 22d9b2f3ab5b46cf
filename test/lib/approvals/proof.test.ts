/** An approval in a store that somebody writes to who can make every digest, but no signature. */
import { expect, test } from 'vitest'
import { openStore } from '../../../src/lib/store/engine/sqlite.ts'
import { sealed } from '../../../src/lib/store/journal/digest.ts'
import {
  type ApprovalRow,
  type IntentRow,
  type JournalTables,
  journalSchema,
  type VoteRow,
} from '../../../src/lib/store/journal/schema.ts'
import { approved, asked, did, peopleAtHome } from '../../kit/approval/persons.ts'
import { create } from '../../kit/payment.ts'
import { paydesk } from '../../kit/program/paydesk.ts'
import { journalFile } from '../../kit/store/tampered.ts'

async function scene() {
  const found = await peopleAtHome({ from: '1000' })
  const { around, anna, nino } = found
  const held = await paydesk([...create({ key: 'k', amount: '1200' }), '--json'], around)
  const journalId = String(held.error.journalId)
  const id = await asked(journalId, anna, around)
  /** Writes to the store as paydesk would, chain and all. */
  const forge = async (work: (store: Awaited<ReturnType<typeof openStore<JournalTables>>>) => Promise<unknown>) => {
    const store = await openStore<JournalTables>(journalFile(around.home), journalSchema)
    try {
      await work(store)
    } finally {
      await store.close()
    }
    await did(['journal', 'verify'], around)
  }
  const resume = () => paydesk(['resume', journalId, '-p', 'sandbox', '--json'], around)
  return { ...found, id, nino, forge, resume }
}

test('a word that nobody signed counts for nothing', async () => {
  const { around, id, forge, resume } = await scene()
  const { stdout } = await paydesk(['team', 'key', 'list', '--json'], around)
  const persons = JSON.parse(stdout) as { personId: string }[]
  const vote = {
    ...{ approval_id: id, person_id: persons[1]?.personId ?? '', decision: 'approve', because: '', salt: 'x' },
    ...{ at: '2026-11-20T06:00:00.000Z', signature: 'c2lnbmVk' },
  }
  await forge((store) => store.write((db) => db.insertInto('approval_votes').values(sealed<VoteRow>(vote)).execute()))
  expect((await resume()).code).toBe(13)
})

test('a request whose words were changed is void, whoever had approved it', async () => {
  const { around, id, nino, forge, resume } = await scene()
  await approved(id, nino, around, 'GEL 1200')
  await forge((store) =>
    store.write(async (db) => {
      const { digest: _, ...row } = await db.selectFrom('approvals').selectAll().executeTakeFirstOrThrow()
      const facts = row.facts.replace(/"expiresAt":"\d+/, '"expiresAt":"2999')
      await db
        .updateTable('approvals')
        .set(sealed<ApprovalRow>({ ...row, facts }))
        .execute()
    }),
  )
  const ended = await resume()
  expect(ended).toMatchObject({ code: 13, error: { message: expect.stringContaining(`${id} is void`) } })
})

test('a held request that was changed is neither approved nor sent (1)', async () => {
  const { around, id, nino, forge, resume } = await scene()
  await approved(id, nino, around, 'GEL 1200')
  await forge((store) =>
    store.write(async (db) => {
      const { digest: _, ...row } = await db.selectFrom('intents').selectAll().executeTakeFirstOrThrow()
      const body = row.body.replace('GE29NB0000000101904917', 'GE18SB1000000000000014')
      await db
        .updateTable('intents')
        .set(sealed<IntentRow>({ ...row, body }))
        .execute()
    }),
  )
  expect((await resume()).code).toBe(1)
  const word = ['approval', 'approve', id, '--confirm', 'GEL 1200', '--person-key', nino.file, '--json']
  expect((await paydesk(word, around)).code).toBe(1)
})

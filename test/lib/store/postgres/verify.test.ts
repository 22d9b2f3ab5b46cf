/** A journal in Postgres held against its hash chain: whatever is done to it by another program is found. */
import { expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../../../src/lib/edge.ts'
import { verifyJournal } from '../../../../src/lib/journal/chain.ts'
import type { ChainHead } from '../../../../src/lib/store/chain/chain.ts'
import type { Store } from '../../../../src/lib/store/engine/store.ts'
import { addPayee, removePayee } from '../../../../src/lib/store/journal/payees.ts'
import type { JournalTables } from '../../../../src/lib/store/journal/schema.ts'
import { postgresReading } from '../../../../src/lib/store/postgres/chain.ts'
import { openTeam } from '../../../../src/lib/store/team/schema.ts'
import { postgresServer } from '../../../kit/postgres.ts'

const server = postgresServer()
const nothing = { identity_number: null, address: null, birth_date: null, currency: null }
const facts = { profile: 'acme', name: 'ნინო', added_at: '2026-11-20T06:00:00.000Z', salt: 's', ...nothing }
const { signal } = new AbortController()

const verified = (store: Store<JournalTables>, kept: ChainHead | null = null) =>
  verifyJournal(store, kept, signal, postgresReading)

/** A journal with 250 payees in 51 links, one of them removed again, and a sum that no number of JavaScript can hold. */
async function filled() {
  const address = await server.newAddress()
  const store = await openTeam<JournalTables>(address, { machine: realClock })
  onTestFinished(() => store.close())
  for (let commit = 0; commit < 50; commit += 1) {
    await store.write(async (db) => {
      for (let at = 0; at < 5; at += 1) {
        const id = `y-${commit * 5 + at}`
        await addPayee(db, { ...facts, id, account: `account of ${id}` })
      }
    })
  }
  const spent = { environment: 'live', client_id: 'me', minute: '2026-11-20T06:31', service_id: 's', origin: 'o' }
  await store.write(async (db) => {
    await removePayee(db, { id: 'y-7' })
    await db
      .insertInto('spent')
      .values({ ...spent, currency: 'GEL', payouts: 1n, units: 2n ** 60n })
      .execute()
  })
  return { address, store }
}

test('nothing is found where nothing was done, and a head that was kept is there', async () => {
  const { store } = await filled()
  const head = store.head
  expect(await verified(store, head && { ...head, hash: head.hash.slice(0, 24) })).toMatchObject({
    ...{ intact: true, rows: 250, links: 51, findings: [], moreFindings: 0 },
  })
})

test.each([
  ["update payees set name = 'Nika' where id = 'y-3'", ['the payee y-3 was changed outside paydesk after link 1']],
  [
    "update payees set name = 'Nika', digest = 'made anew' where id = 'y-3'",
    ['the payee y-3 was changed outside paydesk after link 1'],
  ],
  ["delete from payees where id = 'y-12'", ['the payee y-12 was removed outside paydesk after link 3']],
  [
    "insert into payees select 'y-900', profile, name, 'another', added_at, salt, digest from payees where id = 'y-1'",
    ['the payee y-900 was put in outside paydesk'],
  ],
  ['update spent set units = 1', [expect.stringContaining('was changed outside paydesk after link 51')]],
  [
    "update links set changes = '{}' where number = 9",
    expect.arrayContaining([expect.stringContaining('link 9 is not')]),
  ],
  [
    "update links set changes = 'no json' where number = 9",
    expect.arrayContaining([expect.stringContaining('link 9')]),
  ],
  ['delete from links where number = 20', expect.arrayContaining(['link 20 is missing'])],
  [
    'update links set number = -number where number in (5, 6); update links set number = 11 + number where number < 0',
    expect.arrayContaining([expect.stringContaining('link 5 is not what was written there')]),
  ],
])('%s is found', async (text, words) => {
  const { address, store } = await filled()
  await server.run(address, text)
  const found = await verified(store)
  expect(found.intact).toBe(false)
  expect(found.findings.map((finding) => finding.words)).toEqual(words)
})

test('an end that was cut off shows by a head that was kept, and by nothing else', async () => {
  const { address, store } = await filled()
  await store.write((db) => addPayee(db, { ...facts, id: 'y-999', account: 'of the last' }))
  const { head } = store
  await server.run(address, "delete from links where number = 52; delete from payees where id = 'y-999'")
  expect(await verified(store)).toMatchObject({ intact: true })
  expect((await verified(store, head)).findings).toMatchObject([{ kind: 'head-missing', link: 52 }])
})

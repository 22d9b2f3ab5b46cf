/** The hash chain over whatever is written, and over whatever is done to the file behind its back. */
import { dirname } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { realRandom } from '../../../../src/lib/edge.ts'
import { verifyJournal } from '../../../../src/lib/journal/chain.ts'
import { newAttempt, newRow, noLease } from '../../../../src/lib/journal/row.ts'
import type { ChainedTable } from '../../../../src/lib/store/chain/chain.ts'
import { sqliteReading, verifyChain } from '../../../../src/lib/store/chain/verify.ts'
import { openStore } from '../../../../src/lib/store/engine/sqlite.ts'
import type { Schema, Store } from '../../../../src/lib/store/engine/store.ts'
import { addAttempt, addIntent, changeIntent } from '../../../../src/lib/store/journal/intents.ts'
import {
  chained,
  type IntentRow,
  type JournalTables,
  type JournalWriter,
  journalSchema,
} from '../../../../src/lib/store/journal/schema.ts'
import { newHome } from '../../../kit/program.ts'
import { journalFile, memoryStore, tamper, valueIn } from '../../../kit/store.ts'

type Journal = Store<JournalTables>

const now = '2026-11-20T06:00:00.000Z'

async function added(db: JournalWriter, attempts = 1): Promise<IntentRow> {
  const uniqueId = realRandom.uuid()
  const newIntent = {
    ...{ operation: 'payout.create', profile: 'sandbox', environment: 'sandbox', idempotencyKey: null },
    ...{ service: 'http://127.0.0.1:1', serviceId: 'http://127.0.0.1:1', clientId: 'c', uniqueId },
    ...{
      body: '{"beneficiaryName":"ნინო"}',
      bodyDigest: uniqueId,
      payee: 'GE29',
      amountMinor: '1250',
      currency: 'GEL',
    },
  }
  const row = await addIntent(db, newRow(newIntent, realRandom, now, noLease))
  for (let number = 1; number <= attempts; number += 1) {
    await addAttempt(db, newAttempt(row, number, { iso: now, steady: null }))
  }
  return row
}

/** The removal of what is personal in a payment, its id and its end left. */
const withoutPerson = { body: '{}', payee: '', salt: null } as const

const never = new AbortController().signal

const verified = (store: Journal) => verifyJournal(store, null, never)

describe('one link', () => {
  test('for each commit that changed a row, and none for one that did not', async () => {
    const store = await memoryStore<JournalTables>(journalSchema)
    expect(store.head).toBeNull()
    const row = await store.write((db) => added(db))
    expect(store.head?.links).toBe(1)
    await store.write(async () => undefined)
    await store.read((db) => db.selectFrom('intents').selectAll().execute())
    expect(store.head?.links).toBe(1)
    await store.write((db) => changeIntent(db, row, { state: 'accepted' }))
    expect(store.head?.links).toBe(2)
    expect(await verified(store)).toMatchObject({ intact: true, links: 2, rows: 2 })
  })

  test('for all who share a commit', async () => {
    const store = await openStore<JournalTables>(journalFile(newHome()), journalSchema, { sharesCommits: true })
    const rows = await Promise.all(Array.from({ length: 20 }, () => store.write((db) => added(db))))
    expect(store.head?.links).toBe(1)
    await Promise.all(rows.map((row) => store.write((db) => changeIntent(db, row, { state: 'accepted' }))))
    expect(await verified(store)).toMatchObject({ intact: true, links: 2, rows: 40 })
    await store.close()
  })

  test('without the rows of a write that failed among others', async () => {
    const store = await openStore<JournalTables>(journalFile(newHome()), journalSchema, { sharesCommits: true })
    const failing = store.write(async (db) => {
      await added(db)
      throw new Error('changed its mind')
    })
    const [kept, lost] = await Promise.allSettled([store.write((db) => added(db)), failing])
    expect([kept.status, lost.status]).toEqual(['fulfilled', 'rejected'])
    expect(await verified(store)).toMatchObject({ intact: true, links: 1, rows: 2 })
    await store.close()
  })

  test('is not there after a write that failed alone', async () => {
    const store = await openStore<JournalTables>(journalFile(newHome()), journalSchema)
    const failing = store.write(async (db) => {
      await added(db)
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    expect(store.head).toBeNull()
    await store.write((db) => added(db))
    expect(await verified(store)).toMatchObject({ intact: true, links: 1, rows: 2 })
    await store.close()
  })
})

describe('the head', () => {
  test('of a store that is opened again is the one that was left', async () => {
    const path = journalFile(newHome())
    const first = await openStore<JournalTables>(path, journalSchema)
    await first.write((db) => added(db))
    const left = first.head
    await first.close()
    const second = await openStore<JournalTables>(path, journalSchema)
    expect(second.head).toEqual(left)
    await second.close()
  })

  test('follows on the links of other processes', async () => {
    const path = journalFile(newHome())
    const [one, other] = [
      await openStore<JournalTables>(path, journalSchema),
      await openStore<JournalTables>(path, journalSchema),
    ]
    for (let round = 1; round <= 5; round += 1) {
      await Promise.all([one.write((db) => added(db)), other.write((db) => added(db))])
    }
    expect([one.head?.links, other.head?.links].toSorted()).toEqual([10, 9])
    expect(await verified(one)).toMatchObject({ intact: true, links: 10, rows: 20 })
    await one.close()
    await other.close()
  })
})

test('a verification can be stopped, and the store goes on', async () => {
  const store = await memoryStore<JournalTables>(journalSchema)
  await store.write((db) => added(db))
  const stop = new AbortController()
  const stopped = verifyJournal(store, null, stop.signal)
  stop.abort(new Error('enough'))
  await expect(stopped).rejects.toThrow('enough')
  await store.write((db) => added(db))
  expect(await verified(store)).toMatchObject({ intact: true, links: 2 })
})

describe('rows without a digest', () => {
  interface Sums {
    sums: { day: string; units: bigint | number }
  }
  const sums: ChainedTable = { name: 'sums', key: ['day'], plain: ['units'] }
  const schema: Schema = {
    title: 'the sums',
    version: 1,
    tables: ['create table sums (day text primary key, units bigint)'],
    chained: [sums],
  }
  const options = { tables: [sums], digestOf: () => '', mostTold: 10, seen: () => undefined, signal: never }

  test('stand in the chain as they are, also larger than JavaScript can hold', async () => {
    const path = journalFile(newHome())
    const store = await openStore<Sums>(path, schema)
    const units = 2n ** 62n
    await store.write((db) => sql`insert into sums values ('https://a/1', 7)`.execute(db))
    await store.write((db) => sql`insert into sums values ('b', ${units}) on conflict (day) do nothing`.execute(db))
    await store.write((db) =>
      sql`insert into sums values ('b', 1) on conflict (day) do update set units = units + 1`.execute(db),
    )
    expect(await store.lend((db) => verifyChain(db, sqliteReading, options))).toMatchObject({
      rows: 2,
      head: { links: 3 },
      count: 0,
    })
    await store.close()
    const home = dirname(dirname(path))
    expect(valueIn(home, 'select changes from links where number = 3')).toBe(`{"sums:b":"[${units + 1n}]"}`)
    tamper(home, `update sums set units = units - 1`)
    const again = await openStore<Sums>(path, schema)
    expect(await again.lend((db) => verifyChain(db, sqliteReading, options))).toMatchObject({
      first: [
        { kind: 'row-changed', row: 'sums:https://a/1', link: 1 },
        { kind: 'row-changed', row: 'sums:b', link: 3 },
      ],
    })
    await again.close()
  })
})

test('every table of the journal is under the chain', async () => {
  const store = await memoryStore<JournalTables>(journalSchema)
  const found = await store.read((db) =>
    sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`.execute(db),
  )
  const names = found.rows.map(({ name }) => name).filter((name) => name !== 'links' && name !== 'paydesk_store')
  expect(chained.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

test('what is personal can be removed by a commit of its own: the chain stays whole, and tells the removal from a change', async () => {
  const home = newHome()
  const store = await openStore<JournalTables>(journalFile(home), journalSchema)
  const row = await store.write((db) => added(db))
  await store.write((db) => changeIntent(db, row, withoutPerson))
  expect(await verified(store)).toMatchObject({ intact: true, links: 2 })
  await store.close()
  expect(String(valueIn(home, 'select group_concat(changes) from links'))).toContain(row.digest)
  tamper(home, `update intents set salt = '${row.salt}'`)
  const again = await openStore<JournalTables>(journalFile(home), journalSchema)
  expect(await verified(again)).toMatchObject({ intact: false, findings: [{ kind: 'row-changed', link: 2 }] })
  await again.close()
})

test('two rows with the same values have different digests: none lets values be guessed', async () => {
  const store = await memoryStore<JournalTables>(journalSchema)
  const [one, other] = await store.write(async (db) => [await added(db), await added(db)])
  expect(one?.salt).toMatch(/^[0-9a-f]{20}$/)
  expect(one?.salt).not.toBe(other?.salt)
})

type Step = 'add' | 'change' | 'purge' | 'remove' | 'fail' | 'nothing'

const step = fc.constantFrom<Step>('add', 'add', 'change', 'change', 'purge', 'remove', 'fail', 'nothing')
/** Groups of writes that wait at the same time. */
const story = fc.array(fc.array(fc.tuple(step, fc.nat()), { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 6,
})

async function carriedOut(store: Journal, [what, chance]: readonly [Step, number]): Promise<void> {
  await store.write(async (db) => {
    const rows = await db.selectFrom('intents').selectAll().orderBy('id').execute()
    const row = rows[chance % Math.max(rows.length, 1)]
    if (what === 'add' || what === 'fail') await added(db, chance % 3)
    if (what === 'fail') throw new Error('failed')
    if (!row) return
    if (what === 'change') await changeIntent(db, row, { state: 'refused', because: `${chance}` })
    if (what === 'purge') await changeIntent(db, row, withoutPerson)
    if (what === 'remove') {
      await db.deleteFrom('attempts').where('intent_id', '=', row.id).execute()
      await db.deleteFrom('intents').where('id', '=', row.id).execute()
    }
  })
}

/** Everything that one statement may do to one row of a journal. */
const tamperings = [
  `update intents set body = body || ' ' where rowid = (select min(rowid) from intents)`,
  `update intents set salt = 'ff' where rowid = (select max(rowid) from intents)`,
  `update intents set digest = 'x' where rowid = (select min(rowid) from intents)`,
  `update attempts set number = number + 7 where rowid = (select max(rowid) from attempts)`,
  'delete from attempts where rowid = (select min(rowid) from attempts)',
  'delete from intents where rowid = (select max(rowid) from intents)',
  'delete from links where number = 1',
  `update links set changes = '{}' where number = (select max(number) from links)`,
  `update links set changes = changes || ' ' where number = (select max(number) from links)`,
  `update links set hash = upper(hash) || 'x' where number = 1`,
  `insert into links select max(number) + 1, 'hash', 0, '{}' from links`,
  `insert into links select -1, hash, 0, changes from links limit 1`,
]

/** Writes a journal, verifies it, changes it behind its back, and looks again. `isEmpty`: there was nothing to change. */
async function tamperedAfter(groups: readonly (readonly (readonly [Step, number])[])[], tampering: string) {
  const home = newHome()
  const store = await openStore<JournalTables>(journalFile(home), journalSchema, { sharesCommits: true })
  for (const group of groups) await Promise.allSettled(group.map((each) => carriedOut(store, each)))
  const { links } = await verified(store)
  expect(await verified(store)).toMatchObject({ intact: true, findings: [] })
  expect(links).toBeLessThanOrEqual(groups.length)
  expect(store.head?.links ?? 0).toBe(links)
  await store.close()
  tamper(home, tampering)
  const again = await openStore<JournalTables>(journalFile(home), journalSchema)
  const { intact } = await verified(again)
  await again.close()
  const isEmpty = valueIn(home, `select count(*) from ${/(intents|attempts|links)/.exec(tampering)?.[1]}`) === 0
  return { intact, isEmpty }
}

test.each(tamperings)('of three links and two payments, one is found by: %s', async (tampering) => {
  const groups = [[['add', 1]], [['add', 2]], [['change', 0]]] as const
  expect(await tamperedAfter(groups, tampering)).toMatchObject({ intact: false })
})

test('any story of writes verifies, and any one change behind its back is found', { timeout: 120_000 }, async () => {
  const tries = { intact: 0, found: 0 }
  await fc.assert(
    fc.asyncProperty(story, fc.constantFrom(...tamperings), async (groups, tampering) => {
      const { intact, isEmpty } = await tamperedAfter(groups, tampering)
      tries.intact += 1
      // Where there was nothing to change nothing was changed.
      if (!isEmpty) expect([tampering, intact]).toEqual([tampering, false])
      if (!intact) tries.found += 1
    }),
    { numRuns: 30 },
  )
  expect(tries.found).toBeGreaterThan(tries.intact / 3)
})

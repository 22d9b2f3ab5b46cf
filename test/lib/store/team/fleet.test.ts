/** The chunks of a plan in which something is to be sent, as a fleet is told of them. */
import { expect, onTestFinished, test } from 'vitest'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { createPayout } from '../../../../src/lib/contract/payout/payout.ts'
import { realClock, realRandom } from '../../../../src/lib/edge.ts'
import { newRow, noLease } from '../../../../src/lib/journal/row.ts'
import { withDigest } from '../../../../src/lib/store/journal/digest.ts'
import type { IntentRow } from '../../../../src/lib/store/journal/schema.ts'
import { changeHanded, handedPlan, handPlan, openChunks } from '../../../../src/lib/store/team/fleet.ts'
import { type FleetTables, openTeam } from '../../../../src/lib/store/team/schema.ts'
import { postgresServer } from '../../../kit/postgres.ts'
import { intent as plain } from '../../../kit/store.ts'

const server = postgresServer()
const planId = 'b-3f9a1c2b7d10'
const now = '2026-11-20T06:31:00.000Z'
const client = {
  operation: createPayout.name,
  environment: 'live',
  client_id: 'c',
  service_id: 'https://service.example',
  origin: 'https://service.example',
}

async function newStore() {
  const store = await openTeam<FleetTables>(await server.newAddress(), { machine: realClock })
  onTestFinished(() => store.close())
  return store
}

/** A plan of one row, with the id `id`; and what the journal knows under that id. */
async function known(more: { readonly operation?: string; readonly state: string }) {
  const store = await newStore()
  await store.write(async (db) => {
    const plan = { facts: '{}', planned_at: now, expires_at: now, conditions: '[]', discarded_at: null, complete: 1 }
    const nobody = { holder: null, held_since: null, held_until: null, held_until_steady: null }
    await db
      .insertInto('plans')
      .values({ id: planId, ...plan, ...nobody })
      .execute()
    const row = { number: 2, unique_id: 'id', business_key: null, content: '', request: '{}', payee: 'p', source: '[]' }
    const sum = { amount_minor: '125', currency: 'GEL', payment: null, known_opened_at: null, known_changed_at: null }
    await db
      .insertInto('plan_rows')
      .values({ plan_id: planId, ...row, ...sum })
      .execute()
    const opened = newRow(plain({ uniqueId: 'id' }), realRandom, now, noLease)
    await db
      .insertInto('intents')
      .values(withDigest<IntentRow>({ ...opened, ...more }))
      .execute()
  })
  return (everyRefused: boolean, gone: readonly string[] = []) =>
    store.ask((db) => openChunks(db, { planId, rowsPerChunk: 50, now, everyRefused, gone }, client))
}

test('a row is not through because another write has its id', async () => {
  const open = await known({ operation: createOrder.name, state: 'accepted' })
  expect(await open(false)).toEqual([0])
})

test('a row that was paid is through', async () => {
  const open = await known({ state: 'accepted' })
  expect(await open(true)).toEqual([])
})

test('one that was refused since it was planned is looked at once more when the plan is handed over', async () => {
  const open = await known({ state: 'refused' })
  expect(await open(true)).toEqual([0])
  expect(await open(false)).toEqual([])
})

test('a reason in words of the service that no database keeps stops a plan all the same', async () => {
  const store = await newStore()
  const row = { plan_id: planId, queue: 'rows', handed_at: now, stopped: null, stopped_kind: null }
  await store.write((db) =>
    handPlan(db, { ...row, ended_at: null, swept_at: null, rate: null, next_turn: null, allow_duplicates: 0 }),
  )
  await store.write((db) => changeHanded(db, planId, { stopped: 'no\0thing \ud800' }))
  expect(await store.ask((db) => handedPlan(db, planId))).toMatchObject({ stopped: 'no\ufffdthing \ufffd' })
})

test('one on its way is looked at again when its lease ends, and at once if its holder is gone', async () => {
  const lease = { holder: 'here/1', held_until: new Date(Date.now() + 60_000).toISOString() }
  const open = await known({ state: 'unknown', ...lease })
  expect(await open(false)).toEqual([])
  expect(await open(false, ['here/2'])).toEqual([])
  expect(await open(false, ['here/1'])).toEqual([0])
})

/** Approvals in the transaction that opens an intent, on both engines. */
import { expect, test } from 'vitest'
import { readPersonKey } from '../../../src/lib/approvals/signatures.ts'
import type { ApprovablePlan } from '../../../src/lib/approvals/subject.ts'
import { type Clock, realRandom } from '../../../src/lib/edge.ts'
import type { Guard } from '../../../src/lib/journal/duplicates.ts'
import type { NewIntent } from '../../../src/lib/journal/intent.ts'
import { Journal } from '../../../src/lib/journal/journal.ts'
import type { Verdict } from '../../../src/lib/journal/verdict.ts'
import { journalStores } from '../../kit/postgres.ts'
import { watchStatements } from '../../kit/store.ts'
import { keyFile } from '../../kit/team.ts'

const newStore = journalStores()

const place = { environment: 'test', service: 'https://pay.example', serviceId: 'https://pay.example', clientId: 'me' }

function payout(name: string | number, units: number, more: Partial<NewIntent> = {}): NewIntent {
  return {
    ...{ ...place, operation: 'payout.create', profile: 'acme', uniqueId: `id-${name}`, idempotencyKey: `key-${name}` },
    ...{ body: `{"amount":"${units}"}`, bodyDigest: `digest of ${units}`, payee: 'GE29NB0000000101904917' },
    ...{ amountMinor: String(units), currency: 'GEL', ...more },
  }
}

const guard: Guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: true }
const words = { http: 400, statusCode: 5042, exceptionGroup: 1, message: 'no' }
const accepted: Verdict = {
  ...{ kind: 'accepted', transactionId: '1', status: 'INITIAL', statusDescription: '', createdAt: '', answer: null },
}
const refused: Verdict = { kind: 'refused', words, bodyOnly: false, status: null }
const unsent: Verdict = { kind: 'unsent', why: 'ECONNREFUSED' }

const day = 24 * 3_600_000

async function scene(from = 1000n) {
  const store = await newStore()
  let now = Date.parse('2026-11-20T06:00:00Z')
  const clock: Clock = {
    now: () => now,
    steady: () => ({ boot: 'this', milliseconds: now }),
    sleep: () => Promise.resolve(),
  }
  const journal = new Journal(store, clock, realRandom, { self: 'me', standing: () => 'alive' })
  const [anna, nino] = [readPersonKey(keyFile().file), readPersonKey(keyFile().file)]
  const { team, approvals } = await journal.fourEyes()
  const rule = async () => {
    await team.add({ name: 'Anna', publicKey: null, role: 'administrator' }, anna)
    await team.add({ name: 'Nino', publicKey: nino.publicKey, role: 'member' }, anna)
    if (from > 0n) await team.addRule({ currency: 'GEL', from_units: String(from), approvers: 1 }, anna)
  }
  if (from > 0n) await rule()
  const begin = (newIntent: NewIntent, more: Partial<Guard> = {}) =>
    journal.begin(newIntent, { ...guard, ...more }, 155_000, 'recognised')
  const approve = async (id: string) => approvals.decide(await approvals.show(id), 'approve', '', nino)
  return {
    ...{ store, journal, approvals, anna, nino, begin, approve, team },
    /** Holds a draft and has it approved. */
    async approved(newIntent: NewIntent) {
      const held = await begin(newIntent)
      if (held.kind !== 'held') throw new Error(`it is ${held.kind}`)
      const id = await approvals.requestPayment(held.intent.journalId, day, anna)
      await approve(id)
      return id
    },
    async open(newIntent: NewIntent, more: Partial<Guard> = {}) {
      const begun = await begin(newIntent, more)
      if (begun.kind !== 'begun') throw new Error(`it is ${begun.kind}`)
      return begun
    },
    passes: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

test('an approval whose payment did not leave stands for the same payment; after a refusal it was used', async () => {
  const { approved, open, begin, journal } = await scene()
  await approved(payout('a', 1000))
  const first = await open(payout('a', 1000))
  await journal.finish(first.intent, first.attempt, unsent)
  const again = await journal.again(first.intent, [])
  expect(again.kind).toBe('begun')
  await journal.finish(first.intent, 2, unsent)
  await journal.release(first.intent)
  const later = await open(payout('a', 1000))
  await journal.finish(later.intent, later.attempt, refused)
  await journal.release(later.intent)
  expect(await begin(payout('a', 1000))).toMatchObject({ kind: 'held', waits: { asked: null } })
})

test('a look says that it waits, and writes nothing', async () => {
  const { journal } = await scene()
  expect(await journal.look(payout('a', 1000), guard)).toMatchObject({ kind: 'open', isHeldBack: true })
  expect(await journal.list({})).toEqual([])
})

const plan: ApprovablePlan = {
  ...{ ...place, planId: 'b-000000000001', hash: 'hash', profile: 'acme', file: 'p.csv', rows: 40 },
  ...{ totals: { GEL: '20000' }, operation: 'payout.create' },
}

test('rows of an approved plan go out together, count as approved, and go on after the first', async () => {
  const { journal, approvals, anna, approve, begin } = await scene()
  const rows = Array.from({ length: 40 }, (_, at) => payout(at, 500))
  const all = (more: Partial<Guard>) => {
    const own = { ...guard, sendsHeld: false, ...more }
    return Promise.all(rows.map((newIntent) => journal.begin(newIntent, own, 155_000, 'recognised')))
  }
  const fourEyes = await journal.fourEyes()
  const sums = new Map([['GEL', 20_000n]])
  expect(await fourEyes.planRuling(plan, place, sums)).toMatchObject({ needs: 1, because: expect.any(String) })
  const id = await approvals.requestPlan(plan, day, anna)
  await approve(id)
  expect(await fourEyes.planRuling(plan, place, sums)).toMatchObject({ because: null })
  expect(await fourEyes.planRuling({ ...plan, hash: 'other' }, place, sums)).toMatchObject({
    because: expect.any(String),
  })
  const held = await journal.begin(payout('x', 1000), { ...guard, plan: { ...plan, hash: 'other' } }, 1, 'recognised')
  expect(held.kind).toBe('held')
  expect((await all({ plan })).map(({ kind }) => kind)).toEqual(rows.map(() => 'begun'))
  expect((await begin(payout('small', 999))).kind).toBe('begun')
  expect((await begin(payout('more', 1))).kind).toBe('held')
  expect((await begin(payout('late', 5000), { plan })).kind).toBe('begun')
})

test.each<[string, Partial<Guard>]>([
  ['of no plan', {}],
  ['of another plan', { plan: { ...plan, hash: 'other' } }],
  ['of the plan, sent from another address', { plan, sender: { ...place, service: 'https://other.example' } }],
])('opening together: a payment %s is not covered by the approval of the rows beside it', async (_what, more) => {
  const { journal, approvals, anna, approve } = await scene()
  await approve(await approvals.requestPlan(plan, day, anna))
  const guards: readonly Partial<Guard>[] = [{ plan }, more, { plan }]
  const all = guards.map((each, at) => journal.begin(payout(at, 1000), { ...guard, ...each }, 155_000, 'recognised'))
  expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(['begun', 'held', 'begun'])
})

test.each(['its time is over', 'its approver is revoked'])(
  'a plan is weighed whole to its last row: %s after the first, and the next one is held, however small',
  async (what) => {
    const { approvals, anna, approve, begin, open, team, passes } = await scene()
    await approve(await approvals.requestPlan(plan, 3_600_000, anna))
    await open(payout('first', 500), { plan })
    if (what === 'its time is over') passes(2 * 3_600_000)
    else await team.revoke('Nino', anna)
    const next = await begin(payout('next', 1), { plan })
    expect(next).toMatchObject({
      kind: 'held',
      intent: { because: expect.stringContaining('GEL 200.00 needs the approval of 1') },
    })
    const both = [payout('b', 2), payout('c', 3)].map((newIntent) => begin(newIntent, { plan }))
    expect((await Promise.all(both)).map(({ kind }) => kind)).toEqual(['held', 'held'])
    expect((await begin(payout('other', 1, { currency: 'USD' }), { plan })).kind).toBe('held')
  },
)

test('a plan below the sum is not held by its own rows; one that needed its approval for the day’s sake is, when that lapses', async () => {
  const { approvals, anna, approve, begin, open, passes } = await scene(30_000n)
  for (const at of Array.from({ length: 36 }, (_, number) => number)) await open(payout(at, 500), { plan })
  const second = { ...plan, planId: 'b-00000000000b', hash: 'second' }
  await approve(await approvals.requestPlan(second, 3_600_000, anna))
  await open(payout('first', 500), { plan: second })
  passes(2 * 3_600_000)
  expect((await begin(payout('next', 500), { plan: second })).kind).toBe('held')
})

test('rows together that no plan covers are held from the sum on, each by itself', async () => {
  const { journal } = await scene()
  const rows = Array.from({ length: 40 }, (_, at) => payout(at, 100))
  const kinds = (await Promise.all(rows.map((newIntent) => journal.begin(newIntent, guard, 1, 'recognised')))).map(
    ({ kind }) => kind,
  )
  expect(kinds.filter((kind) => kind === 'begun')).toHaveLength(9)
  expect(kinds.filter((kind) => kind === 'held')).toHaveLength(31)
})

test('a person who was put in between approves nothing, nor does a vote under another name', async () => {
  const { approved, begin, store, approvals } = await scene()
  const id = await approved(payout('a', 1000))
  const { approval } = await approvals.show(id)
  expect(approval.approvers).toHaveLength(1)
  await store.write((db) => db.updateTable('approval_votes').set({ person_id: approval.row.maker }).execute())
  await expect(begin(payout('a', 1000))).rejects.toMatchObject({ kind: 'bug' })
})

test('a payment in a store without an approval rule costs one statement about approvals, or none where the store decides', async () => {
  const { store, journal, open } = await scene(0n)
  await open(payout('first', 1))
  const texts = watchStatements()
  const { intent, attempt } = await open(payout('second', 1))
  await journal.finish(intent, attempt, accepted)
  const asked = texts.filter((text) => /approval|persons|day_sums/.test(text))
  if (store.commitWhole) return expect([texts.length, asked.length]).toEqual([2, 0])
  expect(texts.length).toBeGreaterThan(5)
  expect(asked).toHaveLength(1)
})

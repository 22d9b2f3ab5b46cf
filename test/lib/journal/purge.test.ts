/** A purge in the store, whichever engine it has: groups of one link each, and what must stay whole. */
import { expect, test, vi } from 'vitest'
import type { Clock, Random } from '../../../src/lib/edge.ts'
import { verifyJournal } from '../../../src/lib/journal/chain.ts'
import type { Intent, NewIntent } from '../../../src/lib/journal/intent.ts'
import { Journal } from '../../../src/lib/journal/journal.ts'
import type { ThisProcess } from '../../../src/lib/journal/lease.ts'
import { purgeJournal } from '../../../src/lib/journal/purge.ts'
import type { Verdict } from '../../../src/lib/journal/verdict.ts'
import type { Store } from '../../../src/lib/store/engine/store.ts'
import { addApproval } from '../../../src/lib/store/journal/approvals.ts'
import type { JournalTables } from '../../../src/lib/store/journal/schema.ts'
import { postgresReading } from '../../../src/lib/store/postgres/chain.ts'
import { beneficiaryIban } from '../../kit/payment.ts'
import { isOnServer, journalStores } from '../../kit/postgres.ts'

// Each test pays many times through a store.
vi.setConfig({ testTimeout: 60_000 })

const newStore = journalStores()
const never = new AbortController().signal
const start = Date.parse('2026-09-20T06:00:00Z')
const later = Date.parse('2026-11-20T06:00:00Z')
const before = '2026-10-01T00:00:00.000Z'
const guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: true } as const

const words = { http: 400, statusCode: 5038, exceptionGroup: 1, message: 'Nino Beridze has no such account' }
const ends = {
  paid: accepted('SUCCESS'),
  rejected: accepted('REJECTED'),
  initial: accepted('INITIAL'),
  strange: accepted('SOMETHING'),
  refused: { kind: 'refused', words, bodyOnly: false, status: null },
  unsent: { kind: 'unsent', why: 'ECONNREFUSED' },
  busy: { kind: 'turned-away', by: 'rate', words, wait: null },
  lost: { kind: 'unknown', why: 'reset', words: null },
  taken: { kind: 'duplicate', words: { ...words, statusCode: 5017 } },
  other: { kind: 'unknown', why: 'another sum', words: null, otherSum: 'amount is 99.00, not 12.50' },
} as const satisfies Record<string, Verdict>

function accepted(status: string) {
  const facts = { transactionId: '1', status, statusDescription: 'paid to Nino Beridze' }
  return { kind: 'accepted', ...facts, createdAt: '', answer: null } as const
}

function payout(name: string | number): NewIntent {
  const uniqueId = `id-${name}`
  const request = {
    amount: '12.50',
    currency: 'GEL',
    uniqueId,
    toIban: beneficiaryIban,
    beneficiaryName: 'Nino Beridze',
  }
  return {
    ...{ environment: 'test', service: 'https://pay.example', serviceId: 'https://pay.example', clientId: 'me' },
    ...{ operation: 'payout.create', profile: 'acme', uniqueId, idempotencyKey: `key-${name}` },
    ...{ body: JSON.stringify(request), bodyDigest: `digest ${name}`, payee: beneficiaryIban },
    ...{ amountMinor: '1250', currency: 'GEL' },
  }
}

const leaseHolder: ThisProcess = { self: 'me', standing: () => 'alive' }

let ids = 0
const random: Random = {
  uuid: () => {
    ids += 1
    return `${String(ids).padStart(12, '0').slice(0, 8)}-${String(ids).padStart(12, '0').slice(8)}-4000-8000-${String(ids).padStart(12, '0')}`
  },
  fraction: () => 0,
  secret: () => '',
  rsaKeyPair: () => Promise.reject(new Error('the journal makes no keys')),
}

async function scene() {
  const store = await newStore()
  const clock: Clock = { now: () => start, steady: () => null, sleep: () => Promise.reject(new Error('no sleep')) }
  const journal = new Journal(store, clock, random, leaseHolder)
  return {
    ...{ store, journal },
    async pay(name: string | number, end: keyof typeof ends, isGivenFree = true): Promise<Intent> {
      const begun = await journal.begin(payout(name), guard, 155_000, 'recognised')
      if (begun.kind !== 'begun') throw new Error(begun.kind)
      const intent = await journal.finish(begun.intent, begun.attempt, ends[end])
      if (isGivenFree) await journal.release(intent)
      return intent
    },
    async stateOf({ journalId }: Intent) {
      const [intent] = await journal.list({ named: journalId })
      return intent
    },
  }
}

const purged = (store: Store<JournalTables>, dryRun = false, profile: string | null = null) =>
  purgeJournal(store, { before, profile, dryRun }, { now: later, steady: null, leaseHolder }, random, never)

const verified = (store: Store<JournalTables>) => verifyJournal(store, null, never, isOnServer ? postgresReading : null)

test.each(['paid', 'rejected', 'refused', 'unsent'] as const)('%s goes, and its outcome stays', async (end) => {
  const { store, journal, pay, stateOf } = await scene()
  const intent = await pay('one', end)
  const [attempt] = await journal.attempts(intent)
  expect(await purged(store)).toMatchObject({ removed: 1 })
  const after = await stateOf(intent)
  const { body: _body, payee: _payee, statusDescription: _words, because: _because, ...facts } = intent
  const isSent = end === 'paid' || end === 'rejected'
  expect(after).toMatchObject({
    ...facts,
    ...{ holder: null, leaseUntil: null, heldUntilSteady: null, changedAt: expect.any(String) },
    ...{ payee: 'removed', statusDescription: isSent ? 'removed' : null, removedAt: new Date(later).toISOString() },
  })
  expect(JSON.stringify([after, await journal.attempts(intent)])).not.toMatch(/Nino|GE29/)
  const [left] = await journal.attempts(intent)
  expect(left).toMatchObject({ outcome: attempt?.outcome, statusCode: attempt?.statusCode, endedAt: attempt?.endedAt })
  expect(await verified(store)).toMatchObject({ intact: true })
})

test.each([
  ['initial', 'notEnded'],
  ['strange', 'notEnded'],
  ['busy', 'open'],
  ['lost', 'open'],
  ['taken', 'open'],
  ['other', 'open'],
] as const)('%s stays whole: %s', async (end, why) => {
  const { store, pay, stateOf } = await scene()
  const intent = await pay('one', end)
  const { head } = await verified(store)
  expect(await purged(store)).toMatchObject({ removed: 0, kept: { [why]: 1 } })
  expect(await stateOf(intent)).toMatchObject({ body: intent.body, payee: beneficiaryIban, removedAt: null })
  expect((await verified(store)).head).toBe(head)
})

test('what a process has in flight stays, whatever its last attempt came to', async () => {
  const { store, pay } = await scene()
  await pay('one', 'refused', false)
  expect(await purged(store)).toMatchObject({ removed: 0, kept: { open: 1 } })
})

test('what is contradicted stays', async () => {
  const { store, journal, pay } = await scene()
  await journal.noteStatus([{ intent: await pay('ended', 'paid'), isThere: false }], 'REJECTED', null)
  await journal.noteSum(await pay('sum', 'paid'), 'amount is 99.00, not 12.50')
  expect(await purged(store)).toMatchObject({ removed: 0, kept: { open: 2 } })
})

test('what the operator has settled goes, the word too', async () => {
  const { store, journal, pay, stateOf } = await scene()
  const lost = await pay('one', 'lost')
  await journal.close(lost, 'exists', 'Nino Beridze has it on her statement', { byOperator: true })
  expect(await purged(store)).toMatchObject({ removed: 1 })
  expect(await stateOf(lost)).toMatchObject({ state: 'exists', operatorWord: 'removed' })
})

test('what others have signed stays', async () => {
  const { store, pay } = await scene()
  const { journalId } = await pay('one', 'paid')
  const asked = { id: 'a-1', subject: 'payment', subject_id: journalId, maker: 'p-1', requested_at: before }
  await store.write((db) => addApproval(db, { ...asked, facts: '{}', signature: '', used_at: null, salt: '' }))
  expect(await purged(store)).toMatchObject({ removed: 0, kept: { approved: 1 } })
})

test('another profile, and what was touched since, stay', async () => {
  const { store, pay } = await scene()
  await pay('one', 'paid')
  expect(await purged(store, false, 'other')).toMatchObject({ removed: 0 })
  const soon = { before: new Date(start).toISOString(), profile: null, dryRun: false }
  const present = { now: later, steady: null, leaseHolder }
  expect(await purgeJournal(store, soon, present, random, never)).toMatchObject({ removed: 0 })
  const tooNew = { ...soon, before: new Date(later).toISOString() }
  await expect(purgeJournal(store, tooNew, present, random, never)).rejects.toMatchObject({ kind: 'usage' })
})

test('a group is one link; one that fails leaves those before it whole, and itself as it was', async () => {
  const { store, journal, pay } = await scene()
  for (let at = 0; at < 205; at += 1) await pay(at, 'paid')
  const links = (await verified(store)).links
  expect(await purged(store, true)).toMatchObject({ removed: 205, removedAt: null })
  let writes = 0
  const failing: Store<JournalTables> = {
    ...{ head: null, outdated: null, read: (work) => store.read(work), ask: (work) => store.ask(work) },
    ...{ lend: (work) => store.lend(work), close: async () => undefined },
    write: (work) =>
      store.write(async (db) => {
        writes += 1
        const result = await work(db)
        if (writes === 2) throw new Error('the disk is gone')
        return result
      }),
  }
  await expect(purged(failing)).rejects.toThrow('the disk is gone')
  const gone = async () => (await journal.list({})).filter(({ removedAt }) => removedAt !== null)
  expect(await gone()).toHaveLength(200)
  expect(await verified(store)).toMatchObject({ intact: true, links: links + 1 })
  expect(await purged(store)).toMatchObject({ removed: 5 })
  expect(await gone()).toHaveLength(205)
  expect(await verified(store)).toMatchObject({ intact: true, links: links + 2 })
})

test('the same body is from the journal afterwards, another one is refused', async () => {
  const { store, journal, pay } = await scene()
  await pay('one', 'paid')
  await purged(store)
  expect(await journal.look(payout('one'), guard)).toMatchObject({ kind: 'done' })
  const other = { ...payout('one'), bodyDigest: 'another' }
  await expect(journal.look(other, guard)).rejects.toMatchObject({ kind: 'duplicate' })
})

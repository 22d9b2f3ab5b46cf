import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import type { Clock, Random } from '../../../src/lib/edge.ts'
import { Failure } from '../../../src/lib/failure.ts'
import type { Guard } from '../../../src/lib/journal/duplicates.ts'
import type { Intent, NewIntent } from '../../../src/lib/journal/intent.ts'
import { Journal } from '../../../src/lib/journal/journal.ts'
import type { HolderState } from '../../../src/lib/journal/lease.ts'
import type { Verdict } from '../../../src/lib/journal/verdict.ts'
import type { Store } from '../../../src/lib/store/engine/store.ts'
import type { JournalTables } from '../../../src/lib/store/journal/schema.ts'
import { journalStores } from '../../kit/postgres.ts'

// Each test pays many times through a store.
vi.setConfig({ testTimeout: 60_000 })

const newStore = journalStores()

const newIntent: NewIntent = {
  operation: 'payout.create',
  profile: 'box',
  environment: 'sandbox',
  service: 'http://localhost:1',
  serviceId: 'http://127.0.0.1:1',
  clientId: 'me',
  uniqueId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
  idempotencyKey: null,
  body: '{"amount":"12.50"}',
  bodyDigest: 'digest of 12.50',
  payee: 'GE29NB0000000101904917',
  amountMinor: '1250',
  currency: 'GEL',
}

const otherService = { service: 'http://localhost:2', serviceId: 'http://127.0.0.1:2' }

const off: Guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: true }
const refuse: Guard = { ...off, duplicates: 'refuse' }
const warn: Guard = { ...off, duplicates: 'warn' }
const lease = 155_000
const hour = 3_600_000

const words = { http: 400, statusCode: 5038, exceptionGroup: 1, message: 'Insufficient balance' }
const accepted: Verdict = {
  kind: 'accepted',
  transactionId: '9007199254740993',
  status: 'INITIAL',
  statusDescription: 'Initial',
  createdAt: '2026-11-20T10:00:00.123456789',
  answer: null,
}
const refused: Verdict = { kind: 'refused', words, bodyOnly: false, status: null }
const duplicate: Verdict = { kind: 'duplicate', words: { ...words, statusCode: 5017 } }
const unsent: Verdict = { kind: 'unsent', why: 'ECONNREFUSED' }
const busy: Verdict = { kind: 'turned-away', by: 'rate', words, wait: null }
const lost: Verdict = { kind: 'unknown', why: 'reset', words: null }

/** A journal in memory whose time, ids and neighbours the test decides. */
async function desk() {
  const inner = await newStore()
  let writes = 0
  const store: Store<JournalTables> = {
    head: null,
    read: (work) => inner.read(work),
    ask: (statement) => inner.ask(statement),
    lend: (work) => inner.lend(work),
    get outdated() {
      return inner.outdated
    },
    close: () => inner.close(),
    write: (work) => {
      writes += 1
      return inner.write(work)
    },
  }
  let now = Date.parse('2026-11-20T06:00:00Z')
  let ahead = 0
  let ids = 0
  const standings = new Map<string, HolderState>()
  const clock: Clock = {
    now: () => now + ahead,
    steady: () => ({ boot: 'this', milliseconds: now }),
    sleep: () => Promise.reject(new Error('the journal does not sleep')),
  }
  const random: Random = {
    uuid: () => {
      ids += 1
      return `${String(ids).padStart(8, '0')}-0000-4000-8000-000000000000`
    },
    fraction: () => 0,
    secret: () => '',
    rsaKeyPair: () => Promise.reject(new Error('the journal makes no keys')),
  }
  const of = (self: string) => {
    standings.set(self, 'alive')
    return new Journal(store, clock, random, { self, standing: (holder) => standings.get(holder) ?? 'gone' })
  }
  return {
    store: inner,
    journal: of('me'),
    other: of('other'),
    writes: () => writes,
    passes: (milliseconds: number) => {
      now += milliseconds
    },
    /** The clock is set, and no time passes. */
    isSet: (milliseconds: number) => {
      ahead += milliseconds
    },
    dies: (self: string) => standings.set(self, 'gone'),
    /** Works where it cannot be looked up. */
    leaves: (self: string) => standings.set(self, 'unknown'),
  }
}

async function begun(journal: Journal, given: NewIntent = newIntent, guard: Guard = off) {
  const result = await journal.begin(given, guard, lease, 'recognised')
  if (result.kind !== 'begun') throw new Error(`it is ${result.kind}`)
  return result
}

/** The number of one more attempt. */
async function again(journal: Journal, intent: Intent): Promise<number> {
  const opened = await journal.again(intent, [])
  if (opened.kind === 'held') throw new Error('it is held')
  return opened.attempt
}

/** A payment that was tried, once for each verdict, and given free. */
async function tried(journal: Journal, verdicts: readonly Verdict[], given: NewIntent = newIntent): Promise<Intent> {
  const first = await begun(journal, given)
  let { intent } = first
  let { attempt } = first
  for (const [index, verdict] of verdicts.entries()) {
    if (index > 0) attempt = await again(journal, intent)
    intent = await journal.finish(intent, attempt, verdict)
  }
  await journal.release(intent)
  return intent
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Failure)) throw new Error(`no Failure but ${error}`)
  return error
}

async function only(journal: Journal): Promise<Intent> {
  const [intent, ...more] = await journal.list({})
  if (!intent || more.length > 0) throw new Error('not exactly one intent')
  return intent
}

describe('beginning', () => {
  test('makes intent and attempt durable in one commit, unknown until an outcome is recorded', async () => {
    const { journal, writes } = await desk()
    const { intent, attempt, suspected, unresolved } = await begun(journal)
    expect([writes(), attempt, suspected, unresolved]).toEqual([1, 1, null, null])
    expect(await only(journal)).toEqual(intent)
    expect(intent).toMatchObject({
      ...newIntent,
      state: 'unknown',
      transactionId: null,
      openedAt: '2026-11-20T06:00:00.000Z',
      holder: 'me',
      leaseUntil: '2026-11-20T06:02:35.000Z',
    })
    expect(intent.journalId).toMatch(/^j-[0-9a-f]{12}$/)
    expect(await journal.attempts(intent)).toEqual([
      {
        number: 1,
        bodyDigest: newIntent.bodyDigest,
        startedAt: '2026-11-20T06:00:00.000Z',
        startedSteady: `this/${Date.parse('2026-11-20T06:00:00Z')}`,
        endedAt: null,
        outcome: null,
        http: null,
        statusCode: null,
        exceptionGroup: null,
        message: null,
        why: null,
        known: null,
      },
    ])
  })

  test('decides in its own transaction: attempts that no clearance speaks for have to be asked for first', async () => {
    const { journal, other } = await desk()
    expect(await other.look(newIntent, off)).toMatchObject({ unresolved: null, attempts: 0 })
    const { journalId } = await tried(journal, [lost])
    expect(await other.begin(newIntent, off, lease, 0)).toMatchObject({ kind: 'unresolved', intent: { journalId } })
    expect(await other.attempts(await only(other))).toHaveLength(1)
    expect(await other.begin(newIntent, off, lease, 1)).toMatchObject({ kind: 'begun', attempt: 2 })
  })

  test('leaves no intent where the attempt cannot be recorded', async () => {
    const { journal, store } = await desk()
    await store.write((db) => sql`alter table attempts add column needed text check (needed is not null)`.execute(db))
    await expect(begun(journal)).rejects.toThrow(/check constraint/i)
    expect(await journal.list({})).toEqual([])
  })

  test('once more is one more attempt of the same intent, recorded before it is made', async () => {
    const { journal } = await desk()
    const { intent } = await begun(journal)
    await journal.finish(intent, 1, lost)
    expect(await again(journal, intent)).toBe(2)
    expect((await journal.attempts(intent)).map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, 'unknown'],
      [2, null],
    ])
    expect((await only(journal)).state).toBe('unknown')
  })

  test('looking writes nothing', async () => {
    const { journal, writes } = await desk()
    expect(await journal.look(newIntent, refuse)).toEqual({
      kind: 'open',
      suspected: null,
      unresolved: null,
      conflict: null,
      attempts: 0,
      isHeldBack: false,
    })
    expect([writes(), await journal.list({})]).toEqual([0, []])
  })

  test('an id belongs to a service, a client and an operation: elsewhere it is another payment', async () => {
    const { journal } = await desk()
    await tried(journal, [accepted])
    const others = [otherService, { clientId: 'you' }, { environment: 'live' }, { operation: 'order.create' }]
    for (const elsewhere of others) {
      expect(await journal.look({ ...newIntent, ...elsewhere, bodyDigest: 'x' }, off)).toMatchObject({ kind: 'open' })
    }
  })
})

describe('one profile and client at two addresses, neither of them the sandbox', () => {
  const here = { ...newIntent, environment: 'test', idempotencyKey: 'salary-11' }
  const there = { ...here, ...otherService, uniqueId: 'another id of the same key' }

  test.each([
    ['executed', accepted],
    ['unknown', lost],
  ] as const)('a key that is %s at one is refused at the other, by name', async (_state, verdict) => {
    const { journal } = await desk()
    const { journalId } = await tried(journal, [verdict], here)
    const failure = await failureOf(journal.begin(there, off, lease, 'recognised'))
    expect([failure.kind, failure.message.includes(journalId)]).toEqual(['duplicate', true])
    expect(await journal.look(there, { ...off, allowed: journalId })).toMatchObject({ kind: 'open' })
    expect(await journal.look({ ...there, profile: 'other' }, off)).toMatchObject({ kind: 'open' })
    expect(await journal.look({ ...there, environment: 'live' }, off)).toMatchObject({ kind: 'open' })
    expect(await journal.look({ ...there, idempotencyKey: 'salary-12' }, off)).toMatchObject({ kind: 'open' })
  })

  test.each([
    ['refused', refused],
    ['unsent', unsent],
  ] as const)('a key that was %s at one may be sent to the other', async (_state, verdict) => {
    const { journal } = await desk()
    await tried(journal, [verdict], here)
    expect(await journal.look(there, off)).toMatchObject({ kind: 'open' })
  })

  test('a key that stands under another id of the same service is refused', async () => {
    const { journal } = await desk()
    await tried(journal, [lost], here)
    const failure = await failureOf(journal.begin({ ...here, uniqueId: 'another id' }, off, lease, 'recognised'))
    expect(failure.kind).toBe('duplicate')
  })

  test('of two under one id the one that ran counts, though the other is newer', async () => {
    const { journal, passes } = await desk()
    const ran = await tried(journal, [accepted], { ...here, ...otherService, idempotencyKey: null })
    passes(1_000)
    await tried(journal, [unsent], { ...here, idempotencyKey: null, profile: 'other' })
    const both = { ...here, idempotencyKey: null, serviceId: otherService.serviceId }
    expect(await journal.look(both, off)).toMatchObject({ kind: 'done', intent: { journalId: ran.journalId } })
  })
})

describe('finishing', () => {
  test('an acceptance is kept with the words of the service', async () => {
    const { journal, passes } = await desk()
    const { intent, attempt } = await begun(journal)
    passes(1_500)
    const finished = await journal.finish(intent, attempt, accepted)
    expect(finished).toMatchObject({
      state: 'accepted',
      transactionId: '9007199254740993',
      status: 'INITIAL',
      statusDescription: 'Initial',
      createdAt: '2026-11-20T10:00:00.123456789',
      changedAt: '2026-11-20T06:00:01.500Z',
    })
    expect(await only(journal)).toEqual(finished)
    expect((await journal.attempts(intent))[0]).toMatchObject({
      outcome: 'accepted',
      endedAt: '2026-11-20T06:00:01.500Z',
    })
  })

  test('a refusal is kept with code, group, HTTP status and message', async () => {
    const { journal } = await desk()
    const intent = await tried(journal, [refused])
    expect(intent.state).toBe('refused')
    expect((await journal.attempts(intent))[0]).toMatchObject({
      outcome: 'refused',
      http: 400,
      statusCode: 5038,
      exceptionGroup: 1,
      message: 'Insufficient balance',
      why: null,
    })
  })

  test('a lost first answer followed by 5038 stays unknown', async () => {
    const { journal } = await desk()
    const intent = await tried(journal, [lost, refused])
    expect(intent.state).toBe('unknown')
    expect((await journal.attempts(intent)).map(({ outcome }) => outcome)).toEqual(['unknown', 'refused'])
  })

  test('5017 after a crash exists; 5017 at first is a conflict, on the next run too', async () => {
    const one = await desk()
    const { intent } = await begun(one.journal)
    one.dies('me')
    const next = await begun(one.other)
    expect(next).toMatchObject({ attempt: 2, unresolved: { journalId: intent.journalId } })
    expect((await one.other.finish(next.intent, next.attempt, duplicate)).state).toBe('exists')
    const two = await desk()
    for (let run = 0; run < 3; run += 1) expect((await tried(two.journal, [duplicate])).state).toBe('refused')
    expect(await two.journal.attempts(await only(two.journal))).toHaveLength(3)
  })

  test('an attempt that the journal does not have is a defect', async () => {
    const { journal } = await desk()
    const { intent } = await begun(journal)
    expect((await failureOf(journal.finish(intent, 2, accepted))).kind).toBe('bug')
    expect((await failureOf(journal.finish({ ...intent, journalId: 'j-none' }, 1, accepted))).kind).toBe('bug')
    expect((await failureOf(journal.again({ ...intent, journalId: 'j-none' }, []))).kind).toBe('bug')
  })
})

describe('the same id again', () => {
  test('with the same body after an acceptance is told as it stands, and nothing is written', async () => {
    const { journal, writes } = await desk()
    const intent = await tried(journal, [accepted])
    const before = writes()
    expect(await journal.look(newIntent, refuse)).toMatchObject({
      kind: 'done',
      intent: { journalId: intent.journalId },
    })
    const again = await journal.begin(newIntent, refuse, lease, 'recognised')
    expect(again).toMatchObject({ kind: 'done', intent: { transactionId: '9007199254740993' } })
    expect(writes()).toBe(before + 1)
    expect(await journal.attempts(intent)).toHaveLength(1)
  })

  test('after a lost answer is open, and says that the payment may have been executed', async () => {
    const { journal } = await desk()
    const intent = await tried(journal, [lost])
    expect(await journal.look(newIntent, off)).toMatchObject({
      kind: 'open',
      unresolved: { journalId: intent.journalId },
    })
  })

  test('after a refusal or without a connection is open, with nothing unresolved', async () => {
    for (const verdict of [refused, unsent, busy]) {
      const { journal } = await desk()
      await tried(journal, [verdict])
      expect(await journal.look(newIntent, off)).toEqual({
        kind: 'open',
        suspected: null,
        unresolved: null,
        conflict: null,
        attempts: 1,
        isHeldBack: false,
      })
    }
  })

  const other = { ...newIntent, bodyDigest: 'digest of 13.00', body: '{"amount":"13.00"}', amountMinor: '1300' }

  test.each<[string, readonly Verdict[]]>([
    ['an acceptance', [accepted]],
    ['a lost answer', [lost]],
    ['a lost answer and a refusal', [lost, refused]],
    ['429', [busy]],
    ['5017 after a lost answer', [lost, duplicate]],
  ])('with another body after %s is refused as a duplicate, and nothing changes', async (_what, verdicts) => {
    const { journal } = await desk()
    const intent = await tried(journal, verdicts)
    for (const work of [journal.look(other, off), journal.begin(other, off, lease, 'recognised')]) {
      const failure = await failureOf(work)
      expect([failure.kind, failure.exit, failure.facts.journalId]).toEqual(['duplicate', 7, intent.journalId])
    }
    expect(await only(journal)).toMatchObject({ body: newIntent.body, amountMinor: '1250' })
    expect(await journal.attempts(intent)).toHaveLength(verdicts.length)
  })

  test('with another body while the first run is still under way or crashed is refused', async () => {
    const { journal, other: second, dies } = await desk()
    await begun(journal)
    expect((await failureOf(second.begin(other, off, lease, 'recognised'))).kind).toBe('duplicate')
    dies('me')
    expect((await failureOf(second.begin(other, off, lease, 'recognised'))).kind).toBe('duplicate')
  })

  test.each<[string, readonly Verdict[]]>([
    ['a refusal', [refused]],
    ['no connection', [unsent, unsent]],
    ['refusals and no connection', [refused, unsent]],
  ])('with another body after %s is mended, and the journal knows what went out when', async (_what, verdicts) => {
    const { journal } = await desk()
    const intent = await tried(journal, verdicts)
    const mended = await begun(journal, other)
    expect(mended.intent.journalId).toBe(intent.journalId)
    await journal.finish(mended.intent, mended.attempt, accepted)
    expect(await only(journal)).toMatchObject({ ...other, state: 'accepted' })
    // The first body is now the other payment.
    expect((await failureOf(journal.look(newIntent, off))).kind).toBe('duplicate')
  })
})

describe('suspected duplicates', () => {
  const alike: NewIntent = {
    ...newIntent,
    uniqueId: '11111111-1111-4111-8111-111111111111',
    bodyDigest: 'same but for the id',
  }

  test('the same amount to the same payee within 24 hours is refused, naming the payment and the way on', async () => {
    const { journal } = await desk()
    const first = await tried(journal, [accepted])
    for (const work of [journal.look(alike, refuse), journal.begin(alike, refuse, lease, 'recognised')]) {
      const failure = await failureOf(work)
      expect([failure.kind, failure.facts.journalId]).toEqual(['duplicate', first.journalId])
      expect(failure.facts.uniqueId).toBeUndefined()
      expect(failure.toLine().error.hints.join()).toContain(`--allow-duplicate ${first.journalId}`)
    }
    expect(await journal.list({})).toHaveLength(1)
  })

  test('is only pointed out where the guard warns, and not looked for where it is off', async () => {
    const { journal } = await desk()
    const first = await tried(journal, [accepted])
    expect(await journal.look(alike, warn)).toMatchObject({ kind: 'open', suspected: { journalId: first.journalId } })
    expect(await journal.look(alike, off)).toMatchObject({ kind: 'open', suspected: null })
    expect((await begun(journal, alike, warn)).suspected?.journalId).toBe(first.journalId)
  })

  test('the one that was looked at is allowed, another one is not', async () => {
    const { journal, passes } = await desk()
    const first = await tried(journal, [accepted])
    passes(1000)
    const allowed: Guard = { ...refuse, allowed: first.journalId }
    expect((await failureOf(journal.look(alike, { ...allowed, allowed: 'j-other' }))).kind).toBe('duplicate')
    const second = await begun(journal, alike, allowed)
    await journal.finish(second.intent, 1, accepted)
    const third = { ...alike, uniqueId: '22222222-2222-4222-8222-222222222222' }
    const failure = await failureOf(journal.look(third, allowed))
    expect(failure.facts.journalId).toBe(second.intent.journalId)
  })

  test('a payment with a key of its own is no suspected duplicate, but makes one of a payment without', async () => {
    const { journal } = await desk()
    await tried(journal, [accepted])
    expect(await journal.look({ ...alike, idempotencyKey: 'payroll:17' }, refuse)).toMatchObject({
      kind: 'open',
      suspected: null,
    })
    const keyed = await desk()
    await tried(keyed.journal, [accepted], { ...newIntent, idempotencyKey: 'payroll:17' })
    expect((await failureOf(keyed.journal.look(alike, refuse))).kind).toBe('duplicate')
  })

  test('whose outcome is unknown is refused on every profile where the service could not tell the two apart', async () => {
    const { journal, passes } = await desk()
    const first = await tried(journal, [lost])
    passes(1000)
    await tried(journal, [accepted], { ...alike, uniqueId: '33333333-3333-4333-8333-333333333333' })
    for (const duplicates of ['off', 'warn'] as const) {
      const failure = await failureOf(journal.look(alike, { ...off, duplicates, unknownDuplicates: 'refuse' }))
      expect([duplicates, failure.kind, failure.facts.journalId]).toEqual([duplicates, 'duplicate', first.journalId])
      expect(failure.message).toContain('it is unknown whether it was executed')
    }
    const allowed = { ...off, allowed: first.journalId, unknownDuplicates: 'refuse' } as const
    expect(await journal.look(alike, allowed)).toMatchObject({ kind: 'open', suspected: null })
  })

  test('that another run has in flight counts, even if its last attempt did not leave: it may be about to repeat', async () => {
    const { journal, other, dies } = await desk()
    const first = await begun(journal, newIntent, off)
    await journal.finish(first.intent, first.attempt, unsent)
    const failure = await failureOf(other.look(alike, refuse))
    expect([failure.kind, failure.facts.journalId]).toEqual(['duplicate', first.intent.journalId])
    const unknownOnly = { ...off, unknownDuplicates: 'refuse' } as const
    expect((await failureOf(other.begin(alike, unknownOnly, lease, 'recognised'))).kind).toBe('duplicate')
    dies('me')
    expect(await other.look(alike, refuse)).toMatchObject({ kind: 'open', suspected: null })
  })

  test('that did not leave and that no run holds is none', async () => {
    const { journal, other } = await desk()
    const first = await begun(journal, newIntent, off)
    await journal.finish(first.intent, first.attempt, unsent)
    await journal.release(first.intent)
    expect(await other.look(alike, refuse)).toMatchObject({ kind: 'open', suspected: null })
  })

  test('of another operation is none: a completion is no refund', async () => {
    const { journal } = await desk()
    await tried(journal, [accepted], { ...newIntent, operation: 'order.complete', payee: 'order 1' })
    const refund = { ...alike, operation: 'order.refund', payee: 'order 1' }
    expect(await journal.look(refund, refuse)).toMatchObject({ kind: 'open', suspected: null })
  })

  test('after 24 hours it is another payment', async () => {
    const { journal, passes } = await desk()
    await tried(journal, [accepted])
    passes(24 * hour)
    expect((await failureOf(journal.look(alike, refuse))).kind).toBe('duplicate')
    passes(1)
    expect(await journal.look(alike, refuse)).toMatchObject({ kind: 'open', suspected: null })
  })

  test.each<[string, boolean, readonly Verdict[]]>([
    ['an accepted payment', true, [accepted]],
    ['one that exists', true, [lost, duplicate]],
    ['an unknown one', true, [lost]],
    ['a refused one', false, [refused]],
    ['an unsent one', false, [unsent]],
  ])('%s counts as a suspected duplicate: %s', async (_what, counts, verdicts) => {
    const { journal } = await desk()
    await tried(journal, verdicts)
    const looked = journal.look(alike, refuse)
    if (counts) expect((await failureOf(looked)).kind).toBe('duplicate')
    else expect(await looked).toMatchObject({ kind: 'open', suspected: null })
  })

  test('one that is under way counts, and so does one whose process died', async () => {
    const { journal, other, dies } = await desk()
    await begun(journal)
    expect((await failureOf(other.begin(alike, refuse, lease, 'recognised'))).kind).toBe('duplicate')
    dies('me')
    expect((await failureOf(other.begin(alike, refuse, lease, 'recognised'))).kind).toBe('duplicate')
  })

  test.each<[string, Partial<NewIntent>]>([
    ['amount', { amountMinor: '1251' }],
    ['currency', { currency: 'USD' }],
    ['payee', { payee: 'GE29NB0000000101904918' }],
    ['client', { clientId: 'you' }],
    ['service', otherService],
    ['environment', { environment: 'live' }],
  ])('a payment of another %s is none', async (_what, changed) => {
    const { journal } = await desk()
    await tried(journal, [accepted])
    expect(await journal.look({ ...alike, ...changed }, refuse)).toMatchObject({ kind: 'open', suspected: null })
  })
})

describe('a payment in flight', () => {
  test('is locked for other processes, whatever they want with it', async () => {
    const { journal, other } = await desk()
    const { intent } = await begun(journal)
    for (const work of [
      other.look(newIntent, off),
      other.begin(newIntent, off, lease, 'recognised'),
      other.close(intent, 'refused', 'x'),
    ]) {
      const failure = await failureOf(work)
      expect([failure.kind, failure.exit, failure.facts.journalId]).toEqual(['locked', 12, intent.journalId])
    }
    expect(await only(journal)).toEqual(intent)
  })

  test('is free when its process has died', async () => {
    const { journal, other, dies } = await desk()
    await begun(journal)
    dies('me')
    expect(await begun(other)).toMatchObject({ attempt: 2, intent: { holder: 'other' } })
  })

  test('stays locked while its process lives, however long that takes', async () => {
    const { journal, other, passes } = await desk()
    await begun(journal)
    passes(24 * hour)
    expect((await failureOf(other.look(newIntent, off))).kind).toBe('locked')
  })

  test('of a process that cannot be looked up stays locked when the clock is set, for no time has passed', async () => {
    const { journal, other, leaves, isSet } = await desk()
    await begun(journal)
    leaves('me')
    isSet(24 * hour)
    expect((await failureOf(other.look(newIntent, off))).kind).toBe('locked')
  })

  test('of a process that cannot be looked up is free when its lease is over', async () => {
    const { journal, other, leaves, passes } = await desk()
    await begun(journal)
    leaves('me')
    passes(lease - 1)
    expect((await failureOf(other.look(newIntent, off))).kind).toBe('locked')
    passes(1)
    expect(await begun(other)).toMatchObject({ attempt: 2, intent: { holder: 'other' } })
  })

  test('is free when it was given free', async () => {
    const { journal, other } = await desk()
    const intent = await tried(journal, [lost])
    expect(await only(journal)).toMatchObject({ holder: null, leaseUntil: null })
    expect(await begun(other)).toMatchObject({ attempt: 2, intent: { journalId: intent.journalId } })
  })

  test('that is resolved is so for every run, held or not', async () => {
    const { journal, other } = await desk()
    const { intent, attempt } = await begun(journal)
    await journal.finish(intent, attempt, accepted)
    expect(await other.look(newIntent, off)).toMatchObject({ kind: 'done' })
  })
})

describe('evidence from outside', () => {
  test('closes a payment that this very run has in flight, and not one that another has taken over', async () => {
    const { journal, other, leaves, passes } = await desk()
    const { intent, attempt } = await begun(journal, newIntent, off)
    const open = await journal.finish(intent, attempt, lost)
    await expect(journal.close(open, 'exists', 'a read shows it')).rejects.toMatchObject({ kind: 'locked' })
    leaves('me')
    passes(lease + 1)
    await begun(other, newIntent, off)
    await expect(journal.close(open, 'exists', 'a read shows it', { held: true })).rejects.toMatchObject({
      kind: 'locked',
    })
    const mine = await desk()
    const run = await begun(mine.journal, newIntent, off)
    const lostOne = await mine.journal.finish(run.intent, run.attempt, lost)
    expect(await mine.journal.close(lostOne, 'exists', 'a read shows it', { held: true })).toMatchObject({
      state: 'exists',
    })
  })

  test('closes an open payment, with the reason and what was seen', async () => {
    const { journal, passes } = await desk()
    const intent = await tried(journal, [lost])
    passes(hour)
    const seen = { transactionId: '42', status: 'SUCCESS', statusDescription: null, createdAt: null, answer: null }
    expect(await journal.close(intent, 'accepted', 'A2 shows it', { seen })).toMatchObject({
      state: 'accepted',
      because: 'A2 shows it',
      transactionId: '42',
      status: 'SUCCESS',
      changedAt: '2026-11-20T07:00:00.000Z',
    })
    expect(await journal.look(newIntent, off)).toMatchObject({ kind: 'done' })
  })

  test('the word of the operator that it was refused opens the way for the same body only', async () => {
    const { journal } = await desk()
    const intent = await tried(journal, [lost])
    expect(await journal.close(intent, 'refused', 'the bank says so')).toMatchObject({ state: 'refused' })
    expect(await journal.look(newIntent, off)).toMatchObject({ kind: 'open', unresolved: null })
    expect((await failureOf(journal.look({ ...newIntent, bodyDigest: 'x' }, off))).kind).toBe('duplicate')
  })

  test('a newer status is remembered, the same one is not written again', async () => {
    const { journal, writes } = await desk()
    const intent = await tried(journal, [accepted])
    await journal.noteStatus([{ intent, isThere: false }], 'SUCCESS', 'Paid')
    const noted = await only(journal)
    expect(noted).toMatchObject({ state: 'accepted', status: 'SUCCESS', statusDescription: 'Paid' })
    const before = writes()
    await journal.noteStatus([{ intent: noted, isThere: false }], 'SUCCESS', 'Paid')
    expect(writes()).toBe(before)
  })

  test('a status that one of two writes cannot take is remembered of neither', async () => {
    const { journal } = await desk()
    const intent = await tried(journal, [accepted])
    const foreign = { ...intent, journalId: 'j-000000000000' }
    const writes = [intent, foreign].map((each) => ({ intent: each, isThere: false }))
    await expect(journal.noteStatus(writes, 'SUCCESS', 'Paid')).rejects.toBeInstanceOf(Failure)
    expect((await only(journal)).status).toBe(intent.status)
  })
})

describe('listing', () => {
  test('finds payments by id, key, state and time, the newest first', async () => {
    const { journal, passes } = await desk()
    const first = await tried(journal, [accepted])
    passes(hour)
    const second = await tried(journal, [refused], {
      ...newIntent,
      uniqueId: 'u-2',
      idempotencyKey: 'k-2',
      profile: 'shop',
    })
    const ids = async (filter: Parameters<Journal['list']>[0]) =>
      (await journal.list(filter)).map(({ journalId }) => journalId)
    expect(await ids({})).toEqual([second.journalId, first.journalId])
    expect(await ids({ limit: 1 })).toEqual([second.journalId])
    for (const named of [first.journalId, newIntent.uniqueId, '9007199254740993'])
      expect(await ids({ named })).toEqual([first.journalId])
    expect(await ids({ named: 'k-2' })).toEqual([second.journalId])
    expect(await ids({ states: ['refused', 'unsent'] })).toEqual([second.journalId])
    expect(await ids({ profile: 'shop' })).toEqual([second.journalId])
    expect(await ids({ since: second.openedAt })).toEqual([second.journalId])
    expect(await ids({ until: second.openedAt })).toEqual([first.journalId])
    expect(await ids({ named: "' or 1=1 --" })).toEqual([])
  })
})

describe('a row that was changed behind its back', () => {
  const columns = {
    intents: [
      'operation',
      'profile',
      'environment',
      'service',
      'service_id',
      'origin',
      'client_id',
      'unique_id',
      'business_key',
      'body',
      'body_digest',
      'maker',
      'approvers',
      'removed_at',
      'payee',
      'amount_minor',
      'currency',
      'state',
      'transaction_id',
      'status',
      'status_description',
      'service_created_at',
      'answer',
      'because',
      'opened_at',
      'changed_at',
      'holder',
      'held_until',
      'held_until_steady',
      'sum_confirmed',
      'operator_word',
      'salt',
      'digest',
    ],
    attempts: [
      'number',
      'started_at',
      'started_steady',
      'ended_at',
      'body_digest',
      'outcome',
      'http',
      'status_code',
      'exception_group',
      'known',
      'message',
      'why',
      'salt',
      'digest',
    ],
  }

  const numbers = new Set(['number', 'http', 'status_code', 'exception_group', 'approvers'])

  test.each(columns.intents)('is found, said and not acted upon: %s of an intent', async (column) => {
    const { journal, store } = await desk()
    const intent = await tried(journal, [lost])
    await store.write((db) =>
      (numbers.has(column)
        ? sql`update intents set ${sql.ref(column)} = coalesce(${sql.ref(column)}, 0) + 9`
        : sql`update intents set ${sql.ref(column)} = coalesce(${sql.ref(column)}, '') || '9'`
      ).execute(db),
    )
    const failure = await failureOf(journal.list({}))
    expect([failure.kind, failure.facts.moneyMoved]).toEqual(['bug', 'no'])
    expect(failure.message).toBe(
      `the journal is damaged: the intent ${intent.journalId} was changed outside paydesk; nothing was sent`,
    )
    await expect(journal.noteStatus([{ intent, isThere: false }], 'SUCCESS', null)).rejects.toBeInstanceOf(Failure)
  })

  test.each(columns.attempts)('is found, said and not acted upon: %s of an attempt', async (column) => {
    const { journal, store } = await desk()
    const intent = await tried(journal, [lost])
    await store.write((db) =>
      (numbers.has(column)
        ? sql`update attempts set ${sql.ref(column)} = coalesce(${sql.ref(column)}, 0) + 9`
        : sql`update attempts set ${sql.ref(column)} = coalesce(${sql.ref(column)}, '') || '9'`
      ).execute(db),
    )
    for (const work of [
      () => journal.attempts(intent),
      () => journal.look(newIntent, off),
      () => journal.begin(newIntent, off, lease, 'recognised'),
      () => journal.again(intent, []),
    ]) {
      const failure = await failureOf(work())
      expect([
        failure.kind,
        failure.message.includes(`an attempt of ${intent.journalId} was changed outside paydesk`),
      ]).toEqual(['bug', true])
    }
  })

  test('is found whichever column there is', async () => {
    const { journal, store } = await desk()
    await tried(journal, [lost])
    for (const [table, known] of Object.entries(columns)) {
      const found = await store.read((db) => sql<object>`select * from ${sql.ref(table)}`.execute(db))
      const names = Object.keys(found.rows[0] ?? {}).filter((name) => name !== 'id' && name !== 'intent_id')
      expect(names.toSorted()).toEqual(known.toSorted())
    }
  })

  test('a state that was turned to refused does not open the way for another payment', async () => {
    const { journal, store } = await desk()
    await tried(journal, [lost])
    await store.write((db) => sql`update attempts set outcome = 'refused'`.execute(db))
    await store.write((db) => sql`update intents set state = 'refused'`.execute(db))
    expect((await failureOf(journal.begin({ ...newIntent, bodyDigest: 'x' }, off, lease, 'recognised'))).kind).toBe(
      'bug',
    )
  })
})

describe('to give a payment free', () => {
  test('is for the run that holds it: one whose lease ended leaves it to the run that took it over', async () => {
    const { journal, other, dies } = await desk()
    const { intent } = await begun(journal)
    dies('me')
    const taken = await begun(other)
    expect(await journal.release(intent)).toBe(false)
    expect((await failureOf(journal.begin(newIntent, off, lease, 'recognised'))).kind).toBe('locked')
    expect(await other.release(taken.intent)).toBe(true)
    expect((await begun(journal)).intent.journalId).toBe(intent.journalId)
  })
})

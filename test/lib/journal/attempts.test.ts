/** Payments that are opened and closed at the same time: one transaction, and each is decided as if it were alone. */
import { describe, expect, test, vi } from 'vitest'
import type { Clock, Random } from '../../../src/lib/edge.ts'
import { Failure } from '../../../src/lib/failure.ts'
import type { Guard } from '../../../src/lib/journal/duplicates.ts'
import type { NewIntent } from '../../../src/lib/journal/intent.ts'
import { Journal } from '../../../src/lib/journal/journal.ts'
import type { Verdict } from '../../../src/lib/journal/verdict.ts'
import { readLimit } from '../../../src/lib/spending.ts'
import type { Store } from '../../../src/lib/store/engine/store.ts'
import type { JournalTables } from '../../../src/lib/store/journal/schema.ts'
import { beneficiaryIban } from '../../kit/payment.ts'
import { isOnServer, journalStores } from '../../kit/postgres.ts'
import { watchStatements } from '../../kit/store.ts'

// Each test pays many times through a store.
vi.setConfig({ testTimeout: 60_000 })

const newStore = journalStores()

/** A payout of so many minor units of GEL, told apart by a letter or a number. */
function payout(name: string | number, more: Partial<NewIntent> = {}): NewIntent {
  return {
    ...{ environment: 'test', service: 'https://pay.example', serviceId: 'https://pay.example', clientId: 'me' },
    ...{ operation: 'payout.create', profile: 'acme', uniqueId: `id-${name}`, idempotencyKey: `key-${name}` },
    ...{ body: '{"amount":"1.00"}', bodyDigest: 'digest of 1.00', payee: beneficiaryIban },
    ...{ amountMinor: '100', currency: 'GEL', ...more },
  }
}

const elsewhere = { service: 'https://other.example', serviceId: 'https://other.example' }

const free: Guard = { duplicates: 'off', allowed: null, limits: [], sendsHeld: false }

function limitedTo(...texts: readonly string[]): Guard {
  const limits = texts.map((text) => {
    const read = readLimit(text)
    if (!read.ok) throw new Error(read.complaint)
    return read.limit
  })
  return { ...free, limits }
}

const words = { http: 400, statusCode: 5038, exceptionGroup: null, message: null }

const accepted: Verdict = {
  ...{ kind: 'accepted', transactionId: '1', status: 'INITIAL', statusDescription: '', createdAt: '', answer: null },
}

/** `broken`: what the store throws when it should commit. */
async function scene(broken: Error | null = null) {
  const store = await newStore()
  let [ids, slept] = [0, 0]
  const clock: Clock = {
    now: () => Date.parse('2026-11-20T06:00:00Z'),
    steady: () => ({ boot: 'this', milliseconds: 0 }),
    sleep: async () => {
      slept += 1
    },
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
  const failing: Store<JournalTables> = {
    ...store,
    head: null,
    // A transaction decides.
    commitWhole: async () => false,
    write: (work) =>
      store.write(async (db) => {
        await work(db)
        // What was told too early is told by now.
        await new Promise((resolve) => setTimeout(resolve, 5))
        throw broken
      }),
  }
  const journal = new Journal(broken ? failing : store, clock, random, { self: 'me', standing: () => 'alive' })
  /** What came of payouts that are opened at once: "begun", another kind, or the kind of a failure. */
  const openTogether = async (newIntents: readonly NewIntent[], guard = free): Promise<string[]> => {
    const ends = await Promise.allSettled(
      newIntents.map((newIntent) => journal.begin(newIntent, guard, 155_000, 'recognised')),
    )
    return ends.map((end) => {
      if (end.status === 'fulfilled') return end.value.kind
      return end.reason instanceof Failure ? end.reason.kind : String(end.reason)
    })
  }
  const begun = async (newIntents: readonly NewIntent[]) => {
    const all = await Promise.all(newIntents.map((newIntent) => journal.begin(newIntent, free, 155_000, 'recognised')))
    return all.map((each) => {
      if (each.kind !== 'begun') throw new Error(`it is ${each.kind}`)
      return each
    })
  }
  return { store, journal, openTogether, begun, slept: () => slept }
}

const three = ['a', 'b', 'c'].map((name) => payout(name))

describe('what is opened together', () => {
  test('is durable with its attempts, and counts', async () => {
    const { journal, openTogether } = await scene()
    expect(await openTogether(three)).toEqual(['begun', 'begun', 'begun'])
    const intents = await journal.list({})
    expect(intents).toMatchObject(intents.map(() => ({ state: 'unknown', holder: 'me' })))
    for (const intent of intents) expect(await journal.attempts(intent)).toMatchObject([{ number: 1, outcome: null }])
    const spent = await journal.spent(payout('a'))
    expect(spent.day).toMatchObject([{ currency: 'GEL', payouts: 3n, units: 300n }])
  })

  test.each([
    ['its key is in flight at another address', payout('x', { ...elsewhere, idempotencyKey: 'key-b' })],
    ['its key is in flight under another id', payout('x', { idempotencyKey: 'key-b' })],
    ['its id is in flight', payout('b', { idempotencyKey: null })],
    ['its id is in flight with another body', payout('b', { bodyDigest: 'digest of 2.00' })],
  ])('is refused alone where %s', async (_, inFlight) => {
    const { openTogether } = await scene()
    expect(await openTogether([inFlight])).toEqual(['begun'])
    expect(await openTogether(three)).toEqual(['begun', expect.stringMatching(/^(duplicate|locked)$/), 'begun'])
  })

  test('is from the journal alone where it was executed', async () => {
    const { journal, begun, openTogether } = await scene()
    const [first] = await begun([payout('b')])
    if (first) await journal.finish(first.intent, 1, accepted)
    expect(await openTogether(three)).toEqual(['begun', 'done', 'begun'])
  })

  test.each([
    ['id', { uniqueId: 'id-a' }],
    ['key', { idempotencyKey: 'key-a' }],
  ])('bears no %s twice', async (_, same) => {
    const { openTogether, journal } = await scene()
    const ends = await openTogether([payout('a'), payout('b', same), payout('c')])
    expect(ends).toEqual(['begun', expect.stringMatching(/^(duplicate|locked)$/), 'begun'])
    expect(await journal.list({})).toHaveLength(2)
  })

  // By another profile: what one profile has sent is looked for at every address.
  const before = { profile: 'before', service: 'https://moved.example', serviceId: 'https://moved.example' }
  test.each<[string, Partial<NewIntent>, Partial<NewIntent>]>([
    ['service', before, { service: before.service }],
    ['service name', before, { serviceId: before.serviceId }],
    ['environment', { profile: 'before', environment: 'live' }, { environment: 'live' }],
    ['client', { profile: 'before', clientId: 'you' }, { clientId: 'you' }],
    ['operation', { profile: 'before', operation: 'order.complete' }, { operation: 'order.complete' }],
  ])(
    'opening together: a payment of another %s that was executed there is found, and not sent again',
    async (_what, executed, other) => {
      const { journal, begun, openTogether } = await scene()
      const [first] = await begun([payout('x', executed)])
      if (first) await journal.finish(first.intent, 1, accepted)
      expect(await openTogether([payout('a'), payout('x', other), payout('c')])).toEqual(['begun', 'done', 'begun'])
    },
  )

  test('opening together: a key that another profile has sent to another address is refused for that profile', async () => {
    const { openTogether } = await scene()
    const inFlight = payout('x', { ...elsewhere, profile: 'other' })
    expect(await openTogether([inFlight])).toEqual(['begun'])
    const again = payout('y', { profile: 'other', idempotencyKey: 'key-x' })
    expect(await openTogether([payout('a'), again, payout('c')])).toEqual(['begun', 'duplicate', 'begun'])
  })

  test('opening together: each payment is held by its own limits', async () => {
    const { journal } = await scene()
    const guards = [free, limitedTo('GEL 0.50/payout'), free]
    const all = three.map((newIntent, at) => journal.begin(newIntent, guards[at] ?? free, 155_000, 'recognised'))
    expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(['begun', 'held', 'begun'])
  })

  test('fits the limits all together, or is looked at one by one', async () => {
    const { openTogether } = await scene()
    expect(await openTogether(three, limitedTo('GEL 2/day'))).toEqual(['begun', 'begun', 'held'])
    expect(await openTogether([payout('d'), payout('e')], limitedTo('GEL 4/day'))).toEqual(['begun', 'begun'])
    expect(await openTogether([payout('f'), payout('g')], limitedTo('4/hour'))).toEqual(['held', 'held'])
    const large = payout('h', { amountMinor: '5000' })
    expect(await openTogether([payout('i'), large], limitedTo('GEL 20/payout'))).toEqual(['begun', 'held'])
  })

  test('is compared with payments alike where a guard asks for it', async () => {
    const { openTogether } = await scene()
    const alike = ['a', 'b'].map((name) => payout(name, { idempotencyKey: null }))
    expect(await openTogether(alike, { ...free, duplicates: 'refuse' })).toEqual(['begun', 'duplicate'])
  })
})

describe('what is closed together', () => {
  test('is recorded, each with its own outcome', async () => {
    const { journal, begun } = await scene()
    const opened = await begun(three)
    const verdicts: Verdict[] = [
      accepted,
      { kind: 'unsent', why: 'ECONNREFUSED' },
      { kind: 'unknown', why: 'reset', words: null },
    ]
    const ends = await Promise.all(
      opened.map(({ intent, attempt }, at) => journal.finish(intent, attempt, verdicts[at] ?? accepted)),
    )
    expect(ends.map(({ state, holder }) => [state, holder])).toEqual([
      ['accepted', null],
      ['unsent', 'me'],
      ['unknown', 'me'],
    ])
    const spent = await journal.spent(payout('a'))
    expect(spent.day).toMatchObject([{ payouts: 2n, units: 200n }])
  })

  test('fails alone: an attempt that is not there, or a row that was changed from outside', async () => {
    const { store, journal, begun } = await scene()
    const [first, second, third] = await begun(three)
    if (!first || !second || !third) throw new Error('not three')
    await store.write((db) =>
      db
        .updateTable('intents')
        .set({ body: '{}', digest: 'of another row' })
        .where('id', '=', second.intent.journalId)
        .execute(),
    )
    const ends = await Promise.allSettled([
      journal.finish(first.intent, 7, accepted),
      journal.finish(second.intent, 1, accepted),
      journal.finish(third.intent, 1, accepted),
    ])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(await journal.list({ uniqueIds: ['id-c'] })).toMatchObject([{ state: 'accepted' }])
  })
})

test('is not told before it is durable, and fails together where the disk does', async () => {
  const { store, openTogether } = await scene(new Error('the disk is full'))
  expect(await openTogether(three)).toEqual(three.map(() => 'Error: the disk is full'))
  expect(await store.ask((db) => db.selectFrom('intents').selectAll().execute())).toEqual([])
})

test('waits for company only where it came in company before', async () => {
  const { journal, begun, slept } = await scene()
  for (const newIntent of three) await begun([newIntent])
  expect(slept()).toBe(0)
  const many = Array.from({ length: 8 }, (_, at) => payout(at))
  const opened = await begun(many)
  expect(slept()).toBe(0)
  await Promise.all(opened.map(({ intent, attempt }) => journal.finish(intent, attempt, accepted)))
  expect(slept()).toBe(1)
})

test('32 rows that are begun and finished together are two calls of a server, and a file is asked four times a row', async () => {
  const rows = 32
  const { journal, begun } = await scene()
  const statements = watchStatements()
  const opened = await begun(Array.from({ length: rows }, (_, at) => payout(at)))
  await Promise.all(opened.map(({ intent, attempt }) => journal.finish(intent, attempt, accepted)))
  if (isOnServer) expect(statements.length).toBe(2)
  else expect(statements.length).toBeLessThanOrEqual(rows * 4 + 20)
})

test.each<[string, Verdict]>([
  ['turns it away', { kind: 'turned-away', by: 'redirect', words, wait: null }],
  ['refuses it', { kind: 'refused', words, bodyOnly: false, status: null }],
  ['says that its id is already used', { kind: 'duplicate', words }],
])('an answer that comes late and %s shows that a taken id is another’s', async (_how, late) => {
  const { journal } = await scene()
  const first = await journal.begin(payout(1), free, 155_000, 'recognised')
  if (first.kind !== 'begun') throw new Error(`it is ${first.kind}`)
  const second = await journal.again(first.intent, [])
  if (second.kind !== 'begun') throw new Error(`it is ${second.kind}`)
  expect(await journal.finish(first.intent, second.attempt, { kind: 'duplicate', words })).toMatchObject({
    state: 'exists',
  })
  const ended = await journal.finish(first.intent, first.attempt, late)
  expect(ended).toMatchObject({ state: 'refused', isTaken: true })
})

test('an answer that comes late takes no execution back that more speaks for than a taken id', async () => {
  const { journal } = await scene()
  const first = await journal.begin(payout(1), free, 155_000, 'recognised')
  if (first.kind !== 'begun') throw new Error(`it is ${first.kind}`)
  const second = await journal.again(first.intent, [])
  if (second.kind !== 'begun') throw new Error(`it is ${second.kind}`)
  await journal.finish(first.intent, second.attempt, { kind: 'duplicate', words, sumConfirmed: true })
  const late: Verdict = { kind: 'refused', words, bodyOnly: false, status: null }
  expect(await journal.finish(first.intent, first.attempt, late)).toMatchObject({ state: 'exists' })
})

describe('rows of a plan that are opened after something else has sent payouts like them', () => {
  const other = payout('x', { amountMinor: '200' })
  const rows = [payout('a'), payout('b', { amountMinor: '200' }), payout('c')]
  const since = '2026-11-20T06:00:00.000Z'
  const planned = (isOwn: (id: string) => boolean = () => false, from = since): Guard => ({
    ...free,
    planned: { since: from, isOwn },
  })

  test.each<[string, Verdict | null, readonly string[]]>([
    ['was accepted', accepted, ['begun', 'duplicate', 'begun']],
    ['has no answer yet', null, ['begun', 'duplicate', 'begun']],
    [
      'did not leave its machine and is tried again',
      { kind: 'unsent', why: 'no way' },
      ['begun', 'duplicate', 'begun'],
    ],
    ['was refused', { kind: 'refused', words, bodyOnly: false, status: null }, ['begun', 'begun', 'begun']],
  ])('opening rows of a plan: the one like a payout that %s', async (what, verdict, ends) => {
    const { journal, begun, openTogether } = await scene()
    const [first] = await begun([other])
    if (first && verdict) {
      const intent = await journal.finish(first.intent, 1, verdict)
      if (what === 'was refused') await journal.release(intent)
    }
    expect(await openTogether(rows, planned())).toEqual(ends)
    // The row by itself is decided alike.
    const [, row] = rows
    if (row && ends[1] === 'duplicate') expect(await openTogether([row], planned())).toEqual(['duplicate'])
  })

  test('opening rows of a plan: rows of the plan itself and payouts from before it was made are let through', async () => {
    const { journal, begun, openTogether } = await scene()
    const [first] = await begun([other])
    if (first) await journal.finish(first.intent, 1, accepted)
    expect(
      await openTogether(
        rows,
        planned((id) => id === 'id-x'),
      ),
    ).toEqual(['begun', 'begun', 'begun'])
    const [second] = await begun([payout('y', { amountMinor: '300' })])
    if (second) await journal.finish(second.intent, 1, accepted)
    const later = planned(undefined, '2026-11-20T06:00:00.001Z')
    const more = [payout('d', { amountMinor: '300' }), payout('e', { amountMinor: '400' })]
    expect(await openTogether(more, later)).toEqual(['begun', 'begun'])
  })

  test('opening rows of a plan: of two plans alike that are opened in one transaction each payment is opened once', async () => {
    const { journal } = await scene()
    const [one, two] = [planned((id) => id.startsWith('id-1')), planned((id) => id.startsWith('id-2'))]
    const wishes = [11, 12, 21, 22].map((name) => ({
      newIntent: payout(name, { amountMinor: String(name % 10) }),
      guard: name < 20 ? one : two,
    }))
    const ends = await Promise.allSettled(
      wishes.map(({ newIntent, guard }) => journal.begin(newIntent, guard, 155_000, 'recognised')),
    )
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
    expect(await journal.list({})).toHaveLength(2)
  })
})

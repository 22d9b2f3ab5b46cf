/** Statements made from random ledgers, held against them: everything that was lost, doubled or changed on the way is told, exactly. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { peekBytes } from '../../../src/lib/batch/read/file.ts'
import { applyEvidence } from '../../../src/lib/reconcile/apply.ts'
import { readCamt } from '../../../src/lib/reconcile/camt.ts'
import type { Payout } from '../../../src/lib/reconcile/difference.ts'
import { type Item, Matching, nextDay } from '../../../src/lib/reconcile/match.ts'
import { intent } from '../../kit/store.ts'
import { bankFile, camt, type Version, type WrittenEntry, type WrittenPayment } from './bank-file.ts'

const period = { from: '2026-11-24', to: '2026-11-27' }
const accounts = ['GE29NB0000000101904917', 'GE29NB0000000101904918', 'GE29NB0000000101904919'] as const

const plain: Payout = {
  ...{ journalId: 'j-000000000001', key: 'emp-17', uniqueId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11' },
  ...{ transactionId: '100001', units: 1250n, currency: 'GEL', account: accounts[0], fromAccount: null },
  ...{ day: '2026-11-27', state: 'accepted', unpaidStatus: null, isWaiting: false, conflict: null },
}

async function matched(
  entries: readonly WrittenEntry[],
  payouts: readonly Payout[],
  days = 0,
  version: Version = '08',
) {
  const statement = { opening: '100000.00', from: period.from, to: period.to, account: accounts[2], entries }
  const { name, bytes } = bankFile(camt([statement], { version }))
  const file = await readCamt(name, await peekBytes(bytes, 1000))
  const matching = new Matching(file, { days, period })
  for (const payout of payouts) matching.take(payout)
  const items = [...matching.end()]
  const closed: string[] = []
  const intents = payouts.map((payout) => intent({ ...payout, amountMinor: String(payout.units) }))
  const journal: Parameters<typeof applyEvidence>[0] = {
    list: async ({ named }) => intents.filter(({ journalId }) => journalId === named),
    close: async (known, state) => {
      closed.push(`${known.journalId} ${state}`)
      return known
    },
  }
  await applyEvidence(journal, file, items, new AbortController().signal)
  const told = items.map((item) => ({ ...item, entry: file.bookings[item.booking ?? -1]?.entry ?? null }))
  return Object.assign(told, { closed: closed.sort() })
}

const kinds = (items: readonly Item[]) => items.map(({ kind, by }) => [kind, by])
const single = async (entry: WrittenEntry, payout: Partial<Payout> = {}) =>
  (await matched([entry], [{ ...plain, ...payout }]))[0]

const label = (type: string, ref: string) => ({ references: `<Prtry><Tp>${type}</Tp><Ref>${ref}</Ref></Prtry>` })
const withoutDashes = { endToEndId: plain.uniqueId.replaceAll('-', '') }

test.each<[string, WrittenPayment, string]>([
  ['its key as EndToEndId', { endToEndId: 'emp-17' }, 'key'],
  ['its key as InstrId', { references: '<InstrId>emp-17</InstrId>' }, 'key'],
  ['its uniqueId without dashes, for which an EndToEndId has room', withoutDashes, 'uniqueId'],
  ['its uniqueId in a text', { text: `ref ${plain.uniqueId.toUpperCase()} thanks` }, 'uniqueId'],
  ['its uniqueId as UETR', { references: `<UETR>${plain.uniqueId}</UETR>` }, 'uniqueId'],
  ['its transactionId as EndToEndId', { endToEndId: '100001' }, 'transactionId'],
  ['its transactionId, labelled', label('Transaction ID', '100001'), 'transactionId'],
  ['its transactionId in a text, and its account', { text: 'Payout 100001.', account: accounts[0] }, 'transactionId'],
  ['its transactionId as a reference of the bank, and its sum', { references: '<TxId>100001</TxId>' }, 'transactionId'],
  ['sum, account and day', { account: accounts[0] }, 'sum'],
])('a payout is named by %s', async (_what, payment, by) => {
  const expected = { kind: 'matched', by, payout: { journalId: plain.journalId } }
  expect(await single({ sum: '12.50', ...payment })).toMatchObject(expected)
})

test.each<[string, Partial<WrittenEntry>]>([
  ['a name and a sum alone', { name: 'Nino Beridze' }],
  ['a number of the bank alone', { sum: '99.00', references: '<AcctSvcrRef>100001</AcctSvcrRef>' }],
  ['an invoice number that is like a transactionId', { text: 'Invoice 100001', account: accounts[1] }],
  ['the day before it was paid', { account: accounts[0], day: '2026-11-26' }],
  ['a reference of the bank that reads like a key', { references: '<AcctSvcrRef>emp-17</AcctSvcrRef>' }],
])('a payout is never named by %s', async (_what, entry) => {
  expect(await single({ sum: '12.50', ...entry })).toMatchObject({ kind: 'notInJournal' })
})

describe('what differs', () => {
  test.each([
    ['another sum', { sum: '12.51' }, {}, 'booked GEL 12.51, but GEL 12.50 was paid'],
    ['another currency', {}, { currency: 'USD' }, 'booked GEL 12.50, but USD 12.50'],
    ['another account', { account: accounts[1] }, {}, `paid to ${accounts[1]}`],
    ['another transactionId', label('transactionId', '7'), {}, 'names transaction 7'],
    ['a payment that was refused', {}, { state: 'refused' }, 'it is refused: do not send it again'],
    ['a payment that was held', {}, { state: 'held' }, 'it is held'],
    ['a payment that failed', {}, { unpaidStatus: 'FAILED' }, 'it is FAILED'],
  ] as const)('%s', async (_what, entry, payout, words) => {
    const item = await single({ sum: '12.50', endToEndId: 'emp-17', ...entry }, payout)
    expect(item).toMatchObject({ kind: 'different', by: 'key' })
    expect(item?.reason).toContain(words)
  })

  test('charges inside the sum, and a sum that the bank has exchanged, are no difference', async () => {
    expect(await single({ sum: '13.00', charges: '0.50', endToEndId: 'emp-17' })).toMatchObject({ kind: 'matched' })
    const exchanged = { sum: '34.00', ordered: '12.50 USD', endToEndId: 'emp-17' }
    expect(await single(exchanged, { currency: 'USD' })).toMatchObject({ kind: 'matched' })
  })

  test('a sum that the bank does not tell proves nothing', async () => {
    const items = await matched([{ sum: '20.00', payments: [{ endToEndId: 'emp-17' }, { endToEndId: 'x' }] }], [plain])
    expect(kinds(items)).toEqual([
      ['ambiguous', 'key'],
      ['notInJournal', null],
    ])
  })
})

const returned = { direction: 'CRDT', isReversal: true, reason: 'AC04' } as const

describe('money that comes back', () => {
  const back = { ...returned, endToEndId: 'emp-17', account: accounts[0] }

  test('a return tells its reason in words, and the payout is no longer missed', async () => {
    const [item, ...others] = await matched([{ sum: '12.50', ...back }], [plain])
    expect(item).toMatchObject({ kind: 'returned', by: 'key', reason: 'returned: AC04, the account is closed' })
    expect(others).toEqual([])
  })

  test('a payment that failed, booked and returned: both agree with the journal', async () => {
    const entries = [{ endToEndId: 'emp-17' }, back].map((each) => ({ sum: '12.50', ...each }))
    const items = await matched(entries, [{ ...plain, unpaidStatus: 'FAILED' }])
    expect(kinds(items)).toEqual([
      ['matched', 'key'],
      ['returned', 'key'],
    ])
  })

  test('incoming money is not about payouts; a return of a stranger is not in the journal', async () => {
    const income = { sum: '70.00', direction: 'CRDT', endToEndId: 'emp-17' } as const
    expect(kinds(await matched([income, { sum: '3.00', ...back, endToEndId: 'x' }], []))).toEqual([
      ['other', null],
      ['notInJournal', null],
    ])
    expect(await single(income)).toMatchObject({ kind: 'other' })
  })
})

describe('what is missing', () => {
  test('the days that a bank may take', async () => {
    const payout = { ...plain, day: '2026-11-25' }
    expect((await matched([], [payout], 2))[0]).toMatchObject({
      kind: 'notOnStatement',
      payout: { journalId: plain.journalId },
    })
    expect((await matched([], [payout], 3))[0]).toMatchObject({
      kind: 'expected',
      reason: 'the bank may still book it until 2026-11-28',
    })
  })

  test.each([
    ['refused', { state: 'refused' }],
    ['ended unpaid', { unpaidStatus: 'REJECTED' }],
    ['waiting for the balance', { isWaiting: true }],
    ['from another account', { fromAccount: accounts[1] }],
    ['in another currency', { currency: 'EUR' }],
    ['from before the statement', { day: '2026-11-23' }],
  ] as const)('%s: not missed', async (_what, payout) => {
    expect(await matched([], [{ ...plain, ...payout }])).toHaveLength(0)
  })
})

test('ten thousand payouts alike are told without a look at each pair', async () => {
  const count = 10_000
  const payouts = Array.from({ length: count }, (_, at) => {
    return { ...plain, key: null, transactionId: null, uniqueId: `id-${at}`, journalId: `j-${at}` }
  })
  const payments = Array.from({ length: count }, () => ({ account: accounts[0], amount: '12.50' }))
  const items = await matched([{ sum: '125000.00', payments }], payouts)
  expect(items.filter(({ kind }) => kind === 'ambiguous')).toHaveLength(count)
  expect(items[0]?.candidates).toHaveLength(10)
  expect(items).toHaveLength(count)
})

/** A payout of a random ledger, and what became of it at the bank. */
const laid = fc.record({
  cents: fc.integer({ min: 1, max: 4 }),
  account: fc.constantFrom(...accounts.slice(0, 2)),
  age: fc.integer({ min: 0, max: 4 }),
  state: fc.constantFrom('accepted', 'accepted', 'accepted', 'exists', 'unknown', 'refused' as const),
  named: fc.constantFrom('key', 'uniqueId', 'transactionId', 'nothing', 'nothing' as const),
  event: fc.constantFrom('booked', 'booked', 'booked', 'lost', 'doubled', 'other sum', 'returned', 'batched' as const),
  delay: fc.integer({ min: 0, max: 2 }),
})
const stranger = fc.record({
  cents: fc.integer({ min: 1, max: 4 }),
  account: fc.constantFrom(...accounts.slice(0, 2)),
  age: fc.integer({ min: 0, max: 3 }),
})

type Laid = typeof laid extends fc.Arbitrary<infer One> ? One : never

function payoutAt({ cents, account, age, state }: Laid, at: number): Payout {
  const digits = String(at).padStart(12, '0')
  return {
    ...plain,
    ...{ journalId: `j-${digits}`, key: `key-${at}`, uniqueId: `0b5f0f0e-8a2c-4f0e-9a53-${digits}` },
    ...{ transactionId: String(500_000 + at), units: BigInt(cents * 100), account },
    ...{ day: nextDay(period.to, -age), state },
  }
}

function nameOf({ named }: Laid, payout: Payout): WrittenPayment {
  if (named === 'key') return { endToEndId: payout.key ?? '' }
  if (named === 'uniqueId') return { endToEndId: payout.uniqueId.replaceAll('-', '') }
  return named === 'transactionId' ? { references: `<InstrId>${payout.transactionId}</InstrId>` } : {}
}

/** The entries of a ledger, and what is to be told of each: the rule once more, looking at every pair. */
function played(
  ledger: readonly Laid[],
  strangers: readonly { cents: number; account: string; age: number }[],
  days: number,
) {
  const entries: WrittenEntry[] = []
  const told: string[] = []
  const nameless: { readonly entry: string; readonly cents: bigint; readonly account: string; readonly day: string }[] =
    []
  const batch: WrittenPayment[] = []
  const seen = new Set<string>()
  const proven: string[] = []
  const tell = (kind: string, entry: string | null, names: readonly string[]) =>
    told.push([kind, entry, ...names].join(' '))
  const payouts = ledger.map(payoutAt)
  for (const [at, each] of ledger.entries()) {
    const payout = payouts[at] as Payout
    const { event, named, delay } = each
    const day = [nextDay(payout.day, delay), period.to].sort()[0] as string
    if (event === 'lost' || day < period.from) continue
    const isNamed = named !== 'nothing'
    const units = event === 'other sum' ? payout.units + 1000n : payout.units
    const amount = `${units / 100n}.00`
    const payment = { ...nameOf(each, payout), account: payout.account ?? '' }
    const book = (reference: string) => {
      if (event === 'batched') batch.push({ ...payment, amount })
      else entries.push({ ...payment, sum: amount, reference, day })
      const at = event === 'batched' ? { entry: 'batch', day: period.to } : { entry: reference, day }
      if (!isNamed) nameless.push({ ...at, cents: units, account: payout.account ?? '' })
    }
    book(`B${at}`)
    if (event === 'doubled') book(`C${at}`)
    if (event === 'returned') {
      entries.push({ ...payment, sum: amount, reference: `R${at}`, day, ...returned })
      tell(isNamed ? 'returned' : 'notInJournal', `R${at}`, isNamed ? [payout.journalId] : [])
    }
    if (!isNamed) continue
    seen.add(payout.journalId)
    const entry = event === 'batched' ? 'batch' : `B${at}`
    const isDenied = payout.state === 'refused' && event !== 'returned'
    const isProven = ['booked', 'batched', 'returned'].includes(event)
    if (isProven && ['unknown', 'exists'].includes(payout.state)) proven.push(`${payout.journalId} accepted`)
    if (event === 'doubled') for (const twin of [`B${at}`, `C${at}`]) tell('ambiguous', twin, [payout.journalId])
    else tell(event === 'other sum' || isDenied ? 'different' : 'matched', entry, [payout.journalId])
  }
  for (const [at, { cents, account, age }] of strangers.entries()) {
    const one = { entry: `S${at}`, cents: BigInt(cents * 100), account, day: nextDay(period.to, -age) }
    entries.push({ sum: `${cents}.00`, account, reference: one.entry, day: one.day, name: 'Somebody' })
    nameless.push(one)
  }
  if (batch.length > 0) {
    const sum = batch.reduce((all, { amount = '0' }) => all + Number(amount), 0)
    entries.push({ sum: `${sum}.00`, reference: 'batch', payments: batch, day: period.to })
  }
  // A batch of one is an entry with one payment.
  const fits = (one: (typeof nameless)[number], payout: Payout) =>
    !seen.has(payout.journalId) &&
    payout.state !== 'refused' &&
    payout.day >= nextDay(period.from, -days) &&
    one.account === payout.account &&
    one.cents === payout.units &&
    payout.day <= one.day &&
    one.day <= nextDay(payout.day, days)
  const met = new Set<string>()
  for (const one of nameless) {
    const candidates = payouts.filter((payout) => fits(one, payout))
    const [only] = candidates
    const rivals = only ? nameless.filter((other) => fits(other, only)).length : 0
    for (const { journalId } of candidates) met.add(journalId)
    const kind =
      candidates.length === 0 ? 'notInJournal' : candidates.length === 1 && rivals === 1 ? 'matched' : 'ambiguous'
    const names = candidates.map(({ journalId }) => journalId).sort()
    tell(kind, one.entry, names.slice(0, 10))
  }
  for (const { journalId, day, state } of payouts) {
    if (seen.has(journalId) || met.has(journalId) || state === 'refused' || day < period.from) continue
    tell(nextDay(day, days) > period.to ? 'expected' : 'notOnStatement', null, [journalId])
  }
  return { entries, told: told.sort(), payouts, proven: proven.sort() }
}

test('a statement of a random ledger with losses, doublings, other sums, batches and returns is told exactly, and only what it proves is applied', async () => {
  const version = fc.constantFrom('02', '04', '08' as const)
  const property = fc.asyncProperty(
    fc.array(laid, { maxLength: 10 }),
    fc.array(stranger, { maxLength: 3 }),
    fc.integer({ min: 0, max: 3 }),
    version,
    async (ledger, strangers, days, form) => {
      const { entries, told, payouts, proven } = played(ledger, strangers, days)
      const items = await matched(entries, payouts, days, form)
      const names = ({ payout, candidates }: Item) => (payout ? [payout.journalId] : [...candidates].sort())
      expect(items.map((item) => [item.kind, item.entry, ...names(item)].join(' ')).sort()).toEqual(told)
      expect(items.closed).toEqual(proven)
    },
  )
  await fc.assert(property, { numRuns: 600 })
})

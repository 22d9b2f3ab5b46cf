/** An approval in a store that somebody writes to who can make every digest, but no signature. */
import type { Transaction } from 'kysely'
import { expect, test } from 'vitest'
import { additionOf, provenPersons } from '../../../src/lib/approvals/persons.ts'
import { type ApprovalState, provenApproval } from '../../../src/lib/approvals/proof.ts'
import { readPersonKey, type Statement, statementMembers } from '../../../src/lib/approvals/signatures.ts'
import { type ApprovalSubject, paymentSubject, planSubject } from '../../../src/lib/approvals/subject.ts'
import { openStore } from '../../../src/lib/store/engine/sqlite.ts'
import { addPerson, addVote } from '../../../src/lib/store/journal/approvals.ts'
import { withDigest } from '../../../src/lib/store/journal/digest.ts'
import {
  type ApprovalRow,
  type IntentRow,
  type JournalTables,
  journalSchema,
  type VoteRow,
} from '../../../src/lib/store/journal/schema.ts'
import { create } from '../../kit/payment.ts'
import { journalStores } from '../../kit/postgres.ts'
import { paydesk } from '../../kit/program.ts'
import { journalFile } from '../../kit/store.ts'
import { approved, asked, did, keyFile, peopleAtHome } from '../../kit/team.ts'

async function scene() {
  const found = await peopleAtHome({ from: '1000' })
  const { around, anna, nino } = found
  const held = await paydesk([...create({ key: 'k', amount: '1200' }), '--json'], around)
  const journalId = String(held.error.journalId)
  const id = await asked(journalId, anna, around)
  /** Writes to the store as paydesk would, chain and all. */
  const forge = async (work: (db: Transaction<JournalTables>) => Promise<unknown>) => {
    const store = await openStore<JournalTables>(journalFile(around.home), journalSchema)
    try {
      await store.write(work)
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
  await forge((db) => db.insertInto('approval_votes').values(withDigest<VoteRow>(vote)).execute())
  expect((await resume()).code).toBe(13)
})

test('a held request that was changed is neither approved nor sent (1)', async () => {
  const { around, id, nino, forge, resume } = await scene()
  await approved(id, nino, around, 'GEL 1200')
  await forge(async (db) => {
    const { digest: _, ...row } = await db.selectFrom('intents').selectAll().executeTakeFirstOrThrow()
    const body = row.body.replace('GE29NB0000000101904917', 'GE18SB1000000000000014')
    const changed = withDigest<IntentRow>({ ...row, body })
    await db.updateTable('intents').set(changed).execute()
  })
  expect((await resume()).code).toBe(1)
  const word = ['approval', 'approve', id, '--confirm', 'GEL 1200', '--person-key', nino.file, '--json']
  expect((await paydesk(word, around)).code).toBe(1)
})

const newStore = journalStores()

const at = '2026-11-20T06:00:00.000Z'
const now = Date.parse(at)
const expiry = now + 86_400_000
const [anna, nino] = ['person-anna', 'person-nino'] as const

const subject = paymentSubject(
  {
    ...{ operation: 'payout.create', profile: 'acme', environment: 'test', service: 'https://pay.example' },
    ...{ serviceId: 'pay', clientId: 'me', uniqueId: 'id-1', idempotencyKey: null, body: '{}', bodyDigest: 'digest' },
    ...{ payee: 'GE29NB0000000101904917', amountMinor: '100000', currency: 'GEL' },
  },
  'j-000000000001',
)

async function judged() {
  const store = await newStore()
  const keys = { [anna]: readPersonKey(keyFile().file), [nino]: readPersonKey(keyFile().file) }
  const person = (id: typeof anna | typeof nino, role: 'administrator' | 'member') => {
    const row = { id, name: id, public_key: keys[id].publicKey, role, added_by: anna, added_at: at, salt: id }
    const signature = keys[anna].sign('person', additionOf(row))
    return { ...row, signature, revoked_at: null, revoked_by: null, revocation: null }
  }
  await store.write(async (db) => {
    await addPerson(db, person(anna, 'administrator'))
    await addPerson(db, person(nino, 'member'))
  })
  const facts: Statement<'request'> = {
    ...{ approval: 'a-1', maker: anna, ...subject, requestedAt: at, expiresAt: new Date(expiry).toISOString() },
  }
  /** A request with these facts, signed by a person. `written`: what stands in the row in the place of what was signed. */
  const row = (
    signed: Partial<Statement<'request'>> = {},
    by: typeof anna | typeof nino = anna,
    written: object = {},
  ) => {
    const all = { ...facts, ...signed }
    const said: ApprovalRow = {
      ...{ id: 'a-1', salt: 'salt', digest: '', subject: 'payment', subject_id: subject.id, maker: by },
      ...{ requested_at: at, facts: JSON.stringify(all), signature: keys[by].sign('request', all), used_at: null },
      ...written,
    }
    return said
  }
  const proven = (of: ApprovalRow, about: ApprovalSubject | null = subject, moment = now) =>
    store.read(async (db) => provenApproval(db, of, about, await provenPersons(db), moment))
  const stateOf = async (...given: Parameters<typeof proven>): Promise<ApprovalState> => (await proven(...given)).state
  const vote = (facts: Statement<'request'>, by: typeof anna | typeof nino) =>
    store.write(async (db) => {
      const word = { decision: 'approve', because: '', at }
      const signature = keys[by].sign('decision', { ...facts, ...word, approver: by })
      await addVote(db, { ...word, approval_id: 'a-1', person_id: by, signature, salt: by })
    })
  return { facts, row, proven, stateOf, vote }
}

test.each([
  ['a millisecond before its expiry', expiry - 1, 'open'],
  ['at its expiry', expiry, 'expired'],
  ['a millisecond after its expiry', expiry + 1, 'expired'],
] as const)('an approval %s is looked at (%s): it is %s', async (_when, moment, state) => {
  const { row, proven } = await judged()
  expect(await proven(row(), subject, moment)).toMatchObject({ state, isExpired: state === 'expired' })
})

test.each([
  ['an empty expiry', '"expiresAt":""'],
  ['an expiry that is no time', '"expiresAt":"never"'],
  ['no expiry', '"other":""'],
])('an approval whose maker signed %s is expired from the beginning', async (_what, member) => {
  const { facts, row, proven } = await judged()
  const expiresAt = member === '"expiresAt":"never"' ? 'never' : ''
  const written = { facts: JSON.stringify({ ...facts, expiresAt }).replace(`"expiresAt":"${expiresAt}"`, member) }
  const found = await proven(row({ expiresAt }, anna, written))
  expect(found).toMatchObject({ state: 'expired', isExpired: true })
})

test('an approval that was used stays used behind its expiry, and says that its time is over', async () => {
  const { row, proven } = await judged()
  const used = row({}, anna, { used_at: at })
  expect(await proven(used)).toMatchObject({ state: 'used', isExpired: false })
  expect(await proven(used, subject, expiry)).toMatchObject({ state: 'used', isExpired: true })
})

const members = Object.keys(subject).filter((name): name is keyof ApprovalSubject => name !== 'profile')

test.each(members)('an approval for a payment with another %s alone does not cover this one', async (name) => {
  const { row, stateOf } = await judged()
  const other = { [name]: `${subject[name]}x` }
  // Signed for another payment, and this payment is to be sent.
  const written = name === 'id' ? { subject_id: `${subject.id}x` } : {}
  expect(await stateOf(row(other, anna, written))).toBe('outdated')
  // Signed for this payment, and another is to be sent.
  expect(await stateOf(row(), { ...subject, ...other })).toBe('outdated')
  expect(await stateOf(row(), subject)).toBe('open')
})

test('an approval for a payment of a profile that was renamed stands: the name is each machine’s own', async () => {
  const { row, stateOf } = await judged()
  expect(await stateOf(row(), { ...subject, profile: 'renamed' })).toBe('open')
})

test.each(statementMembers.request)('an approval whose %s was changed after it was signed is void', async (name) => {
  const { facts, row, stateOf } = await judged()
  const written = { facts: JSON.stringify({ ...facts, [name]: `${facts[name]}x` }) }
  expect(await stateOf(row({}, anna, written), null)).toBe('void')
})

test.each([
  ['for a request of another id', { approval: 'a-2' }, anna],
  ['about another payment', { id: 'j-000000000002' }, anna],
  // Nobody may approve a payment of their own by writing somebody else's name over it.
  ['in the name of another person', { maker: anna }, nino],
] as const)('an approval that its maker signed %s is void', async (_what, signed, by) => {
  const { facts, row, proven, stateOf, vote } = await judged()
  expect(await stateOf(row(), null)).toBe('open')
  const forged = row(signed, by)
  await vote({ ...facts, ...signed }, nino)
  expect(await proven(forged, null)).toMatchObject({ state: 'void' })
})

test('an approval counts the word of another person, and not that of its maker', async () => {
  const { facts, row, proven, vote } = await judged()
  await vote(facts, anna)
  expect((await proven(row())).approvers).toEqual([])
  await vote(facts, nino)
  expect((await proven(row())).approvers).toEqual([nino])
})

test('a word about another request counts for nothing: each member of the request is signed with the word', async () => {
  for (const name of statementMembers.request) {
    const { facts, row, proven, vote } = await judged()
    await vote({ ...facts, [name]: `${facts[name]}x` }, nino)
    expect([name, (await proven(row())).approvers]).toEqual([name, []])
  }
})

const plan = {
  ...{ planId: 'b-000000000001', hash: 'hash', profile: 'acme', file: 'salaries.csv', rows: 40 },
  ...{ totals: { GEL: '20000', USD: '5' }, operation: 'payout.create' },
  ...{ environment: 'test', service: 'https://PAY.example/base', serviceId: 'pay', clientId: 'ME' },
}

test('the subject of an approval for a plan names its file, rows, sums and hash, and where it is sent', () => {
  expect(planSubject(plan)).toEqual({
    ...{ subject: 'plan', id: 'b-000000000001', operation: 'payout.create', uniqueId: '', digest: 'hash' },
    ...{ environment: 'test', service: 'https://pay.example', serviceId: 'pay', client: 'me' },
    ...{ sum: 'GEL 200.00 + USD 0.05', payee: 'salaries.csv', rows: '40', profile: 'acme' },
  })
})

test.each([
  ['planId', { planId: 'b-000000000002' }],
  ['hash', { hash: 'other' }],
  ['file', { file: 'other.csv' }],
  ['number of rows', { rows: 41 }],
  ['sum', { totals: { GEL: '20001', USD: '5' } }],
  ['currency', { totals: { GEL: '20000', EUR: '5' } }],
  ['operation', { operation: 'order.refund' }],
  ['environment', { environment: 'live' }],
  ['address', { service: 'https://other.example' }],
  ['service name', { serviceId: 'other' }],
  ['client', { clientId: 'you' }],
])('the subject of an approval for a plan with another %s is another subject', (_what, more) => {
  expect(planSubject({ ...plan, ...more })).not.toEqual(planSubject(plan))
})

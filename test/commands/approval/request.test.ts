import { expect, test } from 'vitest'
import { hurriedClock } from '../../kit/clock.ts'
import { create, mustVerify } from '../../kit/payment.ts'
import { paydesk, type Surroundings } from '../../kit/program.ts'
import { valueIn } from '../../kit/store.ts'
import { approve, approved, as, asked, did, type KeyFile, type NewRule, people, peopleAtHome } from '../../kit/team.ts'
import { onSandbox, ordered, place, play } from '../../kit/world.ts'

const pay = (more = {}) => [...create({ key: 'salary-11', amount: '1200', ...more }), '--json']

const thousand: NewRule = { from: '1000' }
const hour = 3_600_000

async function heldPayment(around: Surroundings, more = {}): Promise<string> {
  const held = await paydesk(pay(more), around)
  expect(held.code, held.stderr).toBe(13)
  return String(held.error.journalId)
}

const resume = (id: string) => ['resume', id, '-p', 'sandbox', '--json']

test('approval request: a payout at the sum of a rule is held (13), approved by another person, and sent once', async () => {
  const { around, anna, nino } = await peopleAtHome(thousand)
  const held = await paydesk(pay(), around)
  expect(held.code, held.stderr).toBe(13)
  expect(held.error).toMatchObject({ name: 'held', moneyMoved: 'no' })
  const journalId = String(held.error.journalId)
  expect(held.error.message).toContain(
    'waiting for an approval: GEL 1200.00 needs the approval of 1 other person (rule: GEL 1000.00 and more)',
  )
  expect(JSON.stringify(held.error.hints)).toContain(`paydesk approval request ${journalId}`)
  const id = await asked(journalId, anna, around)
  const waiting = await paydesk(pay(), around)
  expect(waiting).toMatchObject({ code: 13 })
  expect(JSON.stringify(waiting.error.hints)).toContain(`paydesk approval approve ${id}`)
  await approved(id, nino, around, 'GEL 1200')
  const sent = await paydesk(resume(journalId), around)
  expect(sent.json, sent.stderr).toMatchObject({ outcome: 'accepted', journalId })
  expect((await paydesk(pay(), around)).json).toMatchObject({ replayed: true })
  expect((await paydesk(['approval', 'show', id, '--json'], around)).json).toMatchObject({
    state: 'used',
    maker: 'Anna',
  })
  await mustVerify(around)
  expect(String(valueIn(around.home, 'select group_concat(changes) from links'))).not.toContain('Anna')
})

test('payout create: an approved payout is sent by the same command with its key', async () => {
  const { around, anna, nino } = await peopleAtHome(thousand)
  await approved(await asked(await heldPayment(around), anna, around), nino, around, 'GEL 1200')
  expect(await paydesk(pay(), around)).toMatchObject({ code: 0, json: { replayed: false } })
})

test('payout create: a payout below the rule is sent at once (0)', async () => {
  const { around } = await peopleAtHome(thousand)
  expect((await paydesk(pay({ amount: '999.99' }), around)).code).toBe(0)
})

test('payout create: exactly the sum of a rule is held (13), and another currency is not', async () => {
  const { around } = await peopleAtHome(thousand)
  await heldPayment(around, { amount: '1000' })
  expect((await paydesk(pay({ key: 'k', currency: 'USD', profile: 'sandbox-full' }), around)).code).toBe(0)
})

test('payout create: payouts below a rule add up by the day in Tbilisi, and the one that reaches the sum is held (13)', async () => {
  const clock = hurriedClock(Date.parse('2026-11-20T06:00:00Z'))
  const {
    around: { home },
  } = await peopleAtHome(thousand)
  const around = { home, clock }
  expect((await paydesk(pay({ key: 'a', amount: '600' }), around)).code).toBe(0)
  const held = await paydesk(pay({ key: 'b', amount: '400' }), around)
  expect(held.code).toBe(13)
  expect(held.error.message).toContain('GEL 400.00, with what was sent today GEL 1000.00, needs the approval of 1')
  expect((await paydesk(pay({ key: 'c', amount: '399.99' }), around)).code).toBe(0)
  // Midnight in Tbilisi.
  clock.skip(14.1 * hour)
  expect((await paydesk(pay({ key: 'b', amount: '400' }), around)).code).toBe(0)
})

test('payout create: sums count for each maker with a key, and leaving the key out avoids no rule (13)', async () => {
  const { around, nino, giorgi } = await peopleAtHome(thousand)
  const by = ({ file }: KeyFile): Surroundings => ({ ...around, env: { PAYDESK_PERSON_KEY: file } })
  expect((await paydesk(pay({ key: 'a', amount: '600' }), by(nino))).code).toBe(0)
  expect((await paydesk(pay({ key: 'b', amount: '600' }), by(giorgi))).code).toBe(0)
  expect((await paydesk(pay({ key: 'c', amount: '400' }), by(nino))).code).toBe(13)
  expect((await paydesk(pay({ key: 'd', amount: '100' }), around)).code).toBe(13)
  expect((await paydesk(pay({ key: 'e', amount: '100' }), by(giorgi))).code).toBe(0)
})

test('payout create: refused and approved payouts do not count towards the unapproved sum of the day', async () => {
  const { around, anna, nino } = await peopleAtHome(thousand)
  expect((await paydesk(pay({ key: 'poor', amount: '999', profile: 'sandbox-poor' }), around)).code).toBe(5)
  await approved(await asked(await heldPayment(around), anna, around), nino, around, 'GEL 1200')
  expect((await paydesk(pay(), around)).code).toBe(0)
  expect((await paydesk(pay({ key: 'small', amount: '999' }), around)).code).toBe(0)
})

test('payout create: payouts with one approval add up to a rule that needs two approvers (13)', async () => {
  const { around, anna, nino, giorgi } = await peopleAtHome(thousand, { from: '2000', approvers: 2 })
  const first = await asked(await heldPayment(around), anna, around)
  await approved(first, nino, around, 'GEL 1200')
  expect((await paydesk(pay(), around)).code).toBe(0)
  const second = await asked(await heldPayment(around, { key: 'b' }), anna, around)
  await approved(second, nino, around, 'GEL 1200')
  const one = await paydesk(pay({ key: 'b' }), around)
  expect(one.code).toBe(13)
  expect(one.error.message).toContain(
    'GEL 2400.00, needs the approval of 2 other people (rule: GEL 2000.00 and more), 1 so far',
  )
  await approved(second, giorgi, around, 'GEL 1200')
  expect((await paydesk(pay({ key: 'b' }), around)).code).toBe(0)
})

test('payout create: an approval does not cover a request that has changed (13), and never does again', async () => {
  const { around, anna, nino } = await peopleAtHome(thousand)
  const id = await asked(await heldPayment(around), anna, around)
  await approved(id, nino, around, 'GEL 1200')
  for (const change of [{ amount: '1200.01' }, { 'to-iban': 'GE18SB1000000000000014' }, { description: 'else' }]) {
    const held = await paydesk(pay(change), around)
    expect(held.code, JSON.stringify(change)).toBe(13)
    expect(held.error.message).toContain(`${id} does not cover this request: it is for GEL 1200.00 to `)
    expect(held.error.message).not.toContain('void')
  }
  expect((await did(['approval', 'show', id], around)).state).toBe('outdated')
})

test('resume: an expired approval holds the payout again (13) until it is approved anew', async () => {
  const clock = hurriedClock(Date.parse('2026-11-20T06:00:00Z'))
  const {
    around: { home },
    anna,
    nino,
  } = await peopleAtHome(thousand)
  const around = { home, clock }
  const journalId = await heldPayment(around)
  const id = await asked(journalId, anna, around, '--valid-for', '2h')
  await approved(id, nino, around, 'GEL 1200')
  clock.skip(2 * hour)
  const held = await paydesk(resume(journalId), around)
  expect(held.code).toBe(13)
  expect(held.error.message).toContain(`${id} has expired`)
  expect((await paydesk(approve(id, nino, 'GEL 1200'), around)).code).toBe(0)
  await approved(await asked(journalId, anna, around), nino, around, 'GEL 1200')
  expect((await paydesk(resume(journalId), around)).code).toBe(0)
})

test.each([
  ['its maker', 'Giorgi'],
  ['its approver', 'Nino'],
])('resume: an approval does not count (13) when %s was revoked before it is used', async (_who, name) => {
  const { around, anna, nino, giorgi } = await peopleAtHome(thousand)
  const journalId = await heldPayment(around)
  await approved(await asked(journalId, giorgi, around), nino, around, 'GEL 1200')
  await did(['team', 'key', 'revoke', name, ...as(anna)], around)
  expect((await paydesk(resume(journalId), around)).code).toBe(13)
})

test('approval request: a second request while one is open is a conflict (7), and one for a sent payout is refused (2)', async () => {
  const { around, anna } = await peopleAtHome(thousand)
  const journalId = await heldPayment(around)
  const id = await asked(journalId, anna, around)
  const again = await paydesk(['approval', 'request', journalId, ...as(anna), '--json'], around)
  expect(again).toMatchObject({ code: 7, error: { message: expect.stringContaining(id) } })
  const sent = await paydesk(pay({ key: 'small', amount: '1' }), around)
  const done = await paydesk(['approval', 'request', String(sent.json.journalId), ...as(anna), '--json'], around)
  expect(done.code).toBe(2)
})

test('approval request: needs a person of the store (4) and a known payout (6), and stands for a week at most (2)', async () => {
  const { around, anna } = await peopleAtHome(thousand)
  const journalId = await heldPayment(around)
  const stranger = (await peopleAtHome()).nino
  expect((await paydesk(['approval', 'request', journalId, ...as(stranger), '--json'], around)).code).toBe(4)
  expect((await paydesk(['approval', 'request', journalId, '--json'], around)).code).toBe(4)
  expect((await paydesk(['approval', 'request', 'j-000000000000', ...as(anna), '--json'], around)).code).toBe(6)
  const long = await paydesk(['approval', 'request', journalId, '--valid-for', '169h', ...as(anna), '--json'], around)
  expect(long.code).toBe(2)
})

test('order refund: a refund over a rule is held (13) in the currency of its order, and sent once when approved', async () => {
  const around = place()
  const id = await ordered(around)
  await play(around, id)
  const { anna, nino } = await people(around, { from: '5' }, { from: '1', currency: 'USD', approvers: 2 })
  const refund = ['order', 'refund', id, '--amount', '5', '--key', 'r-1', '--yes', ...onSandbox, '--json']
  const held = await paydesk(refund, around)
  expect(held.code, held.stderr).toBe(13)
  expect(held.error.message).toContain('GEL 5.00 needs the approval of 1')
  const approval = await asked(String(held.error.journalId), anna, around)
  await approved(approval, nino, around, '5.00')
  const sent = await paydesk(['resume', String(held.error.journalId), '--json'], around)
  expect(sent.json, sent.stderr).toMatchObject({ operation: 'order.refund' })
  expect((await paydesk(refund, around)).json).toMatchObject({ replayed: true })
})

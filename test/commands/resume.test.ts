import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { create, createToReceiver, type Flags } from '../kit/payment.ts'
import { atTerminal, newHome, paydesk, succeeds } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'
import { addFault, clearFaults, ledgerOf, paidOrder, standingSandbox } from '../kit/world.ts'

/** A home with payouts whose outcome is unknown; `at` says whether the service executed them. */
async function lostPayouts(at: 'before' | 'after', ...payouts: Flags[]) {
  const home = newHome()
  const clock = hurriedClock()
  const around = { home, clock, random: impatient }
  await addFault(home, { at, kind: 'reset', times: 9999 })
  const lost: Record<string, unknown>[] = []
  for (const flags of payouts) {
    const ended = await paydesk([...create(flags), '--json'], around)
    expect(ended.code, ended.stderr).toBe(9)
    lost.push(ended.error)
  }
  await clearFaults(home)
  const resume = (...more: string[]) => paydesk(['resume', '-p', 'sandbox', ...more], around)
  const state = async (id: unknown) => (await paydesk(['journal', 'show', String(id), '--json'], { home })).json
  return { home, clock, around, lost, resume, state }
}

test('resume: with nothing open it says so (0)', async () => {
  const home = newHome()
  expect(await paydesk(['resume', '-p', 'sandbox'], { home })).toMatchObject({
    code: 0,
    stdout: 'No payment of sandbox is unknown.\n',
  })
  expect(await paydesk(['resume', '-p', 'sandbox', '--json'], { home })).toMatchObject({ code: 0, stdout: '[]\n' })
})

test('resume: without an open payment it names the profile that was asked, with --all none', async () => {
  const { home, around, resume } = await lostPayouts('after', { amount: '1' })
  await addHandProfile(home, 'http://127.0.0.1:9')
  const ofHand = await paydesk(['resume', '-p', 'hand'], around)
  expect(ofHand).toMatchObject({ code: 0, stdout: 'No payment of hand is unknown.\n' })
  expect((await resume()).stdout).toContain('Payout: the service has it; amount not confirmed')
  expect(await paydesk(['resume', '--all'], around)).toMatchObject({ code: 0, stdout: 'No payment is unknown.\n' })
})

test("resume: without an id every unknown payment of the profile is resolved under its own id, and no other profile's", async () => {
  const { home, lost, resume } = await lostPayouts('after', { amount: '1' }, { amount: '2' })
  expect(await paydesk(createToReceiver({ amount: '3' }), { home })).toMatchObject({ code: 0 })
  await addFault(home, { at: 'before', kind: 'reset', times: 5 })
  const foreign = await paydesk([...createToReceiver({ amount: '4' }), '--json'], {
    home,
    clock: hurriedClock(),
    random: impatient,
  })
  expect(foreign.code).toBe(9)
  const ended = await succeeds(resume('--json'))
  expect(ended.json).toMatchObject(
    lost.map(({ uniqueId }) => ({ outcome: 'exists', uniqueId, idUnknown: true, transactionId: null })),
  )
  expect((await ledgerOf(home)).map(({ executions }) => executions)).toEqual([1, 1, 1])
  const open = await paydesk(['journal', 'list', '--state', 'unknown', '--json'], { home })
  expect(open.json).toMatchObject([{ journalId: foreign.error.journalId }])
})

test('resume: a payment that never reached the service is executed once under its id, and then replayed', async () => {
  const { home, lost, resume } = await lostPayouts('before', { amount: '1' })
  expect(await ledgerOf(home)).toEqual([])
  const ended = await resume(String(lost[0]?.journalId), '--json')
  expect(ended).toMatchObject({ code: 0, json: { outcome: 'accepted', uniqueId: lost[0]?.uniqueId } })
  expect(await ledgerOf(home)).toMatchObject([{ uniqueId: lost[0]?.uniqueId, executions: 1 }])
  const again = await resume(String(lost[0]?.journalId), '--json')
  expect(again).toMatchObject({ code: 0, json: { replayed: true, transactionId: ended.json.transactionId } })
})

test('resume: a journal id, a uniqueId or a key names the payment', async () => {
  const keys = ['emp-17', 'emp-18', 'emp-19']
  const { lost, resume } = await lostPayouts('after', ...keys.map((key) => ({ key })))
  for (const name of [lost[0]?.journalId, lost[1]?.uniqueId, 'emp-19']) {
    const ended = await succeeds(resume(String(name)))
    expect(ended.stdout).toContain('Payout: the service has it; amount not confirmed')
  }
})

test('resume: a payment whose answer is lost again stays unknown (9) under its id, and is executed once', async () => {
  const { home, lost, resume, state } = await lostPayouts('after', { amount: '1' })
  await addFault(home, { at: 'after', kind: 'html502', times: 99 })
  const ended = await resume('--json')
  expect(ended).toMatchObject({ code: 9, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'unknown', uniqueId: lost[0]?.uniqueId, journalId: lost[0]?.journalId })
  expect(await state(lost[0]?.journalId)).toMatchObject({ state: 'unknown', uniqueId: lost[0]?.uniqueId })
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
})

test('resume: an accepted payment is 0 and a refused one 5, and nothing is sent', async () => {
  const home = newHome()
  const paid = await paydesk([...create(), '--json'], { home })
  const refused = await paydesk([...create({ amount: '0.01' }), '--json'], { home })
  const { requests } = await standingSandbox(home)
  expect(await paydesk(['resume', String(paid.json.journalId), '-p', 'sandbox'], { home })).toMatchObject({ code: 0 })
  expect(await paydesk(['resume', String(refused.error.journalId), '-p', 'sandbox'], { home })).toMatchObject({
    code: 5,
    stdout: '',
  })
  expect(requests).toEqual([])
})

test('resume: an id that the journal does not know is 6; text that is no id, and an id with --all, are 2', async () => {
  const home = newHome()
  expect(await paydesk(['resume', 'j-000000000000', '-p', 'sandbox'], { home })).toMatchObject({ code: 6 })
  expect(await paydesk(['resume', 'nonsense', '-p', 'sandbox'], { home })).toMatchObject({ code: 2 })
  expect(await paydesk(['resume', 'j-000000000000', '--all', '-p', 'sandbox'], { home })).toMatchObject({ code: 2 })
})

const old = async () => {
  const world = await lostPayouts('after', { amount: '1' })
  world.clock.skip(25 * 3_600_000)
  return { ...world, id: String(world.lost[0]?.journalId) }
}

test('resume: a payment older than 24 hours is not sent without --confirm (2 by its id, 9 among all)', async () => {
  const { home, id, resume } = await old()
  const { requests } = await standingSandbox(home)
  const one = await resume(id, '--json')
  expect(one).toMatchObject({ code: 2, stdout: '' })
  expect(String(one.error.message)).toContain('--confirm "GEL 1.00"')
  const all = await resume('--json')
  expect(all).toMatchObject({ code: 9, stdout: '' })
  expect(JSON.stringify(all.error)).toContain('older than 24 hours')
  expect(JSON.stringify(all.error)).toContain(id)
  expect(await resume(id, '--yes')).toMatchObject({ code: 2 })
  expect(requests.filter((line) => line === 'POST /api/distributor')).toEqual([])
})

test('resume: a payment older than 24 hours is resolved with --confirm of its sum; another sum is declined (3)', async () => {
  const { home, id, resume } = await old()
  expect(await resume(id, '--confirm', 'GEL 2.00')).toMatchObject({ code: 3 })
  expect(await resume(id, '--confirm', 'gel 1', '--json')).toMatchObject({ code: 0, json: { outcome: 'exists' } })
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
})

test('resume at a terminal: a payment older than 24 hours is asked about; no is 3, yes resolves it', async () => {
  const { around, id } = await old()
  const argv = ['resume', id, '-p', 'sandbox']
  const no = await atTerminal(argv, around, [/\(send or cancel\)/, 'no\r'])
  expect(no.code).toBe(3)
  await succeeds(atTerminal(argv, around, [/\(send or cancel\)/, 'yes\r']))
})

const because = 'on the bank statement of 20 November'

test("resume --settle executed: the payment exists with the operator's reason, and nothing is sent", async () => {
  const { home, lost, resume, state } = await lostPayouts('after', { amount: '1' })
  const { requests } = await standingSandbox(home)
  const id = String(lost[0]?.journalId)
  const ended = await succeeds(resume(id, '--settle', 'executed', '--because', because, '--yes', '--json'))
  expect(ended.json).toMatchObject({ outcome: 'exists', journalId: id, transactionId: null })
  expect(await state(id)).toMatchObject({ state: 'exists', because: `the operator says: ${because}` })
  expect(requests).toEqual([])
})

test("resume --settle refused: the payment is closed with the operator's reason, and a later resume sends nothing", async () => {
  const { home, lost, resume, state } = await lostPayouts('before', { amount: '1' })
  const id = String(lost[0]?.journalId)
  const ended = await succeeds(resume(id, '--settle', 'refused', '--because', because, '--yes', '--json'))
  expect(ended.json).toMatchObject({ outcome: 'refused', warnings: [expect.stringContaining('your statement')] })
  expect(await state(id)).toMatchObject({ state: 'refused', because: `the operator says: ${because}` })
  expect(await resume('--json')).toMatchObject({ code: 0, json: [] })
  expect(await ledgerOf(home)).toEqual([])
})

test('resume --settle: an id, a known word, --because and a confirmation are required (2); another phrase is 3', async () => {
  const { lost, resume, state } = await lostPayouts('after', { amount: '1' })
  const id = String(lost[0]?.journalId)
  for (const wrong of [
    ['--settle', 'executed', '--because', because, '--yes'],
    [id, '--settle', 'executed', '--yes'],
    [id, '--settle', 'executed', '--because', ' ', '--yes'],
    [id, '--because', because],
    [id, '--settle', 'perhaps', '--because', because, '--yes'],
    [id, '--settle', 'executed', '--because', because],
  ]) {
    expect(await resume(...wrong), wrong.join(' ')).toMatchObject({ code: 2, stdout: '' })
  }
  expect(await state(id)).toMatchObject({ state: 'unknown', because: null })
  expect(await resume(id, '--settle', 'executed', '--because', because, '--confirm', 'j-0')).toMatchObject({
    code: 3,
  })
  expect(await resume(id, '--settle', 'executed', '--because', because, '--confirm', id)).toMatchObject({ code: 0 })
})

test('resume --settle refused: a payment that the service accepted stays accepted (2)', async () => {
  const home = newHome()
  const paid = await paydesk([...create(), '--json'], { home })
  const id = String(paid.json.journalId)
  const ended = await paydesk(['resume', id, '-p', 'sandbox', '--settle', 'refused', '--because', because, '--yes'], {
    home,
  })
  expect(ended.code).toBe(2)
  expect((await paydesk(['journal', 'show', id, '--json'], { home })).json).toMatchObject({ state: 'accepted' })
})

test('resume: the receipt of a resolved refund has the currency of its order', async () => {
  const around = { home: newHome(), clock: hurriedClock(), random: impatient }
  const id = await paidOrder(around, '--currency', 'USD')
  await addFault(around.home, { op: 'order.refund', at: 'after', kind: 'reset' })
  const lost = await paydesk(['order', 'refund', id, '--amount', '5', '-p', 'sandbox', '--yes', '--json'], around)
  expect(lost.code, lost.stderr).toBe(9)
  const resolve = [
    ...['resume', String(lost.error.journalId), '--settle', 'executed', '--because', 'the bank says so', '--yes'],
  ]
  for (const argv of [
    [...resolve, '--json'],
    ['resume', String(lost.error.journalId), '--json'],
  ]) {
    const ended = await succeeds(paydesk(argv, around))
    expect(ended.json).toMatchObject({ amount: 5, currency: 'USD' })
  }
})

/** A payout of the profile `hand` whose answer was lost; the service answers again as often as it is asked. */
async function lostByHand(key: string | null = null) {
  const home = newHome()
  const around = { home, clock: hurriedClock(), random: impatient }
  let broken = true
  const service = await serviceByHand(({ path }) => (broken && path === '/api/distributor' ? 'reset' : undefined))
  await addHandProfile(home, service.url)
  const ended = await paydesk([...create({ profile: 'hand', key }), '--json'], around)
  expect(ended.code, ended.stderr).toBe(9)
  broken = false
  const { journalId, uniqueId } = ended.error
  return { around, service, journalId: String(journalId), uniqueId: String(uniqueId) }
}

test('resume: unknown payments of other profiles are warned about, and --all resolves them', async () => {
  const { around, journalId } = await lostByHand()
  const mine = await paydesk(['resume', '-p', 'sandbox'], around)
  expect(mine).toMatchObject({ code: 0, stdout: 'No payment of sandbox is unknown.\n' })
  expect(mine.stderr).toContain('other profiles have unknown payments: hand (1); `paydesk resume --all`')
  const all = await succeeds(paydesk(['resume', '--all', '--json'], around))
  expect(all.json).toMatchObject([{ journalId, profile: 'hand', outcome: 'accepted' }])
})

test('resume --all: a profile named by -p or PAYDESK_PROFILE limits it to that profile', async () => {
  const { around, service } = await lostByHand()
  const asked = service.creates.length
  for (const [argv, env] of [
    [['resume', '--all', '-p', 'sandbox'], {}],
    [['resume', '--all'], { PAYDESK_PROFILE: 'sandbox' }],
  ] as const) {
    expect(await paydesk(argv, { ...around, env })).toMatchObject({
      code: 0,
      stdout: 'No payment of sandbox is unknown.\n',
    })
  }
  expect(service.creates).toHaveLength(asked)
})

test.each(['PAYDESK_CLIENT_SECRET', 'PAYDESK_PRIVATE_KEY_FILE'])(
  'resume --all: %s is refused (2), because it would be used for every profile',
  async (name) => {
    const { around, service, journalId } = await lostByHand()
    expect((await paydesk(['profile', 'use', 'sandbox'], around)).code).toBe(0)
    const before = service.seen.length
    const env = { [name]: join(around.home, 'of-the-other') }
    const all = await paydesk(['resume', '--all', '--json'], { ...around, env })
    expect(all.code).toBe(2)
    expect(all.error.message).toBe(`--all means every profile, and ${name} would be used for each of them`)
    expect((await paydesk(['resume', journalId, '--json'], { ...around, env })).code).toBe(2)
    expect(service.seen).toHaveLength(before)
  },
)

test('resume: a journal id or a uniqueId needs no profile, because the journal knows it', async () => {
  for (const id of ['journalId', 'uniqueId'] as const) {
    const lost = await lostByHand()
    const ended = await succeeds(paydesk(['resume', lost[id], '--json'], lost.around))
    expect(ended.json).toMatchObject({ journalId: lost.journalId, profile: 'hand' })
  }
})

test("resume: the key of another profile's payment is refused (2), and resolved if that profile is named", async () => {
  const { around, service, journalId } = await lostByHand('salary-11')
  expect((await paydesk(['profile', 'use', 'sandbox'], around)).code).toBe(0)
  const asked = service.creates.length
  const ended = await paydesk(['resume', 'salary-11', '--json'], around)
  expect(ended.code).toBe(2)
  expect(ended.error.message).toBe(`${journalId} belongs to profile hand, not to sandbox`)
  expect(service.creates).toHaveLength(asked)
  expect((await paydesk(['resume', 'salary-11', '-p', 'hand', '--json'], around)).code).toBe(0)
})

test('resume --all: a payment whose profile was removed stays unknown (9), and the others are resolved', async () => {
  const { around, journalId } = await lostByHand()
  await addFault(around.home, { at: 'after', kind: 'reset', times: 9 })
  expect((await paydesk([...create({ amount: '7' }), '--json'], around)).code).toBe(9)
  await clearFaults(around.home)
  expect((await paydesk(['profile', 'remove', 'hand', '--yes'], around)).code).toBe(0)
  const all = await paydesk(['resume', '--all', '--json'], around)
  expect(all.code).toBe(9)
  expect(all.error.message).toContain('1 of 2 resolved')
  expect(JSON.stringify(all.error.hints)).toContain(`${journalId}: it could not be asked for: there is no profile`)
  const left = await paydesk(['journal', 'list', '--state', 'unknown', '--json'], around)
  expect(left.json).toMatchObject([{ journalId }])
})

test('resume --all: a payment whose profile has another client now is not sent, and stays unknown (9)', async () => {
  const { around, journalId } = await lostByHand()
  const other = '99999999-2222-4333-8444-555555555555'
  await succeeds(paydesk(['profile', 'add', 'hand', '--client-id', other, '--replace'], around))
  const ended = await paydesk(['resume', '--all', '--json'], around)
  expect(ended.code).toBe(9)
  expect(ended.error).toMatchObject({ journalId, moneyMoved: 'unknown' })
  expect(ended.error.message).toContain('another service or client than the one that sent it')
})

test('resume --all: --timeout is for the whole command: what was not reached is named, stays unknown (9), and is not sent', async () => {
  const home = newHome()
  const clock = hurriedClock()
  const around = { home, clock, random: impatient }
  let slow = 0
  const service = await serviceByHand(({ path }) => {
    if (path !== '/api/distributor') return undefined
    clock.skip(slow)
    return 'reset'
  })
  await addHandProfile(home, service.url)
  for (const key of ['a', 'b', 'c']) {
    expect((await paydesk([...create({ profile: 'hand', key }), '--json'], around)).code).toBe(9)
  }
  const before = service.creates.length
  slow = 50_000
  const ended = await paydesk(['resume', '--all', '--timeout', '60s', '--json'], around)
  expect(ended.code, ended.stderr).toBe(9)
  const hints = (ended.error.hints as string[]).filter((each) => each.includes('was not reached within --timeout'))
  expect(hints).toHaveLength(2)
  expect(new Set(service.creates.slice(before).map(({ body }) => JSON.parse(body).uniqueId)).size).toBe(1)
})

import { describe, expect, test } from 'vitest'
import type { Flags } from '../../kit/payment.ts'
import { answers, atTerminal, newHome, paydesk, type Step, succeeds } from '../../kit/program.ts'
import { blockedUser, qrOpen } from '../../kit/sandbox/integrator.ts'
import { addSealedProfile, handIdentifier, type Said, type SealedCall, sealedByHand } from '../../kit/service.ts'
import { addFault, newTill, open, random, type Till } from '../../kit/world.ts'

const orderId = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'

async function executions(till: Till): Promise<number> {
  return (await till.ledger()).reduce((sum, each) => sum + each.executions, 0)
}

test('wallet finalize: SUCCESS is 0, and the order is executed once', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  const ended = await succeeds(till.finalize({ 'unique-id': uniqueId.toUpperCase() }))
  expect(ended.json).toEqual({
    ...{
      outcome: 'accepted',
      operation: 'wallet.finalize',
      uniqueId,
      status: 'SUCCESS',
      amount: 25,
      currency: 'GEL',
    },
    journalHead: expect.stringMatching(/^\d+-[0-9a-f]{24}$/),
    journalId: expect.stringMatching(/^j-[0-9a-f]{12}$/),
    ...{ profile: 'sandbox', environment: 'sandbox', sumConfirmed: true, replayed: false, warnings: [] },
  })
  expect(await till.ledger()).toMatchObject([{ uniqueId, status: 'SUCCESS', executions: 1, amount: { text: '25.00' } }])
})

test.each(['0.1', '5000'])('wallet finalize: the amount %s inside the range is sent', async (amount) => {
  const till = newTill()
  const ended = await succeeds(till.finalize({ 'unique-id': await till.created({ uri: open }), amount }))
  expect(ended.json.currency).toBeNull()
})

test('wallet finalize: sum, receiver and the time left are told before it is sent', async () => {
  const { home, clock, created } = newTill()
  const argv = ['wallet', 'finalize', '-p', 'sandbox', '--unique-id', await created(), '--amount', '25']
  const ended = await paydesk([...argv, '--final-status', 'SUCCESS', '--yes'], { home, clock, random })
  expect(ended.stderr).toMatch(/GEL 25\.00 to ნინო ბერიძე; 4 min 5\d s left to finalize it, until \d\d:\d\d:\d\d/)
  expect(ended.stdout).toMatch(/^Wallet order finalized\namount +GEL 25\.00\nstatus +SUCCESS \(executed/)
})

test('wallet finalize: the request is a PUT with the amount as a number, digit for digit', async () => {
  const home = newHome()
  const service = await sealedByHand(({ request }) => ({ value: { UniqueId: request.uniqueId, Status: ' SUCCESS' } }))
  await addSealedProfile(home, 'own', service.url)
  const argv = [
    ...['wallet', 'finalize', '-p', 'own', '--unique-id', orderId, '--amount', '25.10'],
    ...['--final-status', 'SUCCESS'],
  ]
  await succeeds(paydesk([...argv, '--yes', '--json'], { home }))
  expect(service.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PUT /api/v1/third-party/order/finalize',
  ])
  const request = { identifier: handIdentifier, uniqueId: orderId, amount: '25.1', finalStatus: 'SUCCESS' }
  expect(service.calls).toMatchObject([{ name: 'wallet.finalize', request, count: 1 }])
  const dry = await paydesk([...argv, '--dry-run', '--json'], { home })
  expect(dry.stdout).toContain('"amount":25.10')
})

async function refused(till: Till, more: Flags, moneyMoved = 'no'): Promise<string> {
  const ended = await till.finalize(more)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'usage', moneyMoved })
  expect(await executions(till)).toBe(0)
  expect((await till.run(['journal', 'list'])).stdout).not.toContain('wallet.finalize')
  return String(ended.error.message)
}

test('wallet finalize: another amount than the fixed one is refused (2), and nothing is sent', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  const words = await refused(till, { 'unique-id': uniqueId, amount: '24.99' })
  expect(words).toContain('--amount must be 25.00, as the service returned at creation, not 24.99')
  expect(await till.finalize({ 'unique-id': uniqueId }), 'and the right one follows').toMatchObject({ code: 0 })
})

test('wallet finalize: an amount outside the range is refused (2), and nothing is sent', async () => {
  const till = newTill()
  const uniqueId = await till.created({ uri: open })
  const words = await refused(till, { 'unique-id': uniqueId, amount: '5000.01' })
  expect(words).toContain('--amount must be from 0.10 to 5000.00')
})

test('wallet finalize: an order past its deadline (five minutes less 5 s) is refused (2), and not to be created anew', async () => {
  const till = newTill()
  const { json } = await till.create()
  const uniqueId = String(json.uniqueId)
  till.clock.skip(Date.parse(String(json.finalizeBy)) - till.clock.now() + 1)
  expect(await refused(till, { 'unique-id': uniqueId }, 'unknown')).toMatch(
    /five minutes were over at \d\d:\d\d:\d\d, though the service shows it as REGISTERED: do not create it again before/,
  )
  expect(await till.ledger(), 'the service would still take it').toMatchObject([{ status: 'REGISTERED' }])
  const both = await refused(till, { 'unique-id': uniqueId, amount: '1' }, 'unknown')
  expect(both, 'everything is said at once').toMatch(/--amount must be 25\.00[\s\S]*five minutes were over/)
})

test('wallet finalize: three seconds before the deadline it is sent', async () => {
  const till = newTill()
  const { json } = await till.create()
  till.clock.skip(Date.parse(String(json.finalizeBy)) - till.clock.now() - 3_000)
  expect(await till.finalize({ 'unique-id': String(json.uniqueId) })).toMatchObject({ code: 0 })
})

test('wallet finalize at a terminal: an order that ends while the question waits is refused (2)', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  const person = answers([/Send it\?/, 'yes\r'])
  let isOver = false
  const argv = [
    ...['wallet', 'finalize', '-p', 'sandbox', '--unique-id', uniqueId, '--amount', '25'],
    ...['--final-status', 'SUCCESS'],
  ]
  const ended = await paydesk(argv, {
    ...{ home: till.home, clock: till.clock, random, terminal: true },
    dialogue: (screen, type) => {
      if (!isOver && screen.includes('Send it?')) till.clock.skip(300_000)
      isOver ||= screen.includes('Send it?')
      person(screen, type)
    },
  })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain('the service holds it as FAILED')
  expect(await executions(till)).toBe(0)
})

test('wallet finalize: a rejected order is refused (2) with its reason', async () => {
  const till = newTill()
  const rejected = await till.create({ uri: qrOpen(blockedUser) })
  const words = await refused(till, { 'unique-id': String(rejected.error.uniqueId) })
  expect(words).toContain('its creation was refused (the receiver is blocked)')
})

test('wallet finalize: an order whose creation is unknown is refused (2) until resume resolves it', async () => {
  const till = newTill()
  await addFault(till.home, { op: 'wallet.create', at: 'after', kind: 'reset' })
  await addFault(till.home, { op: 'wallet.details', at: 'before', kind: 'html502', times: 99 })
  const { error } = await till.create()
  const words = await refused(till, { 'unique-id': String(error.uniqueId) })
  expect(words).toContain(`paydesk resume ${error.journalId}`)
  await till.run(['sandbox', 'fault', 'clear'])
  await till.run(['resume', String(error.journalId)])
  const ended = await succeeds(till.finalize({ 'unique-id': String(error.uniqueId) }))
  expect(ended.json.warnings).toEqual([expect.stringContaining('the amount was not checked')])
})

test('wallet finalize: a deleted order is refused (2)', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  expect(await till.run(['wallet', 'cancel', uniqueId, '--yes'])).toMatchObject({ code: 0 })
  expect(await refused(till, { 'unique-id': uniqueId })).toContain('it was deleted')
})

/** A till that no usage error changes. */
const untouched = newTill()

test.each([
  [{ 'final-status': 'FAILED' }, /--final-status must be SUCCESS/],
  [{ 'final-status': null }, /--final-status is required/],
  [{ amount: null }, /--amount is required/],
  [{ amount: '0' }, /--amount must be greater than 0/],
  [{ amount: '1.234' }, /--amount has more than 2 decimals/],
  [{ 'unique-id': null }, /--unique-id is required/],
  [{ 'unique-id': 'receipt-812' }, /--unique-id must be a UUID/],
  [{ key: 'k' }, /give --key or --unique-id, not both/],
  [{ 'unique-id': null, key: 'k ' }, /--key must be/],
  [{ yes: null }, /confirmation is needed/],
])('wallet finalize: flags %j are refused (2) with %s, and nothing is sent', async (more, words) => {
  expect(await refused(untouched, { 'unique-id': orderId, ...more })).toMatch(words)
})

test('wallet finalize --dry-run: the preflight holds (2), the payload is shown, and nothing is sent', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  expect(await refused(till, { 'unique-id': uniqueId, amount: '1', 'dry-run': true })).toContain(
    '--amount must be 25.00',
  )
  const dry = await till.finalize({ 'unique-id': uniqueId, 'dry-run': true })
  expect(dry.json).toMatchObject({
    method: 'PUT',
    payload: { uniqueId, amount: 25, finalStatus: 'SUCCESS' },
    warnings: [],
  })
  const unknown = await till.finalize({ 'unique-id': orderId, 'dry-run': true })
  expect(unknown.json.warnings).toEqual([expect.stringContaining('does not know of the creation')])
  expect(await executions(till)).toBe(0)
})

test.each([
  ['WRONG_AMOUNT', 5, {}, '24.99', '25'],
  ['AMOUNT_NOT_IN_RANGE', 5, { uri: open }, '0.09', '0.10'],
])('wallet finalize --no-local-check: %s is %i, and may be corrected', async (status, exit, create, wrong, right) => {
  const till = newTill()
  const uniqueId = await till.created(create)
  const sent = { 'unique-id': uniqueId, 'no-local-check': true } as const
  const ended = await till.finalize({ ...sent, amount: wrong })
  expect(ended).toMatchObject({ code: exit, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'refused', status, moneyMoved: 'no', retry: 'after-fix', uniqueId })
  await succeeds(till.finalize({ 'unique-id': uniqueId, amount: right }))
  expect(await executions(till)).toBe(1)
})

test('wallet finalize --no-local-check: ORDER_NOT_FOUND is 6, for a rejected, a deleted and an expired order', async () => {
  const till = newTill()
  const rejected = await till.create({ uri: qrOpen(blockedUser) })
  const deleted = await till.created()
  await till.run(['wallet', 'cancel', deleted, '--yes'])
  const over = await till.created()
  till.clock.skip(301_000)
  for (const uniqueId of [String(rejected.error.uniqueId), deleted, over]) {
    const ended = await till.finalize({ 'unique-id': uniqueId, 'no-local-check': true })
    expect(ended).toMatchObject({ code: 6, stdout: '' })
    expect(ended.error).toMatchObject({ name: 'not-found', status: 'ORDER_NOT_FOUND', moneyMoved: 'no' })
  }
  expect(await executions(till)).toBe(0)
})

test('wallet finalize: an order that the journal does not know is sent with a warning', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  till.forget()
  const ended = await succeeds(till.finalize({ 'unique-id': uniqueId }))
  expect(ended.json.warnings).toEqual([expect.stringContaining('amount and time were not checked')])
  expect(await executions(till)).toBe(1)
})

test('wallet finalize: ALREADY_FINALISED by another client is a conflict (7)', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  await till.finalize({ 'unique-id': uniqueId })
  till.forget()
  const ended = await till.finalize({ 'unique-id': uniqueId })
  expect(ended).toMatchObject({ code: 7, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'duplicate', uniqueId, retry: 'never' })
  expect(ended.error.message).toContain('ALREADY_FINALISED')
  expect(await executions(till)).toBe(1)
})

test('wallet finalize: a second run replays after the five minutes, and another amount is refused (7)', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  const first = await till.finalize({ 'unique-id': uniqueId })
  till.clock.skip(3_600_000)
  const again = await till.finalize({ 'unique-id': uniqueId })
  expect(again.json, again.stderr).toEqual({ ...first.json, replayed: true })
  expect(await till.finalize({ 'unique-id': uniqueId, amount: '24' })).toMatchObject({ code: 7, stdout: '' })
  expect(await executions(till)).toBe(1)
})

test('wallet finalize --key: the key names the order that wallet create made with it', async () => {
  const till = newTill()
  const uniqueId = await till.created({ key: 'till-3:812' })
  const ended = await till.finalize({ key: 'till-3:812' })
  expect(ended.json, ended.stderr).toMatchObject({ uniqueId, status: 'SUCCESS' })
  await succeeds(till.run(['journal', 'show', 'till-3:812']))
})

const lose = (till: Till, times = 1) =>
  addFault(till.home, { op: 'wallet.finalize', at: 'after', kind: 'reset', times })
const blind = (till: Till) => addFault(till.home, { op: 'wallet.details', at: 'before', kind: 'html502', times: 99 })

test('wallet finalize: a lost answer is followed by one repeat, and ALREADY_FINALISED is then 0', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  await lose(till)
  const ended = await succeeds(till.finalize({ 'unique-id': uniqueId }))
  expect(ended.json).toMatchObject({ outcome: 'exists', uniqueId, amount: 25, currency: 'GEL' })
  expect(await executions(till)).toBe(1)
})

test('wallet finalize: another amount after an unknown attempt is refused (7)', async () => {
  const till = newTill()
  const uniqueId = await till.created({ uri: open })
  await lose(till, 2)
  await blind(till)
  expect(await till.finalize({ 'unique-id': uniqueId, amount: '5' })).toMatchObject({ code: 9 })
  expect(await till.finalize({ 'unique-id': uniqueId, amount: '6' })).toMatchObject({ code: 7 })
})

describe('wallet finalize: after an own attempt without an answer', () => {
  /** A service that registers, loses the first answer to finalizing, and then says `then` and shows `details`. */
  async function service(then: string, details: Said) {
    const home = newHome()
    const answer = ({ name, request, count }: SealedCall): Said => {
      const { uniqueId } = request
      if (name === 'wallet.create') return { value: { uniqueId, amount: '25.00', status: 'REGISTERED' } }
      if (name === 'wallet.details') return details
      return count === 1 ? { plain: 'reset' } : { value: { uniqueId, status: then } }
    }
    const hand = await sealedByHand(answer)
    await addSealedProfile(home, 'own', hand.url)
    const till = newTill('own')
    const around = { home }
    const created = await till.run(['wallet', 'create', '--uri', open, '--unique-id', orderId, '--yes'], around)
    if (created.code !== 0) throw new Error(created.stderr)
    return { hand, finalize: (more: Flags = {}) => till.finalize({ 'unique-id': orderId, ...more }, around) }
  }
  const shows = (status: string): Said => ({ value: { uniqueId: orderId, status } })
  const nothing: Said = { plain: { status: 502, body: '<html>' } }

  test.each<readonly [then: string, shown: string, exit: number, details: Said]>([
    // Another client may have finalized it with another sum: the details decide that, too.
    ['ALREADY_FINALISED', 'cannot be read', 9, nothing],
    ['ALREADY_FINALISED', 'show SUCCESS', 0, shows('SUCCESS')],
    [
      'ALREADY_FINALISED',
      'show SUCCESS with 25.00',
      0,
      { value: { uniqueId: orderId, status: 'SUCCESS', amount: '25.00' } },
    ],
    [
      'ALREADY_FINALISED',
      'show SUCCESS with 7.00',
      9,
      { value: { uniqueId: orderId, status: 'SUCCESS', amount: '7.00' } },
    ],
    ['ALREADY_FINALISED', 'are refused with 6045', 9, { code: 6045, group: 5 }],
    ['ALREADY_FINALISED', 'show FAILED', 9, shows('FAILED')],
    ['ALREADY_FINALISED', 'show REGISTERED', 9, shows('REGISTERED')],
    ['ALREADY_FINALISED', 'show REJECTED', 9, shows('REJECTED')],
    ['ALREADY_FINALISED', 'show nonsense', 9, shows('nonsense')],
    ['SUCCESS', 'cannot be read', 0, nothing],
    // A duplicate proves nothing: the first attempt may have been executed, and the details decide.
    ['ORDER_NOT_FOUND', 'cannot be read', 9, nothing],
    ['ORDER_NOT_FOUND', 'show SUCCESS', 0, shows('SUCCESS')],
    ['ORDER_NOT_FOUND', 'show FAILED', 5, shows('FAILED')],
    // Even its creation may still be on its way.
    ['ORDER_NOT_FOUND', 'are refused with 6045', 9, { code: 6045, group: 5 }],
    ['ORDER_NOT_FOUND', 'show REGISTERED', 9, shows('REGISTERED')],
    ['RECEIVER_REACHED_LIMIT', 'cannot be read', 9, nothing],
    ['RECEIVER_REACHED_LIMIT', 'show SUCCESS', 0, shows('SUCCESS')],
    // The amounts were fixed at creation: what refuses now refused then.
    ['WRONG_AMOUNT', 'cannot be read', 5, nothing],
    ['AMOUNT_NOT_IN_RANGE', 'cannot be read', 5, nothing],
    ['LATER', 'cannot be read', 9, nothing],
  ])('wallet finalize: a lost answer, then %s, while the details %s, is %i', async (then, _shown, exit, details) => {
    const { hand, finalize } = await service(then, details)
    const ended = await finalize()
    expect(ended.code, ended.stderr || ended.stdout).toBe(exit)
    expect(hand.calls.filter(({ name }) => name === 'wallet.finalize')).toHaveLength(2)
    expect(hand.calls.filter(({ name }) => name === 'wallet.finalize')[0]?.request).toEqual(
      hand.calls.filter(({ name }) => name === 'wallet.finalize')[1]?.request,
    )
  })
})

const rest = ['--amount', '25', '--final-status', 'SUCCESS', '--yes']

test('wallet finalize: the order is named by a word: its uniqueId, its journal id or its key', async () => {
  const till = newTill()
  const first = await till.created()
  const second = await till.create()
  const third = await till.created({ key: 'till-3:812' })
  for (const [word, uniqueId] of [
    [first, first],
    [second.json.journalId, second.json.uniqueId],
    ['till-3:812', third],
  ]) {
    const ended = await till.run(['wallet', 'finalize', String(word), ...rest])
    expect(ended.json, ended.stderr).toMatchObject({ uniqueId, status: 'SUCCESS' })
  }
  expect(await executions(till)).toBe(3)
})

test.each([
  [['--unique-id', orderId], /the word <uniqueId> or --unique-id, not both/],
  [['--key', 'k'], /the word <uniqueId> or --key, not both/],
])('wallet finalize: a word and %j together are refused (2), and nothing is sent', async (flags, words) => {
  const ended = await untouched.run(['wallet', 'finalize', orderId, ...flags, ...rest])
  expect(ended).toMatchObject({ code: 2, stdout: '', error: { moneyMoved: 'no' } })
  expect(ended.error.message).toMatch(words)
})

const asked = (till: Till, argv: readonly string[], ...steps: readonly Step[]) =>
  atTerminal(
    ['wallet', 'finalize', '-p', 'sandbox', ...argv],
    { home: till.home, clock: till.clock, random, columns: 120 },
    ...steps,
  )

test('wallet finalize at a terminal: without an id the open orders of the profile are offered, with the time that each has left', async () => {
  const till = newTill()
  await till.finalize({ 'unique-id': await till.created() })
  const canceled = await till.created()
  await till.run(['wallet', 'cancel', canceled, '--yes'])
  const uniqueId = await till.created({ uri: open })
  const ended = await asked(
    till,
    [],
    [/Which wallet order\?/, '\r'],
    [/How much is to be paid\?/, '7.50\r'],
    [/\(send, edit or cancel\)/, 'send\r'],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.log).toMatch(/from 0\.10 to 5000\.00 to ნინო ბერიძე; 4 min 5\d s left to finalize it, until/)
  expect(ended.log).not.toContain(canceled)
  expect(ended.log).toContain('another one')
  expect(await till.ledger()).toContainEqual(expect.objectContaining({ uniqueId, status: 'SUCCESS' }))
})

test('wallet finalize at a terminal: a wrong amount is asked for again, typed or given by a flag, and < leads to another order', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  const ended = await asked(
    till,
    [],
    [/Which wallet order\?/, '\r'],
    [/How much is to be paid\?/, '24.99\r'],
    [/It must be 25\.00, as the service returned at creation, not 24\.99/, `${'\u007f'.repeat(5)}<\r`],
    [/Which wallet order\?/, '\r'],
    [/How much is to be paid\?/, '\r'],
    [/25\.00 to ნინო ბერიძე; 4 min 5\d s left[\s\S]*Send it\?/, 'cancel\r'],
  )
  expect(ended).toMatchObject({ code: 3, stdout: '' })
  const given = await asked(
    till,
    [uniqueId, '--amount', '24.99', '--final-status', 'SUCCESS'],
    [/--amount must be 25\.00[\s\S]*Nothing was sent[\s\S]*How much is to be paid\?/, '\r'],
    [/Send it\?/, 'send\r'],
  )
  expect(given.code, given.stderr).toBe(0)
  expect(await executions(till)).toBe(1)
})

async function busy(more: Flags) {
  const home = newHome()
  const hand = await sealedByHand(({ name, request: { uniqueId } }) =>
    name === 'wallet.create'
      ? { value: { uniqueId, amount: '25.00', status: 'REGISTERED' } }
      : { plain: { status: 429, headers: { 'retry-after': '4' }, body: '{}' } },
  )
  await addSealedProfile(home, 'own', hand.url)
  const till = newTill('own')
  const created = await till.run(['wallet', 'create', '--uri', open, '--unique-id', orderId, '--yes'], { home })
  till.clock.skip(Date.parse(String(created.json.finalizeBy)) - till.clock.now() - 10_000)
  const ended = await till.finalize({ 'unique-id': orderId, ...more }, { home })
  return { ended, times: hand.calls.filter(({ name }) => name === 'wallet.finalize').length }
}

test('wallet finalize: ten seconds before the deadline 429 is repeated twice, and is then 5 with the same id', async () => {
  const { ended, times } = await busy({})
  expect(times).toBe(3)
  expect(ended).toMatchObject({ code: 5, stdout: '' })
  expect(ended.error).toMatchObject({ retry: 'same-id', moneyMoved: 'no' })
})

test('wallet finalize --key: another amount for a finalized order is refused (7), and no other key is offered', async () => {
  const till = newTill()
  await till.created({ key: 'k', uri: open })
  await till.finalize({ key: 'k', amount: '25' })
  const other = await till.finalize({ key: 'k', amount: '24' })
  expect(other).toMatchObject({ code: 7, stdout: '' })
  expect(other.error.message).toMatch(/^the order was finalized with 25\.00 already \(j-/)
  expect(String(other.error.hints)).not.toContain('--key')
  expect(await executions(till)).toBe(1)
})

test.each([
  ['GEL 25.00', 'a fixed sum', 0, {}],
  ['gel 25', 'a fixed sum', 0, {}],
  ['25.00', 'a fixed sum', 3, {}],
  ['USD 25.00', 'a fixed sum', 3, {}],
  // The address names no currency: the sum alone.
  ['25.00', 'an open sum', 0, { uri: open }],
  ['GEL 25.00', 'an open sum', 3, { uri: open }],
])('wallet finalize: --confirm "%s" for an order with %s is %i', async (confirm, _sum, exit, create) => {
  const till = newTill()
  const ended = await till.finalize({ 'unique-id': await till.created(create), yes: null, confirm })
  expect(ended.code, ended.stderr).toBe(exit)
  expect(await executions(till)).toBe(exit === 0 ? 1 : 0)
})

import { expect, test } from 'vitest'
import { answers, atTerminal, newHome, paydesk, succeeds } from '../../kit/program.ts'
import { blockedUser, qr, walletBranch } from '../../kit/sandbox/integrator.ts'
import { addSealedProfile, handIdentifier, sealedByHand } from '../../kit/service.ts'
import { addFault, clearFaults, newTill, open, random, requested, uuid } from '../../kit/world.ts'

test('wallet create --json: receiver, amount, currency, status and the time left are shown', async () => {
  const till = newTill()
  const before = till.clock.now()
  const ended = await succeeds(till.create())
  expect(ended.json).toEqual({
    ...{ outcome: 'accepted', operation: 'wallet.create', status: 'REGISTERED' },
    uniqueId: expect.stringMatching(uuid),
    ...{ amount: 25, currency: 'GEL', minAmountAllowed: null, maxAmountAllowed: null, receiverName: 'ნინო ბერიძე' },
    finalizeBy: expect.any(String),
    secondsLeft: expect.any(Number),
    journalHead: expect.stringMatching(/^\d+-[0-9a-f]{24}$/),
    journalId: expect.stringMatching(/^j-[0-9a-f]{12}$/),
    ...{ profile: 'sandbox', environment: 'sandbox', replayed: false, warnings: [] },
  })
  expect(ended.stdout).toContain('"amount":25.00,')
  expect(ended.stderr).toBe('')
  const by = Date.parse(String(ended.json.finalizeBy)) - before
  expect(Math.floor(by / 1000)).toBe(295)
  expect(ended.json.secondsLeft).toBe(294)
  expect(await till.ledger()).toMatchObject([{ uniqueId: ended.json.uniqueId, status: 'REGISTERED', executions: 0 }])
})

test('wallet create: an open amount shows its range, and a product its price', async () => {
  const till = newTill()
  const free = await till.create({ uri: open })
  expect(free.json).toMatchObject({ amount: null, currency: null, minAmountAllowed: 0.1, maxAmountAllowed: 5000 })
  expect(free.stdout).toContain('"minAmountAllowed":0.10,"maxAmountAllowed":5000.00')
  const product = qr({ qrType: 'CUSTOM', receiverType: 'BRANCH', receiverId: walletBranch, productId: 'espresso-2' })
  expect((await till.create({ uri: product })).stdout).toContain('"amount":7.50')
})

test('wallet create: the table shows receiver, amount or range, status and deadline', async () => {
  const { home, clock } = newTill()
  const run = (uri: string) =>
    paydesk(['wallet', 'create', '-p', 'sandbox', '--uri', uri, '--yes'], { home, clock, random })
  const fixed = await run(requested)
  expect(fixed.stdout).toMatch(/^Wallet order registered\n/)
  expect(fixed.stdout).toMatch(/^receiver +ნინო ბერიძე$/m)
  expect(fixed.stdout).toMatch(/^amount +GEL 25\.00$/m)
  expect(fixed.stdout).toMatch(/^status +REGISTERED \(/m)
  expect(fixed.stdout).toMatch(/^finalize by +\d{4}(?:-\d\d){2} [\d:]{8} \(UTC[+-][\d:]{5}\), 4 min 5\d s left$/m)
  expect((await run(open)).stdout).toMatch(/^amount +0\.10 – 5000\.00$/m)
})

test('wallet create: REJECTED is 5 with its reason', async () => {
  const till = newTill()
  const blocked = qr({ qrType: 'DEFAULT', receiverType: 'USER', receiverId: blockedUser })
  const ended = await till.create({ uri: blocked })
  expect(ended).toMatchObject({ code: 5, stdout: '' })
  expect(ended.error).toMatchObject({
    name: 'refused',
    status: 'REJECTED',
    moneyMoved: 'no',
    operation: 'wallet.create',
  })
  expect(ended.error.message).toContain('the receiver is blocked')
  expect(await till.ledger()).toMatchObject([
    { uniqueId: ended.error.uniqueId, rejectReason: 'the receiver is blocked' },
  ])
})

test('wallet create: the request is a POST of one block with identifier, uniqueId and uri', async () => {
  const home = newHome()
  const service = await sealedByHand(({ request }) => ({
    value: { uniqueId: request.uniqueId, Amount: '12.345', Status: ' REGISTERED', receiverName: null, more: 1 },
  }))
  await addSealedProfile(home, 'own', service.url)
  const argv = ['wallet', 'create', '-p', 'own', '--unique-id', 'receipt-812', '--uri', ` ${open} `, '--yes', '--json']
  const ended = await succeeds(paydesk(argv, { home }))
  expect(service.calls).toMatchObject([
    { name: 'wallet.create', request: { identifier: handIdentifier, uniqueId: 'receipt-812', uri: open }, count: 1 },
  ])
  expect(Object.keys(JSON.parse(service.seen[0]?.body ?? ''))).toEqual(['identifier', 'encryptedData'])
  expect(ended.json).toMatchObject({
    uniqueId: 'receipt-812',
    status: 'REGISTERED',
    amount: 12.345,
    receiverName: null,
    more: 1,
  })
  expect(ended.json.warnings).toEqual([expect.stringContaining('is not a UUID')])
})

test('wallet create --key: a second run replays and sends nothing, another address is 7, and a late one 5', async () => {
  const till = newTill()
  const first = await till.create({ key: 'till-3:812' })
  const again = await till.create({ key: 'till-3:812' })
  expect(again.json).toEqual({ ...first.json, replayed: true, secondsLeft: expect.any(Number) })
  expect(await till.create({ key: 'till-3:812', uri: open })).toMatchObject({ code: 7, stdout: '' })
  till.clock.skip(300_000)
  const late = await till.create({ key: 'till-3:812' })
  expect(late.error).toMatchObject({ name: 'refused', status: 'FAILED', moneyMoved: 'no', retry: 'after-fix' })
  expect(late.error.hints).toEqual([expect.stringMatching(/^Create it again, with another --key\.$/)])
  expect(await till.ledger()).toHaveLength(1)
})

test('wallet create --unique-id: an order that is over is 5, and the hint asks for another id', async () => {
  const till = newTill()
  const uniqueId = await till.created()
  till.clock.skip(300_000)
  const late = await till.create({ 'unique-id': uniqueId })
  expect(late.error.hints).toEqual([
    expect.stringMatching(/^Create it again, with another --unique-id \(or none: one is made\)\.$/),
  ])
  expect(await till.create({ 'unique-id': uniqueId }), 'and once more').toMatchObject({ code: 5 })
})

test('wallet create --key: an order that was finalized, or may have been, replays with a warning', async () => {
  const till = newTill()
  await till.created({ key: 'paid' })
  expect((await till.finalize({ key: 'paid' })).code).toBe(0)
  await till.created({ key: 'lost' })
  await addFault(till.home, { op: 'wallet.finalize', at: 'before', kind: 'reset', times: 9 })
  await addFault(till.home, { op: 'wallet.details', at: 'before', kind: 'html502', times: 99 })
  const lost = await till.finalize({ key: 'lost', timeout: '5s' })
  expect(lost.code).toBe(9)
  await clearFaults(till.home)
  till.clock.skip(300_000)
  expect((await till.create({ key: 'paid' })).json.warnings).toEqual([
    expect.stringContaining('it was finalized since'),
  ])
  expect((await till.create({ key: 'lost' })).json.warnings).toEqual([
    `whether it was finalized since is unknown: \`paydesk resume ${lost.error.journalId}\``,
  ])
})

test('wallet create: --dry-run shows the payload and --curl the command, and nothing is sent', async () => {
  const till = newTill()
  const dry = await till.create({ 'dry-run': true, 'unique-id': 'w-1' })
  expect(dry.json).toMatchObject({
    ...{ dryRun: true, method: 'POST', curl: null },
    url: expect.stringMatching(/\/api\/v1\/third-party\/order\/create$/),
    payload: { identifier: '5a9db0c0-0201-4a11-8c11-000000000201', uniqueId: 'w-1', uri: requested },
  })
  expect((await till.create({ curl: true })).json.curl).toContain('third-party/order/create')
  expect(await till.ledger()).toEqual([])
})

/** A till that no usage error changes. */
const untouched = newTill()

test.each([
  [{ uri: null }, /--uri is required/],
  [{ uri: 'pay.example' }, /--uri must be an address/],
  [{ 'unique-id': ' ' }, /--unique-id must not be empty/],
  [{ identifier: 'me' }, /--identifier must be a UUID/],
  [{ yes: null }, /confirmation is needed/],
  [{ key: 'a', 'unique-id': 'b' }, /not both/],
  [{ key: ' a' }, /--key must be/],
])('wallet create: flags %j are refused (2) with %s, and nothing is sent', async (more, words) => {
  const ended = await untouched.create(more)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.error.message).toMatch(words)
  expect(await untouched.ledger()).toEqual([])
})

test('wallet create: --confirm takes the uniqueId; another phrase is 3', async () => {
  const till = newTill()
  expect(await till.create({ yes: null, confirm: 'w-2', 'unique-id': 'w-1' })).toMatchObject({ code: 3 })
  expect(await till.create({ yes: null, confirm: 'w-1', 'unique-id': 'w-1' })).toMatchObject({ code: 0 })
})

test('wallet create: a profile without a wallet is 4', async () => {
  const till = newTill('sandbox-receiver')
  expect((await till.create()).error).toMatchObject({ exit: 4, message: expect.stringContaining('has no wallet') })
})

test('wallet create at a terminal: the address is asked for, and the question names the receiver', async () => {
  const { home, clock } = newTill()
  const ended = await atTerminal(
    ['wallet', 'create', '-p', 'sandbox'],
    { home, clock, random },
    [/Which address did the QR code have\?[\s\S]*a requested amount, 25\.00/, 'another one'],
    [/❯ another one/, '\r'],
    [/< goes back/, `${requested}\r`],
    [/Send it\?/, 'yes\r'],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.log).toContain('USER 5a9db0c0-0321-4a11-8c11-000000000321')
  expect(ended.stdout).toContain('Wallet order registered')
})

test('wallet create at a terminal: on the sandbox its QR codes are there to choose from', async () => {
  const { home, clock } = newTill()
  const type = answers([/the payer chooses the amount, to a branch/, '\r'], [/Send it\?/, 'yes\r'])
  const argv = ['wallet', 'create', '-p', 'sandbox', '--json']
  const ended = await succeeds(paydesk(argv, { home, clock, random, terminal: true, dialogue: type }))
  expect(ended.json).toMatchObject({ status: 'REGISTERED', minAmountAllowed: 0.1 })
})

test.each([
  ['no query at all', 'https://pay.example/pay', 'has no qrType, no receiverType, no receiverId in its query'],
  ['no receiver', 'https://pay.example/pay?qrType=DEFAULT', 'has no receiverType, no receiverId in its query'],
  ['an empty receiverId', 'https://pay.example/pay?qrType=DEFAULT&receiverType=USER&receiverId=', 'has no receiverId'],
])('wallet create --uri: an address with %s is refused (2) before it is sent', async (_what, uri, why) => {
  const till = newTill()
  const { code, error } = await till.create({ uri })
  expect([code, error.moneyMoved]).toEqual([2, 'no'])
  expect(error.message).toContain(`--uri ${why}`)
  expect(await till.ledger()).toEqual([])
})

test('wallet create, finalize --identifier: another identity than that of the profile is refused (2)', async () => {
  const till = newTill()
  const other = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a99'
  const created = await till.create({ identifier: other })
  expect([created.code, created.error.moneyMoved]).toEqual([2, 'no'])
  expect(created.error.message).toContain('--identifier must be that of the profile sandbox')
  const line = ['wallet', 'finalize', '--unique-id', other, '--amount', '1', '--final-status', 'SUCCESS', '--yes']
  const finalized = await paydesk([...line, '--identifier', other, '-p', 'sandbox', '--json'], { home: newHome() })
  expect(finalized.code).toBe(2)
  expect(finalized.error.message).toContain('--identifier must be')
  expect(await till.ledger()).toEqual([])
})

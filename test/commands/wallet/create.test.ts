import { describe, expect, test } from 'vitest'
import { answers } from '../../kit/answers.ts'
import { newHome, paydesk } from '../../kit/program/paydesk.ts'
import { blockedUser, qr, walletBranch } from '../../kit/sandbox/integrator.ts'
import { addSealedProfile, handIdentifier, sealedByHand } from '../../kit/service/sealed-by-hand.ts'
import { newTill, open, random, requested, uuid } from '../../kit/wallet/scene.ts'
import { addFault, clearFaults } from '../../kit/world.ts'

describe('wallet create', () => {
  test('tells receiver, amount, currency, status and the time that is left', async () => {
    const till = newTill()
    const before = till.clock.now()
    const ended = await till.create()
    expect(ended.code, ended.stderr).toBe(0)
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
    expect(by).toBeGreaterThanOrEqual(295_000)
    expect(by).toBeLessThan(305_000)
    expect(ended.json.secondsLeft).toBeGreaterThan(280)
    expect(ended.json.secondsLeft).toBeLessThanOrEqual(295)
    expect(await till.ledger()).toMatchObject([{ uniqueId: ended.json.uniqueId, status: 'REGISTERED', executions: 0 }])
  })

  test('tells the range where the payer has the choice, and the price of a product', async () => {
    const till = newTill()
    const free = await till.create({ uri: open })
    expect(free.json).toMatchObject({ amount: null, currency: null, minAmountAllowed: 0.1, maxAmountAllowed: 5000 })
    expect(free.stdout).toContain('"minAmountAllowed":0.10,"maxAmountAllowed":5000.00')
    const product = qr({ qrType: 'CUSTOM', receiverType: 'BRANCH', receiverId: walletBranch, productId: 'espresso-2' })
    expect((await till.create({ uri: product })).stdout).toContain('"amount":7.50')
  })

  test('in words', async () => {
    const { home, clock } = newTill()
    const run = (uri: string) =>
      paydesk(['wallet', 'create', '-p', 'sandbox', '--uri', uri, '--yes'], { home, clock, random })
    const fixed = await run(requested)
    expect(fixed.stdout).toMatch(/^Wallet order registered\n/)
    expect(fixed.stdout).toMatch(/^receiver +ნინო ბერიძე$/m)
    expect(fixed.stdout).toMatch(/^amount +GEL 25\.00$/m)
    expect(fixed.stdout).toMatch(/^status +REGISTERED \(/m)
    expect(fixed.stdout).toMatch(/^finalize by +\d{4}(?:-\d\d){2} [\d:]{8} \(UTC[+-][\d:]{5}\), 29\d s left$/m)
    expect((await run(open)).stdout).toMatch(/^amount +0\.10 – 5000\.00$/m)
  })

  test('REJECTED is 5 with the reason; the id is used up', async () => {
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

  test('goes out as a POST of one block that holds identifier, uniqueId and uri', async () => {
    const home = newHome()
    const service = await sealedByHand(({ request }) => ({
      value: { uniqueId: request.uniqueId, Amount: '12.345', Status: ' REGISTERED', receiverName: null, more: 1 },
    }))
    await addSealedProfile(home, 'own', service.url)
    const argv = [
      'wallet',
      'create',
      '-p',
      'own',
      '--unique-id',
      'receipt-812',
      '--uri',
      ` ${open} `,
      '--yes',
      '--json',
    ]
    const ended = await paydesk(argv, { home })
    expect(ended.code, ended.stderr).toBe(0)
    expect(service.calls).toEqual([
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
    expect(ended.json.warnings).toEqual([expect.stringContaining('no UUID')])
  })

  test('a second run with the same key is the same order, and sends nothing; with another address it is 7', async () => {
    const till = newTill()
    const first = await till.create({ key: 'till-3:812' })
    const again = await till.create({ key: 'till-3:812' })
    expect(again.json).toEqual({ ...first.json, replayed: true, secondsLeft: expect.any(Number) })
    expect(await till.create({ key: 'till-3:812', uri: open })).toMatchObject({ code: 7, stdout: '' })
    till.clock.skip(300_000)
    const late = await till.create({ key: 'till-3:812' })
    expect(late.error).toMatchObject({ name: 'refused', status: 'FAILED', moneyMoved: 'no', retry: 'after-fix' })
    expect(late.error.hints).toEqual([expect.stringMatching(/^Create it anew, with another --key\.$/)])
    expect(await till.ledger()).toHaveLength(1)
  })

  test('in its last seconds it is the same order still, which is not to be made anew', async () => {
    const till = newTill()
    const { json } = await till.create({ key: 'till-3:813' })
    till.clock.skip(Date.parse(String(json.finalizeBy)) - till.clock.now() + 1)
    const late = await till.create({ key: 'till-3:813' })
    expect(late.json).toMatchObject({ replayed: true, secondsLeft: 0, finalizeBy: json.finalizeBy })
    expect(late.json.warnings).toEqual([expect.stringMatching(/shows it as REGISTERED: create nothing anew before/)])
  })

  test('that is over says how a new one is made: under the same id it would only be told again', async () => {
    const till = newTill()
    const uniqueId = await till.created()
    till.clock.skip(300_000)
    const late = await till.create({ 'unique-id': uniqueId })
    expect(late.error.hints).toEqual([
      expect.stringMatching(/^Create it anew, with another --unique-id \(or none: one is made\)\.$/),
    ])
    expect(await till.create({ 'unique-id': uniqueId }), 'and once more').toMatchObject({ code: 5 })
  })

  test('that was finalized, or may have been, is never to be made anew', async () => {
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

  test('that was rejected says that the same key is used up', async () => {
    const till = newTill()
    const blocked = qr({ qrType: 'DEFAULT', receiverType: 'USER', receiverId: blockedUser })
    const ended = await till.create({ uri: blocked, key: 'k' })
    expect(ended.error.hints).toEqual(['Correct it, and create it with another --key.'])
  })

  test('a lost answer is never sent again: the details resolve it', async () => {
    const till = newTill()
    await addFault(till.home, { op: 'wallet.create', at: 'after', kind: 'reset' })
    const ended = await till.create()
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.json).toMatchObject({
      outcome: 'exists',
      status: 'REGISTERED',
      amount: null,
      currency: 'GEL',
      receiverName: null,
    })
    expect(ended.json.warnings).toEqual([expect.stringContaining('its answer was lost')])
    expect(await till.ledger()).toHaveLength(1)
  })

  test('a lost answer whose order reads FAILED is 5: there is nothing to finalize', async () => {
    const till = newTill()
    await addFault(till.home, { op: 'wallet.create', at: 'after', kind: 'reset', times: 2 })
    const blocked = qr({ qrType: 'DEFAULT', receiverType: 'USER', receiverId: blockedUser })
    const ended = await till.create({ uri: blocked, key: 'k' })
    expect(ended).toMatchObject({ code: 5, stdout: '' })
    expect(ended.error).toMatchObject({ name: 'refused', status: 'FAILED', moneyMoved: 'no' })
    expect(await till.create({ uri: blocked, key: 'k' }), 'the same again').toMatchObject({ code: 5 })
    const paid = await till.finalize({ key: 'k', amount: '1' })
    expect(paid).toMatchObject({ code: 2, stdout: '' })
    expect(paid.error.message).toContain('the service holds it as FAILED')
  })

  test('without any answer it is 9, and resume resolves it', async () => {
    const till = newTill()
    await addFault(till.home, { op: 'wallet.create', at: 'after', kind: 'reset' })
    await addFault(till.home, { op: 'wallet.details', at: 'before', kind: 'html502', times: 99 })
    const ended = await till.create()
    expect(ended).toMatchObject({ code: 9, stdout: '' })
    expect(ended.error).toMatchObject({ name: 'unknown', operation: 'wallet.create', retry: 'same-id' })
    await till.run(['sandbox', 'fault', 'clear'])
    const resolved = await till.run(['resume', String(ended.error.journalId)])
    expect(resolved.json, resolved.stderr).toMatchObject({ outcome: 'exists', uniqueId: ended.error.uniqueId })
    expect(await till.ledger()).toHaveLength(1)
  })
})

describe('wallet create without sending', () => {
  test('--dry-run shows what would be sealed; --curl the command', async () => {
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

  test.each([
    [{ uri: null }, /--uri is required/],
    [{ uri: 'pay.example' }, /--uri must be an address/],
    [{ 'unique-id': ' ' }, /--unique-id must not be empty/],
    [{ identifier: 'me' }, /--identifier must be a UUID/],
    [{ yes: null }, /confirmation is needed/],
    [{ key: 'a', 'unique-id': 'b' }, /exclude each other/],
    [{ key: ' a' }, /--key must be/],
  ])('%j is 2', async (more, words) => {
    const till = newTill()
    const ended = await till.create(more)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.error.message).toMatch(words)
    expect(await till.ledger()).toEqual([])
  })

  test('--confirm takes the uniqueId', async () => {
    const till = newTill()
    expect(await till.create({ yes: null, confirm: 'w-2', 'unique-id': 'w-1' })).toMatchObject({ code: 3 })
    expect(await till.create({ yes: null, confirm: 'w-1', 'unique-id': 'w-1' })).toMatchObject({ code: 0 })
  })

  test('a profile without a wallet is 4', async () => {
    const till = newTill('sandbox-receiver')
    expect((await till.create()).error).toMatchObject({ exit: 4, message: expect.stringContaining('has no wallet') })
  })
})

test('at a terminal it asks for the address, and says who is asked to be paid', async () => {
  const { home, clock } = newTill()
  let screen = ''
  const type = answers([/Which address did the QR code have\?/, `${requested}\r`], [/Send it\?/, 'yes\r'])
  const ended = await paydesk(['wallet', 'create', '-p', 'sandbox'], {
    ...{ home, clock, random, terminal: true },
    dialogue: (seen, keys) => {
      screen = seen
      type(seen, keys)
    },
  })
  expect(ended.code, ended.stderr).toBe(0)
  expect(screen).toContain('USER 5a9db0c0-0321-4a11-8c11-000000000321')
  expect(ended.stdout).toContain('Wallet order registered')
})

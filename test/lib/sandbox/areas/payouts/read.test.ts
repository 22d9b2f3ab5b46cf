import { expect, test } from 'vitest'
import { callers, payout, toIban } from '../../../../kit/sandbox/callers.ts'
import { handClock, memorySandbox } from '../../../../kit/sandbox/stand.ts'

const start = '1000000.00'

async function here(shape: 'documented' | 'recorded' = 'documented') {
  const clock = handClock()
  const sandbox = await memorySandbox(clock)
  return { clock, sandbox, ...(await callers(sandbox, shape)) }
}

test('a payout to a receiver without commission shows neither toIban nor commissionAmount', async () => {
  const { byReceiver, branch } = await here()
  const { receiverId, receiverType } = branch
  const created = await byReceiver.create(payout({ receiverId, receiverType, debtorName: 'Example' }))
  const { value } = await byReceiver.details(created.value.transactionId)
  expect(Object.keys(value)).not.toContain('toIban')
  expect(Object.keys(value)).not.toContain('commissionAmount')
  expect(value.paymentDescription).toBe('Invoice')
})

test('createdAt is the service zone’s local time: nine digits on create, the same instant with six on details', async () => {
  const { clock, byIban } = await here()
  clock.forward(10 * 3_600_000 + 7)
  byIban.token = String((await byIban.signIn()).value.access_token)
  const created = await byIban.create(toIban())
  expect(created.value.createdAt).toMatch(/^2026-11-21T00:00:00\.007\d{6}$/)
  const { value } = await byIban.details(created.value.transactionId)
  expect(value.createdAt).toBe(String(created.value.createdAt).slice(0, -3))
})

test('a payout moves with the clock: INITIAL, PENDING after a second, SUCCESS after three', async () => {
  const { clock, byIban } = await here()
  const id = (await byIban.create(toIban())).value.transactionId
  const status = async () => (await byIban.details(id)).value.status
  const seen = []
  for (const step of [0, 999, 1, 1999, 1, 1_000_000]) {
    clock.forward(step)
    seen.push(await status())
  }
  expect(seen).toEqual(['INITIAL', 'INITIAL', 'PENDING', 'PENDING', 'SUCCESS', 'SUCCESS'])
  expect(await byIban.balance('GEL')).toBe('999987.43')
})

test('a payout reaches its end without being looked at', async () => {
  const { clock, byIban, sandbox } = await here()
  await byIban.create(toIban())
  clock.forward(60_000)
  expect((await sandbox.ledger()).payouts[0]?.status).toBe('SUCCESS')
})

for (const [description, end] of [
  ['sandbox:failed', 'FAILED'],
  ['Sandbox:REJECTED', 'REJECTED'],
  ['sandbox:deleted', 'DELETED'],
] as const) {
  test(`the description ${description} ends in ${end} after two seconds, and amount and commission come back`, async () => {
    const { clock, byIban } = await here()
    const id = (await byIban.create(toIban({ description }))).value.transactionId
    expect(await byIban.balance('GEL')).toBe('999987.43')
    clock.forward(1999)
    expect((await byIban.details(id)).value.status).toBe('INITIAL')
    clock.forward(1)
    expect(await byIban.balance('GEL')).toBe(start)
    expect((await byIban.details(id)).value.status).toBe(end)
    clock.forward(100_000)
    expect(await byIban.balance('GEL')).toBe(start)
  })
}

test('a description that only contains a magic word is an ordinary one', async () => {
  const { clock, byIban } = await here()
  const id = (await byIban.create(toIban({ description: 'not sandbox:failed' }))).value.transactionId
  clock.forward(3000)
  expect((await byIban.details(id)).value.status).toBe('SUCCESS')
})

test('a payout without balance takes nothing, stays where it is, and counts as no execution', async () => {
  const { clock, byIban, sandbox } = await here()
  const created = await byIban.create(toIban({ description: 'sandbox:insufficient-balance' }))
  expect(created.value.status).toBe('INITIAL_INSUFFICIENT_BALANCE')
  clock.forward(1_000_000)
  expect((await byIban.details(created.value.transactionId)).value.status).toBe('INITIAL_INSUFFICIENT_BALANCE')
  expect(await byIban.balance('GEL')).toBe(start)
  expect((await sandbox.ledger()).payouts[0]?.executions).toBe(0)
})

for (const query of [
  [],
  [['transaction_id', '']],
  [['transaction_id', 'abc']],
  [['transaction_id', '12abc']],
  [['transaction_id', '-1']],
  [['transaction_id', '1.5']],
] as [string, string][][]) {
  test(`details of ${JSON.stringify(query)} are an argument of the wrong type (5042)`, async () => {
    const { byIban } = await here()
    const { http, code } = await byIban.send({ path: '/api/distributor/details', query })
    expect([http, code]).toEqual([400, 5042])
  })
}

test('an unknown payout and one of another client are both not there (404, 5040)', async () => {
  const { byIban, byReceiver } = await here()
  const id = (await byIban.create(toIban())).value.transactionId
  for (const [caller, wanted] of [
    [byIban, '999999999999'],
    [byReceiver, id],
    [byIban, '9'.repeat(400)],
  ] as const) {
    const { http, code } = await caller.details(wanted)
    expect([http, code]).toEqual([404, 5040])
  }
})

test('an id is a number: leading zeros do not change it', async () => {
  const { byIban } = await here()
  const id = (await byIban.create(toIban())).value.transactionId
  expect((await byIban.details(`000${id}`)).http).toBe(200)
})

test('the balance is that of the main account, asked by currency', async () => {
  const { byIban, byReceiver } = await here()
  expect(await byIban.balance('USD')).toBe('250000.00')
  expect(await byReceiver.balance('EUR')).toBe('75000.00')
  const { answer } = await byIban.balanceIn('GEL')
  expect(answer.body).toBe('{"value":{"amount":1000000.00,"currency":"GEL"}}')
})

test('a currency without account has no balance (5015), an unknown one is an invalid argument (5039)', async () => {
  const { byIban } = await here()
  expect((await byIban.balanceIn('EUR')).code).toBe(5015)
  expect((await byIban.balanceIn('GBP')).code).toBe(5039)
})

test('recorded: the payment description joins the debtor fields that were sent, then the description', async () => {
  const { byReceiver, branch } = await here('recorded')
  const to = { receiverId: branch.receiverId, receiverType: branch.receiverType }
  const described = async (fields: Record<string, unknown>) => {
    const created = await byReceiver.create(payout({ ...to, ...fields }))
    return (await byReceiver.details(created.value.transactionId)).value.paymentDescription
  }
  expect(await described({})).toBe('Invoice')
  expect(await described({ debtorIdentityNumber: '123456789' })).toBe('123456789, Invoice')
  expect(await described({ debtorName: 'Example', debtorIban: 'GE00AA0000000000000001' })).toBe(
    'Example, GE00AA0000000000000001, Invoice',
  )
})

test('recorded: errors carry their group, and a bad token gets the other body', async () => {
  const { byIban } = await here('recorded')
  expect(JSON.parse((await byIban.create(toIban({ amount: 200000 }))).answer.body)).toMatchObject({
    statusCode: 5046,
    exceptionGroup: 1,
  })
  expect(JSON.parse((await byIban.signIn({ client_secret: 'wrong' })).answer.body)).toMatchObject({
    statusCode: 5021,
    exceptionGroup: 3,
  })
  expect(JSON.parse((await byIban.create(toIban({ debtorName: 'x' }))).answer.body).exceptionGroup).toBe(3)
  byIban.token = 'not-a-token'
  const { http, answer } = await byIban.balanceIn('GEL')
  expect(http).toBe(401)
  expect(JSON.parse(answer.body)).toEqual({
    application_name: null,
    method_name: null,
    exception_name: null,
    status: null,
    message: 'Authentication failed',
    timestamp: null,
  })
})

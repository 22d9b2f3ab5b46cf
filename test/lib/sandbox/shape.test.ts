import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getCard } from '../../../src/lib/contract/card.ts'
import { completeOrder, createOrder, orderStatus } from '../../../src/lib/contract/order/order.ts'
import { refundOrderFirst } from '../../../src/lib/contract/order/refund.ts'
import { isRecord, readJson } from '../../../src/lib/json.ts'
import { type Shape, shapes } from '../../../src/lib/sandbox/shape.ts'
import { type Fields, integratorNamed, secondShop, shop } from '../../kit/sandbox/integrator.ts'
import { desk, expectSealed } from '../../kit/sandbox/stand.ts'

async function at(shape: Shape, name = 'sandbox') {
  const { sandbox, url, integrator, pay, clock } = await desk({ shape })
  const client = (await sandbox.world()).distributorClients.find((each) => each.name === name)
  if (!client) throw new Error('the world has no client')
  const ask = async (path: string, body?: Fields, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const value = readJson(await (await fetch(`${url}${path}`, { headers, ...sent })).text())
    const members = isRecord(value) ? value : {}
    return isRecord(members.value) ? members.value : members
  }
  const { clientId: client_id, clientSecret: client_secret } = client
  const credentials = { client_id, client_secret, grant_type: 'client_credentials' }
  const token = String((await ask('/api/auth', credentials)).access_token)
  const payout = (more: Fields = {}) =>
    ask(
      '/api/distributor',
      {
        ...{ amount: 12.5, currency: 'GEL', description: 'Invoice', uniqueId: randomUUID() },
        ...{ toIban: 'GE29NB0000000101904917', ...more },
      },
      token,
    )
  const read = (path: string) => ask(path, undefined, token)
  return { sandbox, us: await integrator(), pay, clock, credentials, ask, payout, read }
}

const recordedTexts: readonly [number, string, (here: Awaited<ReturnType<typeof at>>) => Promise<Fields>][] = [
  [5023, 'To iban has invalid format, ', ({ payout }) => payout({ toIban: 'GE30NB0000000101904917' })],
  [5045, 'Amount below minimum transaction amount.', ({ payout }) => payout({ amount: 0.01 })],
  [
    5038,
    "Couldn't make transaction. Insufficient balance amount",
    ({ payout }) =>
      payout({ amount: 100_000, currency: 'USD', description: 'all of it' })
        .then(() => payout({ amount: 100_000, currency: 'USD' }))
        .then(() => payout({ amount: 100_000, currency: 'USD' })),
  ],
  [
    5021,
    'Incorrect credentials',
    ({ ask, credentials }) => ask('/api/auth', { ...credentials, client_secret: 'wrong' }),
  ],
  [5046, 'Amount above maximum transaction amount.', ({ payout }) => payout({ amount: 100_001 })],
  [
    5003,
    'Client not found for given id.',
    ({ ask, credentials }) => ask('/api/auth', { ...credentials, client_id: randomUUID() }),
  ],
]

describe('texts', () => {
  test.each(recordedTexts)('of %i: "%s"', async (code, text, refused) => {
    const recorded = await refused(await at('recorded'))
    expect([String(recorded.statusCode), recorded.message]).toEqual([String(code), text])
    const documented = await refused(await at('documented'))
    expect(String(documented.statusCode)).toBe(String(code))
    expect(documented.message).not.toBe(text)
  })

  test('the log names the cause in words of its own', async () => {
    const { sandbox, payout } = await at('recorded')
    await payout({ amount: 0.01 })
    await sandbox.requests.flush()
    expect((await sandbox.requests.list({ limit: 1 }))[0]?.verdict).toBe('amount is below the smallest payout')
  })
})

test.each([
  ['recorded', 'Initial'],
  ['documented', 'Created'],
] as const)('statusDescription of a new payout, %s: %s, when made and in its details', async (shape, words) => {
  const { payout, read, sandbox } = await at(shape)
  const made = await payout()
  expect(made).toMatchObject({ status: 'INITIAL', statusDescription: words })
  const details = await read(`/api/distributor/details?transaction_id=${made.transactionId}`)
  expect(details).toMatchObject({ status: 'INITIAL', statusDescription: words })
  await sandbox.requests.flush()
  expect((await sandbox.requests.list({ limit: 2 }))[1]?.verdict).toBe('accepted: INITIAL')
})

test.each(shapes)('the balance without a currency: %s: that of the default currency', async (shape) => {
  const { read } = await at(shape)
  const answer = await read('/api/distributor/balance/check')
  expect([String(answer.amount), answer.currency]).toEqual(['1000000.00', 'GEL'])
  expect((await read('/api/distributor/balance/check?currency=')).statusCode).toBeDefined()
  expect((await read('/api/distributor/balance/check?currency=USD')).currency).toBe('USD')
})

test.each([
  ['recorded', ['integratorOrderId']],
  ['documented', ['integratorOrderId', 'urlForQR']],
] as const)('an order with cardToken answers without urlForQR: %s: its members are %j', async (shape, members) => {
  const { us, pay, sandbox } = await at(shape)
  const first = await us.create({ saveCard: true, directLinkProvider: 'TBC' })
  expect(Object.keys(first.value)).toEqual(['integratorOrderId', 'urlForQR'])
  await pay(first.value.integratorOrderId)
  const cardToken = String((await us.send(getCard, { integratorOrderId: first.value.integratorOrderId })).value.token)
  const charged = await us.create({ cardToken })
  expect(Object.keys(charged.value)).toEqual(members)
  expect(await us.status(charged.value.integratorOrderId)).toBe('SUCCESS')
  expect((await sandbox.ledger()).orders).toHaveLength(2)
})

describe('saveCard with amount 0 and no plan', () => {
  const saving = { amount: 0, saveCard: true, directLinkProvider: 'TBC' }

  test('documented: refused, 6068', async () => {
    const { us } = await at('documented')
    expect(await us.create(saving)).toMatchObject({ code: 6068, group: 1 })
  })

  test('recorded: accepted, and the payer saves the card with it', async () => {
    const { us, pay, sandbox, clock } = await at('recorded')
    const { value, code } = await us.create(saving)
    expect(code).toBeNull()
    expect((await fetch(String(value.urlForQR))).status).toBe(200)
    await pay(value.integratorOrderId)
    expect(await us.status(value.integratorOrderId)).toBe('SUCCESS')
    const card = await us.send(getCard, { integratorOrderId: value.integratorOrderId })
    expect(card.value).toMatchObject({ provider: 'TBC' })
    const charged = await us.create({ cardToken: card.value.token })
    expect(await us.status(charged.value.integratorOrderId)).toBe('SUCCESS')
    // An order of nothing leaves nothing to give back.
    expect(await us.refund(value.integratorOrderId, 1)).toMatchObject({ code: 6007 })
    expect(await us.about(refundOrderFirst, value.integratorOrderId)).toMatchObject({ code: 6007 })
    clock.forward(3000)
    expect(await us.status(value.integratorOrderId)).toBe('SUCCESS')
    expect((await sandbox.ledger()).cards).toHaveLength(1)
  })

  test.each([
    ['an amount of 0 without saveCard', { amount: 0 }, 6068],
    ['an amount below 0', { ...saving, amount: -1 }, 6068],
    ['no provider', { amount: 0, saveCard: true }, 6091],
  ])('recorded: %s is refused as ever', async (_what, fields, code) => {
    const { us } = await at('recorded')
    expect(await us.create(fields)).toMatchObject({ code })
  })
})

// Seen since (service.md#seen-since).

describe('the first version of refund', () => {
  const whole = 'Order is already fully refunded'

  test.each([
    [
      'recorded',
      { http: 200, value: { status: 'INITIAL', errorMessage: "You can't refund order with status: INITIAL" } },
    ],
    ['documented', { http: 400, code: 6006 }],
  ] as const)('%s: of an order that cannot be refunded', async (shape, heard) => {
    const { us, sandbox } = await at(shape)
    const id = await us.created()
    expect(await us.about(refundOrderFirst, id)).toMatchObject(heard)
    expect(await us.refund(id, 1)).toMatchObject({ http: 400, code: 6006 })
    await sandbox.requests.flush()
    const [, first] = await sandbox.requests.list({ limit: 2 })
    expect(first?.verdict).toMatch(shape === 'recorded' ? 'not executed: INITIAL' : 'cannot be refunded')
  })

  test('recorded: a success has errorMessage null, and one of what is refunded already says so', async () => {
    const { us, pay, clock, sandbox } = await at('recorded')
    const id = await us.created({ amount: 10 })
    await pay(id)
    const { value } = await us.about(refundOrderFirst, id)
    expect(value).toEqual({ integratorOrderId: id, status: 'REFUND_REQUESTED', errorMessage: null })
    clock.forward(3000)
    const again = await us.about(refundOrderFirst, id)
    expect(again.value).toEqual({ integratorOrderId: id, status: 'REFUNDED_BY_INTEGRATOR', errorMessage: whole })
    expect(await us.about(refundOrderFirst, randomUUID())).toMatchObject({ http: 400, code: 6005 })
    expect((await sandbox.ledger()).orders).toMatchObject([{ refunds: 1 }])
  })

  test.each([
    ['recorded', 'PARTIALLY_REFUNDED', 1],
    ['documented', 'REFUNDED_BY_INTEGRATOR', 2],
  ] as const)('%s: the whole after a part is requested, and the order becomes %s', async (shape, status, refunds) => {
    const { us, pay, clock, sandbox } = await at(shape)
    const id = await us.created({ amount: 10 })
    await pay(id)
    await us.about(refundOrderFirst, id, { amount: 4 })
    clock.forward(3000)
    expect(await us.about(refundOrderFirst, id)).toMatchObject({ http: 200, value: { status: 'REFUND_REQUESTED' } })
    clock.forward(3000)
    expect(await us.status(id)).toBe(status)
    expect((await sandbox.ledger()).orders).toMatchObject([{ refunds }])
  })
})

describe('a completion', () => {
  async function completed(shape: Shape) {
    const here = await at(shape)
    const { us, pay } = here
    const id = await us.created({ amount: 10, payWithPreAuth: true, callbackUri: 'http://127.0.0.1:9/called' })
    await pay(id)
    expect(await us.status(id)).toBe('WAITING_FOR_CONFIRM')
    expect(await us.about(completeOrder, id, { amount: 8 })).toMatchObject({ value: { status: 'SUCCESS' } })
    return { ...here, id }
  }

  test('recorded: the order reads WAITING_FOR_CONFIRM for a while, in which it is not refunded', async () => {
    const { us, id, clock, sandbox } = await completed('recorded')
    expect(await us.status(id)).toBe('WAITING_FOR_CONFIRM')
    const errorMessage = "You can't refund order with status: WAITING_FOR_CONFIRM"
    expect(await us.about(refundOrderFirst, id)).toMatchObject({ http: 200, value: { errorMessage } })
    expect(await us.refund(id, 1)).toMatchObject({ code: 6006 })
    expect(await us.about(completeOrder, id, { amount: 8 })).toMatchObject({ code: 6006 })
    expect((await sandbox.ledger()).callbacks).toEqual([])
    clock.forward(3000)
    expect(await us.status(id)).toBe('SUCCESS')
    expect((await sandbox.ledger()).callbacks).toMatchObject([{ integratorOrderId: id, kind: 'payment' }])
    expect((await sandbox.ledger()).orders).toMatchObject([{ charges: 1, status: 'SUCCESS' }])
    expect(await us.about(refundOrderFirst, id)).toMatchObject({ value: { status: 'REFUND_REQUESTED' } })
  })

  test('documented: the order reads SUCCESS at once', async () => {
    const { us, id } = await completed('documented')
    expect(await us.status(id)).toBe('SUCCESS')
  })
})

describe('the status with returnCheckDetails', () => {
  const receipt = ['მიმღები: Old Town Shop', 'ფილიალი: Old Town Shop']

  test('recorded: of a paid order it has a report of several lines, and its members in the order that was seen', async () => {
    const { us, pay } = await at('recorded')
    const id = await us.created({ amount: 0.1 })
    const asked = { returnCheckDetails: true }
    expect((await us.about(orderStatus, id, asked)).value).not.toHaveProperty('report')
    await pay(id)
    const { value } = await us.about(orderStatus, id, asked)
    expect(Object.keys(value)).toEqual([
      ...['integratorOrderId', 'status', 'report', 'initialCurrency', 'acquiringCurrency'],
      ...['acquiringAmount', 'transactionId'],
    ])
    const lines = String(value.report).split('\n')
    expect(lines.slice(0, 3)).toEqual([...receipt, `შეკვეთა: ${id}`])
    expect(lines.map((line) => line.replace(/^.*?: /, '')).slice(3)).toEqual([
      ...['0.1 GEL', 'Card', '20.11.2026 14:00:00', 'Success'],
    ])
    expect((await us.about(orderStatus, id)).value).not.toHaveProperty('report')
  })

  test('documented: it has none', async () => {
    const { us, pay } = await at('documented')
    const id = await us.created()
    await pay(id)
    const { value } = await us.about(orderStatus, id, { returnCheckDetails: true })
    expect(Object.keys(value)).toEqual(['integratorOrderId', 'status'])
  })
})

test.each([
  ['recorded', ['acquiringAmount', 'toIban', 'transactionId']],
  ['documented', ['acquiringAmount', 'transactionId']],
] as const)('the callback of a card payment, %s: it ends with %j', async (shape, members) => {
  const { us, pay, sandbox } = await at(shape)
  const id = await us.created({ callbackUri: 'http://127.0.0.1:9/called' })
  await pay(id)
  const [callback] = await sandbox.callbacks.list()
  const payload = callback?.payload
  expect(Object.keys(isRecord(payload) ? payload : {}).slice(-members.length)).toEqual(members)
})

describe('a split with an entry of 0', () => {
  const splitDetails = [
    { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 0 },
    { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: 12.5 },
  ]

  test('recorded: it is taken beside one of the whole sum, and the other receiver gets all', async () => {
    const { us, pay, sandbox, clock } = await at('recorded')
    const id = await us.created({ splitDetails })
    await pay(id)
    const [order] = (await sandbox.ledger()).orders
    expect(order?.splits.map(({ received }) => String(received))).toEqual(['0.00', '12.25'])
    expect(await us.refund(id, 12.5)).toMatchObject({ http: 200 })
    clock.forward(3000)
    expect(await us.status(id)).toBe('REFUNDED_BY_INTEGRATOR')
  })

  test('documented: it is refused (6068); so is one below 0 in either shape', async () => {
    expect(await (await at('documented')).us.create({ splitDetails })).toMatchObject({ code: 6068 })
    const below = splitDetails.map((part, number) => ({ ...part, amount: number === 0 ? -1 : 13.5 }))
    expect(await (await at('recorded')).us.create({ splitDetails: below })).toMatchObject({ code: 6068 })
  })
})

test.each([
  ['recorded', 'Nino, 12345678901, 1990-12-31, Invoice'],
  ['documented', 'Invoice'],
] as const)('the paymentDescription of a payout with debtorBirthDate, %s: %s', async (shape, paymentDescription) => {
  const { payout, read } = await at(shape, 'sandbox-full')
  const debtor = { debtorName: 'Nino', debtorIdentityNumber: '12345678901', debtorBirthDate: '1990-12-31' }
  const { transactionId } = await payout(debtor)
  const details = await read(`/api/distributor/details?transaction_id=${transactionId}`)
  expect(details).toMatchObject({ paymentDescription })
})

test.each([
  ['GE28BG0000000101904917', 'Completed'],
  ['GE64TB0000000101904917', 'success'],
  ['GE82LB0000000101904917', 'SUCCESS'],
  ['GE29NB0000000101904917', 'Completed'],
])('the statusDescription of a payout to %s that is paid, recorded: %s', async (toIban, words) => {
  const { payout, read, clock } = await at('recorded')
  const { transactionId } = await payout({ toIban })
  clock.forward(10_000)
  const details = await read(`/api/distributor/details?transaction_id=${transactionId}`)
  expect(details).toMatchObject({ status: 'SUCCESS', statusDescription: words })
})

test.each([
  ['recorded', { code: 2158, group: 5, value: { message: 'Branch Account not found for given id.' } }],
  ['documented', { code: 6049, group: 1 }],
] as const)('a receiver that does not exist: %s', async (shape, heard) => {
  const { us } = await at(shape)
  expect(await us.create({ receiverId: randomUUID() })).toMatchObject(heard)
})

test('an unknown path of area A without a token, recorded: "Authentication failed"; documented, or with one: 404', async () => {
  const recorded = await at('recorded')
  expect((await recorded.ask('/api/distributor/nothing')).message).toBe('Authentication failed')
  expect((await recorded.ask('/api/integrator/nothing')).message).toBe('There is no such path')
  expect((await recorded.read('/api/distributor/nothing')).message).toBe('There is no such path')
  const documented = await at('documented')
  expect((await documented.ask('/api/distributor/nothing')).message).toBe('There is no such path')
})

test.each([
  ['recorded', ['9.80', '5.80', '-0.20']],
  ['documented', ['9.80', '5.88', '0.00']],
] as const)('a refund, %s: what the receiver has left of GEL 10.00 is %j', async (shape, left) => {
  const { us, pay, sandbox, clock } = await at(shape)
  const id = await us.created({ amount: 10 })
  await pay(id)
  const received = async () => String((await sandbox.ledger()).orders[0]?.splits[0]?.received)
  const found = [await received()]
  for (const amount of [4, 6]) {
    await us.refund(id, amount)
    clock.forward(3000)
    found.push(await received())
  }
  expect(found).toEqual(left)
})

/** A client that reads every number of JSON as JavaScript does, and both shapes of a creation. */
async function plainClient({ sandbox, url }: Awaited<ReturnType<typeof desk>>) {
  const [client] = (await sandbox.world()).distributorClients
  const json = { 'content-type': 'application/json' }
  const ask = async (path: string, init: RequestInit) => {
    const body = JSON.parse(await (await fetch(url + path, init)).text())
    return body.value ?? body
  }
  const credentials = {
    client_id: client?.clientId,
    client_secret: client?.clientSecret,
    grant_type: 'client_credentials',
  }
  const { access_token } = await ask('/api/auth', { method: 'POST', headers: json, body: JSON.stringify(credentials) })
  const headers = { ...json, authorization: `Bearer ${access_token}` }
  const options = { amount: 12.5, currency: 'GEL', description: 'Invoice', toIban: 'GE29NB0000000101904917' }
  return {
    pay: () =>
      ask('/api/distributor', {
        method: 'POST',
        headers,
        body: JSON.stringify({ ...options, uniqueId: randomUUID() }),
      }),
    read: (id: number) => ask(`/api/distributor/details?transaction_id=${id}`, { headers }),
  }
}

describe('transaction identifiers', () => {
  test.each(shapes)('%s: small whole numbers; a client of numbers reads its own payout', async (shape) => {
    const { pay, read } = await plainClient(await desk({ shape }))
    for (const _ of [1, 2, 3]) {
      const made = await pay()
      expect(String(made.transactionId)).toMatch(/^\d{5,7}$/)
      expect((await read(made.transactionId)).uniqueId).toBe(made.uniqueId)
    }
  })

  test('above 2^53, which is a setting, the same client reads another payout, and nothing says so', async () => {
    const here = await desk()
    await here.sandbox.reset({ firstTransactionId: '9007199254740992' })
    const { pay, read } = await plainClient(here)
    const [first, second] = [await pay(), await pay()]
    expect((await read(second.transactionId)).uniqueId).toBe(first.uniqueId)
  })
})

test('an integrator with OAEP has 4096-bit keys: 684 characters of encryptedKeys in either direction', async () => {
  const { sandbox, url } = await desk()
  const us = await integratorNamed(sandbox, url, 'sandbox-4096')
  const heard = await us.create()
  expectSealed(heard)
  expect(us.party.scheme).toBe('oaep-sha256')
  expect(String(us.envelope('{}').encryptedKeys)).toHaveLength(684)
  expect(JSON.parse(heard.body).encryptedKeys).toHaveLength(684)
})

test('the name in REFUNDED_BY_… is a setting of the world, and a status has it to the letter', async () => {
  const { sandbox, integrator, pay, clock } = await desk()
  await sandbox.set({ refundedBy: 'EXAMPLE_PAY' })
  const us = await integrator()
  const order = await us.created()
  await pay(order)
  await sandbox.trigger({ what: 'refunded', order })
  clock.forward(3000)
  expect(await us.status(order)).toBe('REFUNDED_BY_EXAMPLE_PAY')
})

test('a checkout address with https, for a client that demands one', async () => {
  const { integrator } = await desk({ checkoutBase: 'https://pay.shop.example' })
  const us = await integrator()
  const { value } = await us.send(createOrder, us.order())
  expect(String(value.urlForQR)).toMatch(/^https:\/\/pay\.shop\.example\/checkout\//)
})

// Every code of areas B, C and D (service.md#order-codes): a request that brings it in its state, or why none does.

import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card.ts'
import { orderCodes } from '../../../../src/lib/contract/codes/code-book.ts'
import type { Operation } from '../../../../src/lib/contract/operation.ts'
import { cancelOrder, completeOrder, createOrder, orderStatus } from '../../../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../../../src/lib/contract/order/refund.ts'
import { revokeSubscription, subscriptionHistory } from '../../../../src/lib/contract/subscription.ts'
import { finalizeWalletOrder, walletOrderDetails } from '../../../../src/lib/contract/wallet/wallet.ts'
import { writeJson } from '../../../../src/lib/json.ts'
import { serve } from '../../../../src/lib/sandbox/server/server.ts'
import {
  closedShop,
  type Fields,
  type Heard,
  Integrator,
  qrOpen,
  secondShop,
  shop,
  sweptShop,
  waiter,
  walletUser,
} from '../../../kit/sandbox/integrator.ts'
import {
  day,
  expectRefused,
  expectSealed,
  hour,
  second,
  servedTable,
  told,
  without,
} from '../../../kit/sandbox/stand.ts'

const here = await servedTable()
const { clock } = here
const integrator = await here.integrator('sandbox')
const bare = await here.integrator('sandbox-bare')
const treasury = await here.integrator('sandbox-treasury')
const legacy = await here.integrator('sandbox-legacy')
const wallet = await here.wallet()

const nobody = '5a9db0c0-0999-4a11-8c11-000000000999'
const saving = { saveCard: true, directLinkProvider: 'BOG' }
const plan = { interval: 'WEEKLY', intervalCount: 1, amount: 9.9 }

function part(receiverIdentifier: string, amount: unknown, receiverType = 'BRANCH') {
  return { receiverType, receiverIdentifier, amount }
}

const halves = [part(shop, 10), part(secondShop, 2.5)]

const split = (...splitDetails: readonly unknown[]) => integrator.create({ splitDetails })
const create = (fields: Fields) => () => integrator.create(fields)

async function refunding(amount: unknown, more: Fields = {}, fields: Fields = {}): Promise<Heard> {
  return await integrator.refund(await here.paid(integrator, fields), amount, more)
}

const properties = (values: Readonly<Record<string, string>>): Fields => ({
  orderProperties: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])),
})

const citizen = { PERSONAL_NUMBER: '01001000001', PAYER_NAME: 'Nino', PURPOSE: 'Fee', IS_FOREIGN: 'false' }

/** A subscription whose order was paid. */
async function subscribed(by: Integrator, more: Fields = {}): Promise<string> {
  const id = await here.paid(by, { amount: 0, ...saving, subscriptionPlan: { ...plan, ...more } })
  return (await here.entry(id)).subscriptionId ?? ''
}

/** Code, group, what brings it, the request. */
type Row = readonly [number, number, string, () => Promise<Heard>]

const notFound: readonly Row[] = [
  [
    6004,
    5,
    'an unknown identifier',
    async () => {
      const members = integrator.envelope(writeJson({ ...integrator.ids, integratorOrderId: randomUUID() }))
      return await integrator.sendMembers(orderStatus, { ...members, identifier: nobody })
    },
  ],
  [6004, 5, 'another integrator inside than outside', create({ integratorId: nobody })],
  [6004, 5, 'another integrator that exists inside than outside', create({ integratorId: bare.party.identifier })],
  [6005, 5, 'the status of an order that was never created', () => integrator.about(orderStatus, randomUUID())],
  [6005, 5, 'cancelling an order that was never created', () => integrator.cancel(randomUUID())],
  [6005, 5, 'a refund of an order that was never created', () => integrator.refund(randomUUID(), 1)],
  [6005, 5, 'completing an order that was never created', () => integrator.complete(randomUUID(), 1)],
  [6005, 5, 'an order of another integrator', async () => integrator.about(orderStatus, await bare.created())],
  [6030, 5, 'an unknown tip receiver', create({ tipReceiverId: nobody, tipReceiverType: 'USER' })],
  [6030, 5, 'a tip receiver of another type', create({ tipReceiverId: waiter, tipReceiverType: 'BRANCH' })],
  [
    6044,
    5,
    'an unknown wallet identifier',
    () => wallet.send(walletOrderDetails, { identifier: nobody, uniqueId: randomUUID() }),
  ],
  [6045, 5, 'details of a wallet order nobody created', () => wallet.details(randomUUID())],
  [6045, 5, 'deleting a wallet order nobody created', () => wallet.delete(randomUUID())],
  [
    6075,
    5,
    'the card of an order without one',
    async () => integrator.send(getCard, { integratorOrderId: await here.paid(integrator) }),
  ],
  [
    6075,
    5,
    'the card of an order that was never created',
    () => integrator.send(getCard, { integratorOrderId: randomUUID() }),
  ],
  [6075, 5, 'paying with an unknown card', create({ cardToken: '16fd2706-8baf-433b-82eb-8c7fada847da' })],
  [
    6100,
    5,
    'the history of an unknown subscription',
    () => integrator.send(subscriptionHistory, { subscriptionId: randomUUID() }),
  ],
  [
    6100,
    5,
    'revoking an unknown subscription',
    () => integrator.send(revokeSubscription, { subscriptionId: randomUUID() }),
  ],
  [
    6112,
    5,
    'the history of a subscription before its first charge',
    async () => {
      const startDate = new Date(clock.now() + 10 * day).toISOString().slice(0, 10)
      return await integrator.send(subscriptionHistory, { subscriptionId: await subscribed(integrator, { startDate }) })
    },
  ],
]

const businessRules: readonly Row[] = [
  [6006, 2, 'cancelling a paid order', async () => integrator.cancel(await here.paid(integrator))],
  [
    6006,
    2,
    'cancelling a cancelled order',
    async () => {
      const id = await integrator.created()
      expectSealed(await integrator.cancel(id))
      return await integrator.cancel(id)
    },
  ],
  [
    6006,
    2,
    'cancelling an expired order',
    async () => {
      const id = await integrator.created()
      await here.play('expired', id)
      return await integrator.cancel(id)
    },
  ],
  [
    6006,
    2,
    'cancelling an order whose payment failed',
    async () => {
      const id = await integrator.created()
      await here.play('declined', id)
      return await integrator.cancel(id)
    },
  ],
  [6006, 2, 'refunding an order that is not paid', async () => integrator.refund(await integrator.created(), 1)],
  [6006, 2, 'completing an order that holds nothing', async () => integrator.complete(await here.paid(integrator), 1)],
  [
    6023,
    2,
    'an integratorOrderId that exists',
    async () => integrator.create({ integratorOrderId: await integrator.created() }),
  ],
  [
    6023,
    2,
    'an integratorOrderId that exists, in capitals',
    async () => integrator.create({ integratorOrderId: (await integrator.created()).toUpperCase() }),
  ],
  [6024, 2, 'a receiver that is a USER', create({ receiverType: 'USER' })],
  [6024, 2, 'a receiver that is an IBAN', create({ receiverType: 'IBAN' })],
  [6034, 2, 'two providers', create({ directLinkProvider: 'BOG', openBankingLinkProvider: 'TBC' })],
  [
    6130,
    2,
    'a refund from a branch that is paid out at once',
    async () => refunding(12.5, {}, { receiverId: sweptShop }),
  ],
]

const validation: readonly Row[] = [
  [6007, 1, 'a refund of more than was paid', () => refunding(12.51)],
  [
    6007,
    1,
    'a refund of more than is left',
    async () => {
      const id = await here.paid(integrator)
      await integrator.refund(id, 10)
      clock.forward(3 * second)
      return await integrator.refund(id, 2.51)
    },
  ],
  [6021, 1, 'an amount that is no number', create({ amount: 'twelve' })],
  [6021, 1, 'an amount with a comma', create({ amount: '12,50' })],
  [
    6026,
    1,
    'completing with more than is blocked',
    async () => integrator.complete(await here.paid(integrator, { payWithPreAuth: true }), 12.51),
  ],
  [6027, 1, 'a currency that is none of the three', create({ currency: 'JPY' })],
  [6028, 1, 'a distribution currency that is none of the three', create({ distributionCurrency: 'JPY' })],
  [6029, 1, 'an acquiring currency that is none of the three', create({ acquiringCurrency: 'JPY' })],
  [6035, 1, 'a validUntil that is over', create({ validUntil: '2020-01-01 00:00:00' })],
  [6049, 1, 'no receiverId', create({ receiverId: undefined })],
  [6049, 1, 'a receiverId that is no UUID', create({ receiverId: 'shop' })],
  [6049, 1, 'an unknown receiver', create({ receiverId: nobody })],
  [6049, 1, 'a receiver that is blocked', create({ receiverId: closedShop })],
  [6049, 1, 'a language that is none of the three', create({ language: 'FR' })],
  [6049, 1, 'a commission type that is none of the three', create({ commissionType: 'NOBODY' })],
  [6049, 1, 'a plan without saveCard', create({ amount: 0, directLinkProvider: 'BOG', subscriptionPlan: plan })],
  [
    6049,
    1,
    'a plan with an interval that is none of the two',
    create({ amount: 0, ...saving, subscriptionPlan: { ...plan, interval: 'DAILY' } }),
  ],
  [6053, 1, 'a status without an id', () => integrator.send(orderStatus, { ...integrator.ids })],
  [6053, 1, 'the card of an id that is no UUID', () => integrator.send(getCard, { integratorOrderId: 'x' })],
  [6053, 1, 'a history without an id', () => integrator.send(subscriptionHistory, {})],
  [6058, 1, 'an amount with three decimals', create({ amount: 12.345 })],
  [6059, 1, 'parts that make less than the amount', () => split(part(shop, 10), part(secondShop, 2.49))],
  [6060, 1, 'parts without the order’s own receiver', () => split(part(waiter, 10, 'USER'), part(secondShop, 2.5))],
  [6061, 1, 'the order’s own receiver twice', () => split(part(shop, 10), part(shop, 2.5))],
  [6062, 1, 'one part', () => split(part(shop, 12.5))],
  [6064, 1, 'no parts', () => split()],
  [6066, 1, 'parts that make more than the amount', () => split(part(shop, 10), part(secondShop, 2.51))],
  [6068, 1, 'an amount of 0', create({ amount: 0 })],
  [6068, 1, 'a negative amount', create({ amount: -1 })],
  [
    6070,
    1,
    'an installment without a personal number',
    create({ installmentPaymentProvider: 'CREDO', isForeign: false }),
  ],
  [6076, 1, 'an empty map of properties', create({ orderProperties: {} })],
  [
    6077,
    1,
    'a property that cannot be right',
    () => treasury.create(properties({ ...citizen, PERSONAL_NUMBER: '123' })),
  ],
  [6078, 1, 'a property that is missing', () => treasury.create(properties({ PURPOSE: 'Fee' }))],
  [6079, 1, 'a property of another order type', create(properties({ PURPOSE: 'Fee' }))],
  [6091, 1, 'saving a card without a provider', create({ saveCard: true })],
  [6094, 1, 'a partial refund of a split without details', () => refunding(5, {}, { splitDetails: halves })],
  [6095, 1, 'a refund without an amount', () => refunding(undefined)],
  [6095, 1, 'a refund of 0', () => refunding(0)],
  [6095, 1, 'a refund by an unknown initiator', () => refunding(1, { refundInitiator: 'PAYER' })],
  [6096, 1, 'details that do not make the refund', () => refunding(5, { refundDetails: [part(shop, 4)] })],
  [6096, 1, 'details of a receiver that got nothing', () => refunding(5, { refundDetails: [part(secondShop, 5)] })],
  [6097, 1, 'a recipient twice', () => split(part(shop, 10), part(secondShop, 1), part(secondShop, 1.5))],
  [6097, 1, 'a recipient of a refund twice', () => refunding(5, { refundDetails: [part(shop, 2), part(shop, 3)] })],
  [6098, 1, 'a part for a type that is none of the three', () => split(part(shop, 10), part(waiter, 2.5, 'CARD'))],
  [6099, 1, 'a part for an unknown user', () => split(part(shop, 10), part(nobody, 2.5, 'USER'))],
  [
    6099,
    1,
    'a part for an IBAN with a wrong check digit',
    () => split(part(shop, 10), part('GE30NB0000000101904917', 2.5, 'IBAN')),
  ],
  [6109, 1, 'a wallet order without an address', () => wallet.create('')],
  [
    6109,
    1,
    'a uniqueId that exists',
    async () => {
      const { uniqueId } = told(await wallet.create(qrOpen(walletUser)))
      return await wallet.create(qrOpen(walletUser), uniqueId)
    },
  ],
  [6110, 1, 'another final status than SUCCESS', () => wallet.finalize(randomUUID(), 1, { finalStatus: 'FAILED' })],
  [
    6110,
    1,
    'finalizing without an amount',
    () => wallet.send(finalizeWalletOrder, { ...wallet.ids, uniqueId: randomUUID(), finalStatus: 'SUCCESS' }),
  ],
  [6113, 1, 'a plan beside an amount', create({ ...saving, subscriptionPlan: plan })],
]

const noPermission: readonly Row[] = [
  [6025, 3, 'currencies', () => bare.create({ acquiringCurrency: 'USD' })],
  [6031, 3, 'saving a card', () => bare.create(saving)],
  [6032, 3, 'an expiry date', () => bare.create({ validUntil: '2099-12-31 23:59:59' })],
  [6033, 3, 'a provider', () => bare.create({ directLinkProvider: 'BOG' })],
  [6036, 3, 'a redirect address', () => bare.create({ failRedirectUri: 'https://shop.example/no' })],
  [6037, 3, 'a tip receiver', () => bare.create({ tipReceiverId: waiter, tipReceiverType: 'USER' })],
  [6038, 3, 'a refund', async () => bare.refund(await here.paid(bare), 1)],
  [6056, 3, 'a callback address', () => bare.create({ callbackUri: 'https://shop.example/callback' })],
  [6057, 3, 'a split', () => bare.create({ splitDetails: halves })],
  [6090, 3, 'a saved card', () => bare.create({ cardToken: randomUUID() })],
  [6111, 3, 'a plan', () => bare.create({ amount: 0, ...saving, subscriptionPlan: plan })],
]

const general: readonly Row[] = [
  [
    6009,
    6,
    'an answer that is too long for one block',
    async () => {
      const subscriptionId = await subscribed(legacy)
      clock.forward(10 * 7 * day)
      return await legacy.send(subscriptionHistory, { subscriptionId })
    },
  ],
  [
    6010,
    6,
    'what was sealed with another key',
    async () => {
      const mistaken = new Integrator(here.url, { ...integrator.party, toService: wallet.party.toService })
      const { encryptedKeys } = mistaken.envelope('{}')
      return await integrator.sendMembers(createOrder, { ...integrator.envelope('{}'), encryptedKeys })
    },
  ],
  [
    6011,
    6,
    'aes false beside encryptedKeys',
    async () => integrator.sendMembers(createOrder, { ...integrator.envelope('{}'), aes: false }),
  ],
  [
    6054,
    6,
    'a failure that was ordered',
    async () => {
      await here.sandbox.faults.add({ op: 'order.status', at: 'before', kind: 'json500' })
      return await integrator.about(orderStatus, randomUUID())
    },
  ],
]

const brought: readonly Row[] = [
  ...notFound,
  ...businessRules,
  ...validation,
  ...noPermission,
  [6022, 3, 'an order', async () => (await here.integrator('sandbox-closed')).create()],
  ...general,
]

/** The codes that no request brings, their groups, and why. */
const never: readonly (readonly [number, number | null, string])[] = [
  [6002, 5, 'no operation of the specification checks an order that is active'],
  [6003, 2, 'an expired order has no operation of its own: its cancel is 6006'],
  [6008, 5, 'the same words as 6004, and it is not known when it is told instead'],
  [2137, 4, 'a bank fails, and the sandbox has none'],
  [2158, 5, 'the recorded shape alone has it (recorded.test.ts)'],
  [2252, 4, 'a bank fails, and the sandbox has none'],
  [6012, null, 'its meaning was never seen'],
  [6013, 6, 'what does not open is 6010, whatever the reason, so that the reason is not told'],
  [6014, 6, 'the cipher of an answer cannot fail; a block that is too short is 6009'],
  [6015, 2, 'no operation pays: the payer does, at the checkout'],
  [6016, 2, 'no operation pays: the payer does, at the checkout'],
  [6017, 2, 'no operation pays: the payer does, at the checkout'],
  [6041, 1, 'no request holds a range of dates'],
  [6046, 5, 'the same words as 6005 and 6045, and it is not known when it is told instead'],
  [6081, 1, 'no provider in the sandbox knows of debts'],
  [6085, 1, 'a property of another order type is 6079'],
  [6093, 5, 'every branch of the world has a default bank'],
  [6101, 1, 'which providers allow no subscription is not known'],
]

/** All codes of service.md#order-codes, by group, written down once more. */
const observed: Readonly<Record<number, readonly number[]>> = {
  5: [6002, 6004, 6008, 6005, 6030, 6044, 6045, 6046, 6075, 6093, 6100, 6112],
  2: [6003, 6006, 6015, 6016, 6017, 6023, 6024, 6034, 6130],
  1: [
    ...[6007, 6021, 6026, 6027, 6028, 6029, 6035, 6041, 6049, 6053, 6058, 6059, 6060, 6061, 6062, 6064, 6066, 6068],
    ...[6070, 6076, 6077, 6078, 6079, 6081, 6085, 6091, 6094, 6095, 6096, 6097, 6098, 6099, 6101, 6109, 6110, 6113],
  ],
  3: [6022, 6025, 6031, 6032, 6033, 6036, 6037, 6038, 6056, 6057, 6090, 6111],
  6: [6009, 6010, 6011, 6013, 6014, 6054],
}

describe('each code that a request brings', () => {
  test.each(brought)('%i of group %i: %s', async (code, group, _what, send) => {
    expectRefused(await send(), code, group)
  })
})

describe('a field that is missing', () => {
  const one = { ...integrator.ids, integratorOrderId: randomUUID() }
  const subscription = { subscriptionId: randomUUID() }
  const operations: readonly (readonly [Operation, Fields, number])[] = [
    [orderStatus, one, 6053],
    [cancelOrder, one, 6053],
    [completeOrder, { ...one, amount: 1 }, 6053],
    [refundOrder, { ...one, amount: 1 }, 6095],
    [getCard, { integratorOrderId: randomUUID() }, 6053],
    [subscriptionHistory, subscription, 6053],
    [revokeSubscription, subscription, 6053],
  ]
  const fields = operations.flatMap(([operation, payload, code]) =>
    Object.keys(payload).map((field) => ({ name: operation.name, field, operation, payload, code })),
  )

  // A sum that is none has its own code.
  test.each(fields)('$field of $name', async ({ field, operation, payload, code }) => {
    const told = field === 'amount' ? [code, 6021, 6068] : code
    expectRefused(await integrator.send(operation, without(payload, field)), told, 1)
    expectRefused(await integrator.send(operation, { ...payload, [field]: null }), told, 1)
    const empty = await integrator.send(operation, { ...payload, [field]: '' })
    // An integrator without a name is none of ours.
    expectRefused(empty, field === 'integratorId' ? [code, 6004] : told)
  })
})

describe('the table is complete', () => {
  const codesBrought = [...new Set(brought.map(([code]) => code))]
  const codesNever = never.map(([code]) => code)

  test('every code of the program is in one of the two lists, and in one only', () => {
    expect([...codesBrought, ...codesNever].toSorted()).toEqual([...orderCodes.keys()].toSorted())
  })

  test('every code that was observed is known to the program, in its group', () => {
    for (const [group, codes] of Object.entries(observed)) {
      for (const code of codes) expect([code, orderCodes.get(code)?.group]).toEqual([code, Number(group)])
    }
    const all = Object.values(observed).flat()
    expect([...orderCodes.keys()].filter((code) => !all.includes(code))).toEqual([2137, 2158, 2252, 6012])
  })

  test.each(never)('%i of group %s has a reason: %s', (code, group, reason) => {
    expect(orderCodes.get(code)?.group).toBe(group)
    expect(reason).toMatch(/\w{3}/)
  })

  test('the groups of what is brought are those that were observed', () => {
    for (const [code, group] of brought) expect(observed[group]).toContain(code)
  })
})

describe('a refusal writes nothing', () => {
  test('the id of an order that was refused is free', async () => {
    for (const fields of [{ amount: 0 }, { receiverId: nobody }, { cardToken: randomUUID() }, { currency: 'JPY' }]) {
      const order = integrator.order(fields)
      expect((await integrator.send(createOrder, order)).code).not.toBeNull()
      const good = integrator.order({ integratorOrderId: order.integratorOrderId })
      expectSealed(await integrator.send(createOrder, good))
    }
  })

  test('a refund that was refused leaves the whole to be refunded', async () => {
    const id = await here.paid(integrator)
    for (const amount of [0, 12.51, 'x', 12.345]) expect((await integrator.refund(id, amount)).code).not.toBeNull()
    expect(await integrator.status(id)).toBe('SUCCESS')
    expectSealed(await integrator.refund(id, 12.5))
    clock.forward(hour)
    expect(await integrator.status(id)).toBe('REFUNDED_BY_INTEGRATOR')
  })
})

describe('6009: the answer cannot be sealed', () => {
  /** Too long for the envelope: the address of the checkout page repeats it. */
  const checkoutBase = `http://${'a'.repeat(450)}.example`

  function sendTo(url: string, path: string, body: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const sent = request(`${url}${path}`, { method: 'POST', headers }, (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces).toString() }))
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  test('an executed write stays executed all the same', async () => {
    const order = legacy.order()
    const body = writeJson(legacy.envelope(writeJson(order)))
    const door = await serve(here.sandbox, { checkoutBase })
    onTestFinished(() => door.close())
    const answer = await sendTo(door.url, createOrder.path, body)
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      500,
      { message: expect.stringMatching(/\w/), statusCode: 6009, exceptionGroup: 6 },
    ])
    expect(await legacy.status(order.integratorOrderId)).toBe('INITIAL')
    expectRefused(await legacy.send(createOrder, order), 6023, 2)
  })
})

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

const kiosk = '5a9db0c0-0305-4a11-8c11-000000000305'
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

/** A code, a request that brings it, and the group of the code. */
const brings = (code: number, what: string, send: () => Promise<Heard>) => {
  const group = orderCodes.get(code)?.group
  if (typeof group !== 'number') throw new Error(`${code} has no group`)
  return { code, group, what, send }
}

const brought = [
  brings(6004, 'an unknown identifier', async () => {
    const members = integrator.envelope(writeJson({ ...integrator.ids, integratorOrderId: randomUUID() }))
    return await integrator.sendMembers(orderStatus, { ...members, identifier: nobody })
  }),
  brings(6004, 'another integrator inside than outside', create({ integratorId: nobody })),
  brings(6004, 'another integrator that exists inside than outside', create({ integratorId: bare.party.identifier })),
  brings(6005, 'the status of an order that was never created', () => integrator.about(orderStatus, randomUUID())),
  brings(6005, 'cancelling an order that was never created', () => integrator.cancel(randomUUID())),
  brings(6005, 'a refund of an order that was never created', () => integrator.refund(randomUUID(), 1)),
  brings(6005, 'completing an order that was never created', () => integrator.complete(randomUUID(), 1)),
  brings(6005, 'an order of another integrator', async () => integrator.about(orderStatus, await bare.created())),
  brings(6030, 'an unknown tip receiver', create({ tipReceiverId: nobody, tipReceiverType: 'USER' })),
  brings(6030, 'a tip receiver of another type', create({ tipReceiverId: waiter, tipReceiverType: 'BRANCH' })),
  brings(6044, 'an unknown wallet identifier', () =>
    wallet.send(walletOrderDetails, { identifier: nobody, uniqueId: randomUUID() }),
  ),
  brings(6045, 'details of a wallet order nobody created', () => wallet.details(randomUUID())),
  brings(6045, 'deleting a wallet order nobody created', () => wallet.delete(randomUUID())),
  brings(6075, 'the card of an order without one', async () =>
    integrator.send(getCard, { integratorOrderId: await here.paid(integrator) }),
  ),
  brings(6075, 'the card of an order that was never created', () =>
    integrator.send(getCard, { integratorOrderId: randomUUID() }),
  ),
  brings(6075, 'paying with an unknown card', create({ cardToken: '16fd2706-8baf-433b-82eb-8c7fada847da' })),
  brings(6100, 'the history of an unknown subscription', () =>
    integrator.send(subscriptionHistory, { subscriptionId: randomUUID() }),
  ),
  brings(6100, 'revoking an unknown subscription', () =>
    integrator.send(revokeSubscription, { subscriptionId: randomUUID() }),
  ),
  brings(6112, 'the history of a subscription before its first charge', async () => {
    const startDate = new Date(clock.now() + 10 * day).toISOString().slice(0, 10)
    return await integrator.send(subscriptionHistory, { subscriptionId: await subscribed(integrator, { startDate }) })
  }),
  brings(6006, 'cancelling a paid order', async () => integrator.cancel(await here.paid(integrator))),
  brings(6006, 'cancelling a cancelled order', async () => {
    const id = await integrator.created()
    expectSealed(await integrator.cancel(id))
    return await integrator.cancel(id)
  }),
  brings(6006, 'cancelling an expired order', async () => {
    const id = await integrator.created()
    await here.play('expired', id)
    return await integrator.cancel(id)
  }),
  brings(6006, 'cancelling an order whose payment failed', async () => {
    const id = await integrator.created()
    await here.play('declined', id)
    return await integrator.cancel(id)
  }),
  brings(6006, 'refunding an order that is not paid', async () => integrator.refund(await integrator.created(), 1)),
  brings(6006, 'completing an order that holds nothing', async () =>
    integrator.complete(await here.paid(integrator), 1),
  ),
  brings(6023, 'an integratorOrderId that exists', async () =>
    integrator.create({ integratorOrderId: await integrator.created() }),
  ),
  brings(6024, 'a receiver that is a USER', create({ receiverType: 'USER' })),
  brings(6024, 'a receiver that is an IBAN', create({ receiverType: 'IBAN' })),
  brings(6034, 'two providers', create({ directLinkProvider: 'BOG', openBankingLinkProvider: 'TBC' })),
  brings(6130, 'a refund from a branch that is paid out at once', async () =>
    refunding(12.5, {}, { receiverId: sweptShop }),
  ),
  brings(6007, 'a refund of more than was paid', () => refunding(12.51)),
  brings(6007, 'a refund of more than is left', async () => {
    const id = await here.paid(integrator)
    await integrator.refund(id, 10)
    clock.forward(3 * second)
    return await integrator.refund(id, 2.51)
  }),
  brings(6021, 'an amount that is no number', create({ amount: 'twelve' })),
  brings(6021, 'an amount with a comma', create({ amount: '12,50' })),
  brings(6026, 'completing with more than is blocked', async () =>
    integrator.complete(await here.paid(integrator, { payWithPreAuth: true }), 12.51),
  ),
  brings(6027, 'a currency that is none of the three', create({ currency: 'JPY' })),
  brings(6028, 'a distribution currency that is none of the three', create({ distributionCurrency: 'JPY' })),
  brings(6029, 'an acquiring currency that is none of the three', create({ acquiringCurrency: 'JPY' })),
  brings(6035, 'a validUntil that is over', create({ validUntil: '2020-01-01 00:00:00' })),
  brings(6049, 'no receiverId', create({ receiverId: undefined })),
  brings(6049, 'a receiverId that is no UUID', create({ receiverId: 'shop' })),
  brings(6049, 'an unknown receiver', create({ receiverId: nobody })),
  brings(6049, 'a language that is none of the three', create({ language: 'FR' })),
  brings(6049, 'a commission type that is none of the three', create({ commissionType: 'NOBODY' })),
  brings(6049, 'a plan without saveCard', create({ amount: 0, directLinkProvider: 'BOG', subscriptionPlan: plan })),
  brings(
    6049,
    'a plan with an interval that is none of the two',
    create({ amount: 0, ...saving, subscriptionPlan: { ...plan, interval: 'DAILY' } }),
  ),
  brings(6053, 'a status without an id', () => integrator.send(orderStatus, { ...integrator.ids })),
  brings(6053, 'the card of an id that is no UUID', () => integrator.send(getCard, { integratorOrderId: 'x' })),
  brings(6053, 'a history without an id', () => integrator.send(subscriptionHistory, {})),
  brings(6058, 'an amount with three decimals', create({ amount: 12.345 })),
  brings(6059, 'parts that make less than the amount', () => split(part(shop, 10), part(secondShop, 2.49))),
  brings(6060, 'parts without the order’s own receiver', () => split(part(waiter, 10, 'USER'), part(secondShop, 2.5))),
  brings(6061, 'the order’s own receiver twice', () => split(part(shop, 10), part(shop, 2.5))),
  brings(6062, 'one part', () => split(part(shop, 12.5))),
  brings(6064, 'no parts', () => split()),
  brings(6066, 'parts that make more than the amount', () => split(part(shop, 10), part(secondShop, 2.51))),
  brings(6068, 'an amount of 0', create({ amount: 0 })),
  brings(6068, 'a negative amount', create({ amount: -1 })),
  brings(
    6070,
    'an installment without a personal number',
    create({ installmentPaymentProvider: 'CREDO', isForeign: false }),
  ),
  brings(6076, 'an empty map of properties', create({ orderProperties: {} })),
  brings(6077, 'a property that cannot be right', () =>
    treasury.create(properties({ ...citizen, PERSONAL_NUMBER: '123' })),
  ),
  brings(6078, 'a property that is missing', () => treasury.create(properties({ PURPOSE: 'Fee' }))),
  brings(6079, 'a property of another order type', create(properties({ PURPOSE: 'Fee' }))),
  brings(6091, 'saving a card without a provider', create({ saveCard: true })),
  brings(6094, 'a partial refund of a split without details', () => refunding(5, {}, { splitDetails: halves })),
  brings(6095, 'a refund without an amount', () => refunding(undefined)),
  brings(6095, 'a refund of 0', () => refunding(0)),
  brings(6095, 'a refund by an unknown initiator', () => refunding(1, { refundInitiator: 'PAYER' })),
  brings(6096, 'details that do not make the refund', () => refunding(5, { refundDetails: [part(shop, 4)] })),
  brings(6096, 'details of a receiver that got nothing', () => refunding(5, { refundDetails: [part(secondShop, 5)] })),
  brings(6097, 'a recipient twice', () => split(part(shop, 10), part(secondShop, 1), part(secondShop, 1.5))),
  brings(6097, 'a recipient of a refund twice', () => refunding(5, { refundDetails: [part(shop, 2), part(shop, 3)] })),
  brings(6098, 'a part for a type that is none of the three', () => split(part(shop, 10), part(waiter, 2.5, 'CARD'))),
  brings(6099, 'a part for an unknown user', () => split(part(shop, 10), part(nobody, 2.5, 'USER'))),
  brings(6099, 'a part for an IBAN with a wrong check digit', () =>
    split(part(shop, 10), part('GE30NB0000000101904917', 2.5, 'IBAN')),
  ),
  brings(6109, 'a wallet order without an address', () => wallet.create('')),
  brings(6109, 'a uniqueId that exists', async () => {
    const { uniqueId } = told(await wallet.create(qrOpen(walletUser)))
    return await wallet.create(qrOpen(walletUser), uniqueId)
  }),
  brings(6110, 'another final status than SUCCESS', () => wallet.finalize(randomUUID(), 1, { finalStatus: 'FAILED' })),
  brings(6110, 'finalizing without an amount', () =>
    wallet.send(finalizeWalletOrder, { ...wallet.ids, uniqueId: randomUUID(), finalStatus: 'SUCCESS' }),
  ),
  brings(6113, 'a plan beside an amount', create({ ...saving, subscriptionPlan: plan })),
  brings(6009, 'an answer that is too long for one block', async () => {
    const subscriptionId = await subscribed(legacy)
    clock.forward(10 * 7 * day)
    return await legacy.send(subscriptionHistory, { subscriptionId })
  }),
  brings(6010, 'what was sealed with another key', async () => {
    const mistaken = new Integrator(here.url, { ...integrator.party, toService: wallet.party.toService })
    const { encryptedKeys } = mistaken.envelope('{}')
    return await integrator.sendMembers(createOrder, { ...integrator.envelope('{}'), encryptedKeys })
  }),
  brings(6011, 'aes false beside encryptedKeys', async () =>
    integrator.sendMembers(createOrder, { ...integrator.envelope('{}'), aes: false }),
  ),
  brings(6054, 'a failure that was ordered', async () => {
    await here.sandbox.faults.add({ op: 'order.status', at: 'before', kind: 'json500' })
    return await integrator.about(orderStatus, randomUUID())
  }),
  brings(6022, 'an order', async () => (await here.integrator('sandbox-closed')).create()),
  brings(
    6093,
    'the default bank of a branch without one',
    create({ receiverId: kiosk, directLinkProvider: 'DEFAULT' }),
  ),
]

/** The codes of missing permissions: permissions.test.ts brings each of them. */
const ofPermissions = [6025, 6031, 6032, 6033, 6036, 6037, 6038, 6056, 6057, 6090, 6111]

/** The codes that no request brings, and why. */
const never: readonly (readonly [number, string])[] = [
  [6002, 'no operation of the specification checks an order that is active'],
  [6003, 'an expired order has no operation of its own: its cancel is 6006'],
  [6008, 'the same words as 6004, and it is not known when it is told instead'],
  [2137, 'a bank fails, and the sandbox has none'],
  [2158, 'the recorded shape alone has it (shape.test.ts)'],
  [2252, 'a bank fails, and the sandbox has none'],
  [6012, 'its meaning was never seen'],
  [6013, 'what does not open is 6010, whatever the reason, so that the reason is not told'],
  [6014, 'the cipher of an answer cannot fail; a block that is too short is 6009'],
  [6015, 'no operation pays: the payer does, at the checkout'],
  [6016, 'no operation pays: the payer does, at the checkout'],
  [6017, 'no operation pays: the payer does, at the checkout'],
  [6041, 'no request holds a range of dates'],
  [6046, 'the same words as 6005 and 6045, and it is not known when it is told instead'],
  [6081, 'no provider in the sandbox knows of debts'],
  [6085, 'a property of another order type is 6079'],
  [6101, 'which providers allow no subscription is not known'],
]

test.each(brought)('each code that a request brings: $code of group $group: $what', async ({ code, group, send }) => {
  expectRefused(await send(), code, group)
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

test('every code of the program is in one of the three lists, and in one only', () => {
  const listed = [...new Set(brought.map(({ code }) => code)), ...ofPermissions, ...never.map(([code]) => code)]
  expect(listed.toSorted()).toEqual([...orderCodes.keys()].toSorted())
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

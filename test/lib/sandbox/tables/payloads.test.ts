// Each of the specification's eleven minimum payloads ("Use-case combinations"), and what its use-case promises. The
// payloads are written down here again and not taken from the contract's examples.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card.ts'
import { writePayload } from '../../../../src/lib/contract/core/field.ts'
import { orderExamples } from '../../../../src/lib/contract/order/examples.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { type Fields, type Heard, type Integrator, shop, waiter } from '../../../kit/sandbox/integrator.ts'
import { expectRefused, expectSealed, hour, second, servedTable, told, without } from '../../../kit/sandbox/stand.ts'

const here = await servedTable()
const { clock } = here
const integrators: Readonly<Record<string, Integrator>> = {
  DEFAULT: await here.integrator('sandbox'),
  TREASURY: await here.integrator('sandbox-treasury'),
  TRAFFIC_FINE: await here.integrator('sandbox-traffic-fine'),
}

function by(type: string): Integrator {
  const integrator = integrators[type]
  if (!integrator) throw new Error(`nobody sends ${type}`)
  return integrator
}

const integrator = by('DEFAULT')
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const inTbilisi = (moment: number) => new Date(moment + 4 * hour).toISOString().slice(0, 19).replace('T', ' ')

const saving = { saveCard: true, directLinkProvider: 'BOG' }
const plan = { interval: 'MONTHLY', intervalCount: 1, amount: 9.9 }
const parts = [
  { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 10.01 },
  { receiverType: 'USER', receiverIdentifier: waiter, amount: 2.49 },
]
const properties = (texts: Readonly<Record<string, string>>) => ({
  orderProperties: Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, { value }])),
})
const treasury = properties({
  PERSONAL_NUMBER: '01001000001',
  PAYER_NAME: 'Nino Beridze',
  PURPOSE: 'State fee',
  IS_FOREIGN: 'false',
})
const trafficFine = properties({
  SERVICE_PROVIDER_CODE: 'PATROL',
  SERVICE_CODE: 'FINE',
  ENTITY_IDENTIFIER: 'AB123456',
  CAR_IDENTIFIER: 'AA001BB',
})

/** A card of this integrator; its first payment is behind it. */
async function savedCard(card = 'approved'): Promise<string> {
  const id = await integrator.created(saving)
  await here.play('paid', id, { card })
  return told(await integrator.send(getCard, { integratorOrderId: id })).token ?? ''
}

const cardToken = await savedCard()

/** Name, order type, what is sent besides the base fields. */
const payloads: readonly (readonly [string, string, () => Fields])[] = [
  ['save-card', 'DEFAULT', () => saving],
  ['saved-card', 'DEFAULT', () => ({ cardToken })],
  ['subscription', 'DEFAULT', () => ({ amount: 0, ...saving, subscriptionPlan: plan })],
  ['split', 'DEFAULT', () => ({ splitDetails: parts })],
  ['open-banking', 'DEFAULT', () => ({ openBankingLinkProvider: 'TBC' })],
  ['card', 'DEFAULT', () => ({ directLinkProvider: 'DEFAULT' })],
  ['crypto', 'DEFAULT', () => ({ cryptoPaymentProvider: 'CITYPAY' })],
  [
    'installment',
    'DEFAULT',
    () => ({ installmentPaymentProvider: 'CREDO', personalNumber: '01001000001', isForeign: false }),
  ],
  ['expiring', 'DEFAULT', () => ({ validUntil: inTbilisi(clock.now() + hour) })],
  ['treasury', 'TREASURY', () => treasury],
  ['traffic-fine', 'TRAFFIC_FINE', () => trafficFine],
]

/** The answer of a created order: exactly its id and where to pay. */
async function expectCreated(heard: Heard, integratorOrderId: unknown): Promise<void> {
  expectSealed(heard)
  expect(Object.keys(heard.value).toSorted()).toEqual(['integratorOrderId', 'urlForQR'])
  expect(heard.value.integratorOrderId).toBe(integratorOrderId)
  const page = await fetch(String(heard.value.urlForQR))
  expect([page.status, (await page.text()).includes(String(integratorOrderId))]).toEqual([200, true])
}

describe('each minimum payload is accepted', () => {
  test.each(payloads)('%s', async (_name, type, fields) => {
    const order = by(type).order(fields())
    await expectCreated(await by(type).send(createOrder, order), order.integratorOrderId)
  })

  test('an id in capitals is repeated to the letter', async () => {
    const integratorOrderId = randomUUID().toUpperCase()
    expect((await integrator.create({ integratorOrderId })).value.integratorOrderId).toBe(integratorOrderId)
  })

  test('of five at the same moment with one id one is created', async () => {
    const integratorOrderId = randomUUID()
    const heard = await Promise.all([1, 2, 3, 4, 5].map(() => integrator.create({ integratorOrderId, cardToken })))
    expect(heard.map(({ code }) => code).toSorted()).toEqual([6023, 6023, 6023, 6023, null])
    expect(await here.entry(integratorOrderId)).toMatchObject({ charges: 1 })
  })

  test('there are eleven, the same that help texts show, with the same fields', () => {
    const names = (fields: Fields) => Object.keys(without(fields, 'amount', 'receiverId')).toSorted()
    const written = payloads.map(([name, type, fields]) => [name, type, names(fields())])
    expect(orderExamples.map(({ name, orderType, request }) => [name, orderType, names(request)])).toEqual(written)
    expect(written).toHaveLength(11)
  })

  test.each(orderExamples.map((example) => [example.name, example] as const))(
    'the payload that help texts show: %s',
    async (_name, { orderType, request }) => {
      const sender = by(orderType)
      // Its receivers and its card are placeholders.
      const placeholders: Readonly<Record<string, string>> = {
        'f47ac10b-58cc-4372-a567-0e02b2c3d479': shop,
        '7c9e6679-7425-40de-944b-e07fc1f90ae7': waiter,
        '16fd2706-8baf-433b-82eb-8c7fada847da': cardToken,
      }
      const text = JSON.stringify(request).replace(
        /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
        (id) => placeholders[id] ?? id,
      )
      const payload = sender.order(writePayload(createOrder.request, JSON.parse(text)))
      await expectCreated(await sender.send(createOrder, payload), payload.integratorOrderId)
    },
  )
})

describe('each minimum payload needs all of its fields', () => {
  const base = ['amount', 'receiverId', 'receiverType', 'integratorId', 'integratorOrderId']

  test.each(base)('%s of the base', async (name) => {
    for (const value of [undefined, null]) {
      // 6024 says only that receiverType must be BRANCH; it belongs to group 2.
      const told = name === 'receiverType' ? [6024, 6049] : [6021, 6049]
      expectRefused(await integrator.create({ [name]: value }), told)
    }
  })

  test.each<[string, string, () => Fields, number | readonly number[]]>([
    ['the provider of a saved card', 'DEFAULT', () => ({ saveCard: true }), 6091],
    ['the provider of a subscription', 'DEFAULT', () => ({ amount: 0, saveCard: true, subscriptionPlan: plan }), 6091],
    [
      'saveCard of a subscription',
      'DEFAULT',
      () => ({ amount: 0, directLinkProvider: 'BOG', subscriptionPlan: plan }),
      6049,
    ],
    [
      'saveCard of a subscription, false',
      'DEFAULT',
      () => ({ amount: 0, ...saving, saveCard: false, subscriptionPlan: plan }),
      6049,
    ],
    ['the plan of a subscription', 'DEFAULT', () => ({ amount: 0, ...saving }), 6068],
    ...['interval', 'intervalCount', 'amount'].map((name): [string, string, () => Fields, readonly number[]] => [
      `${name} of a plan`,
      'DEFAULT',
      () => ({ amount: 0, ...saving, subscriptionPlan: without(plan, name) }),
      [6021, 6049],
    ]),
    ...['receiverType', 'receiverIdentifier', 'amount'].map(
      (name): [string, string, () => Fields, readonly number[]] => [
        `${name} of a part`,
        'DEFAULT',
        () => ({ splitDetails: parts.map((part) => without(part, name)) }),
        [6021, 6049, 6098, 6099],
      ],
    ),
  ])('%s', async (_what, type, fields, code) => {
    expectRefused(await by(type).create(fields()), code, 1)
  })
})

describe('saving a card', () => {
  const card = (integratorOrderId: unknown) => integrator.send(getCard, { integratorOrderId })

  test('the card is there after a success and not before', async () => {
    const id = await integrator.created(saving)
    expectRefused(await card(id), 6075, 5)
    await here.play('paid', id, { card: 'second-step' })
    expect(await integrator.status(id)).toBe('PROCESSING')
    expectRefused(await card(id), 6075, 5)
    clock.forward(3 * second)
    expect(await integrator.status(id)).toBe('SUCCESS')
    const heard = await card(id)
    expectSealed(heard)
    const { token, provider, cardMask, expirationDate, cardBrand, ...more } = told(heard)
    expect(more).toEqual({})
    expect(token).toMatch(uuid4)
    expect(provider).toBe('BOG')
    expect(cardMask).toMatch(/^\d{6}\*+\d{4}$/)
    expect(expirationDate).toMatch(/^(0[1-9]|1[0-2])\/\d\d$/)
    expect(cardBrand).toBe('AMEX')
    expect(await here.entry(id)).toMatchObject({ cardSaved: true, charges: 1 })
  })

  test.each(['declined', 'expired'])('no card is saved by a payment that failed: %s', async (name) => {
    const id = await integrator.created(saving)
    await here.play('paid', id, { card: name })
    expect(await integrator.status(id)).toBe('FAILED')
    expectRefused(await card(id), 6075, 5)
    expect(await here.entry(id)).toMatchObject({ cardSaved: false, charges: 0 })
  })

  test.each<[string, Fields]>([
    ['saveCard false', { ...saving, saveCard: false }],
    ['no saveCard', { directLinkProvider: 'BOG' }],
  ])('no card is saved without being asked to: %s', async (_what, fields) => {
    const id = await here.paid(integrator, fields)
    expectRefused(await card(id), 6075, 5)
  })

  test('no card is saved by an order that was cancelled', async () => {
    const id = await integrator.created(saving)
    expectSealed(await integrator.cancel(id))
    expectRefused(await card(id), 6075, 5)
  })

  test('another integrator does not find the card', async () => {
    const id = await here.paid(integrator, saving)
    const other = await here.integrator('sandbox-pkcs1')
    expectRefused(await other.send(getCard, { integratorOrderId: id }), 6075, 5)
    expectSealed(await card(id))
  })

  test('each saved card has its own token', async () => {
    expect(await savedCard()).not.toBe(await savedCard())
  })
})

describe('paying with a saved card', () => {
  test('the card is charged at once, once', async () => {
    const id = await integrator.created({ cardToken })
    expect(await integrator.status(id)).toBe('SUCCESS')
    const entry = await here.entry(id)
    expect([entry.charges, String(entry.acquiringAmount), entry.cardSaved]).toEqual([1, '12.50', false])
    await expect(here.play('paid', id)).rejects.toThrow(/SUCCESS/)
  })

  test('a repeat of the order charges nothing', async () => {
    const id = await integrator.created({ cardToken })
    expectRefused(await integrator.create({ cardToken, integratorOrderId: id }), 6023, 2)
    expect(await here.entry(id)).toMatchObject({ charges: 1 })
  })

  test('a card that is declined by its token fails the order', async () => {
    const token = await savedCard('declined-when-saved')
    const id = await integrator.created({ cardToken: token })
    expect(await integrator.status(id)).toBe('FAILED')
    expect(await here.entry(id)).toMatchObject({ charges: 0 })
  })

  test('an unknown token, or one of another integrator, creates no order', async () => {
    const other = await here.integrator('sandbox-pkcs1')
    for (const [sender, token] of [
      [integrator, '16fd2706-8baf-433b-82eb-8c7fada847da'],
      [other, cardToken],
    ] as const) {
      const order = sender.order({ cardToken: token })
      expectRefused(await sender.send(createOrder, order), 6075, 5)
      expect(await sender.status(order.integratorOrderId)).toBe('undefined')
    }
  })
})

test.each(payloads.filter(([name]) => ['open-banking', 'card', 'crypto', 'installment'].includes(name)))(
  'a way of paying that was chosen before: %s is paid once, in full',
  async (_name, _type, fields) => {
    const id = await here.paid(integrator, fields())
    expect(await integrator.status(id)).toBe('SUCCESS')
    const entry = await here.entry(id)
    expect([entry.charges, String(entry.acquiringAmount)]).toEqual([1, '12.50'])
    await expect(here.play('paid', id)).rejects.toThrow(/SUCCESS/)
  },
)

describe('TREASURY and TRAFFIC_FINE', () => {
  const typed = payloads.filter(([, type]) => type !== 'DEFAULT')
  const strangers = typed.flatMap(([name, own, fields]) =>
    Object.keys(integrators)
      .filter((type) => type !== own)
      .map((type) => [name, type, fields] as const),
  )

  test.each(strangers)('%s is refused to the integrator of type %s', async (_name, type, fields) => {
    expectRefused(await by(type).create(fields()), 6079, 1)
  })

  test.each(typed)('%s is paid by its own integrator', async (_name, type, fields) => {
    const sender = by(type)
    const id = await here.paid(sender, fields())
    expect(await sender.status(id)).toBe('SUCCESS')
  })
})

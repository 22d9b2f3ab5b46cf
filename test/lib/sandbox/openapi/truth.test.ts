import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { getCard } from '../../../../src/lib/contract/card.ts'
import { type Field, fieldsOf } from '../../../../src/lib/contract/core/field.ts'
import type { Operation } from '../../../../src/lib/contract/operation.ts'
import { firstVersions, operations } from '../../../../src/lib/contract/operations.ts'
import { cancelOrder, completeOrder, createOrder, orderStatus } from '../../../../src/lib/contract/order/order.ts'
import { refundOrder, refundOrderFirst } from '../../../../src/lib/contract/order/refund.ts'
import { createPayout, payoutBalance, payoutDetails } from '../../../../src/lib/contract/payout/payout.ts'
import { signIn } from '../../../../src/lib/contract/sign-in.ts'
import { revokeSubscription, subscriptionHistory } from '../../../../src/lib/contract/subscription.ts'
import { registerUser } from '../../../../src/lib/contract/user.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../../../../src/lib/contract/wallet/wallet.ts'
import type { Shape } from '../../../../src/lib/sandbox/shape.ts'
import { callers, type Said, toIban } from '../../../kit/sandbox/callers.ts'
import { shapes } from '../../../kit/sandbox/client.ts'
import { type Heard, qrOpen, qrRequest, userAtLimit, walletUser } from '../../../kit/sandbox/integrator.ts'
import { unfit, unfitOrMore } from '../../../kit/sandbox/openapi.ts'
import { desk } from '../../../kit/sandbox/stand.ts'

// Every operation is called.
vi.setConfig({ testTimeout: 60_000 })

/** Holds every answer against the document, and remembers which operations have answered. */
async function judged(shape: Shape) {
  const here = await desk({ shape })
  const answered = new Set<string>()
  const nameOf = (operation: Operation) => `${operation.name}${firstVersions.includes(operation) ? '.first' : ''}`
  const fits = (operation: Operation, heard: Heard): Heard => {
    answered.add(nameOf(operation))
    const whole = heard.text === null ? 'OrderError' : `${nameOf(operation)}.answer`
    expect(unfitOrMore(whole, heard.text ?? heard.body)).toBeNull()
    return heard
  }
  const says = (operation: Operation, said: Said): Said => {
    answered.add(nameOf(operation))
    const error = said.answer.body.includes('application_name') ? 'RecordedUnauthenticated' : 'PayoutError'
    const whole = said.http === 200 ? `${nameOf(operation)}.answer` : error
    expect(unfitOrMore(whole, said.answer.body)).toBeNull()
    return said
  }
  return { ...here, answered, fits, says, shape }
}

type Judged = Awaited<ReturnType<typeof judged>>

async function payouts({ sandbox, clock, says, shape }: Judged): Promise<void> {
  const { byIban, byReceiver } = await callers(sandbox, shape)
  says(signIn, await byIban.signIn())
  says(signIn, await byIban.signIn({ client_secret: 'wrong' }))
  const made = says(createPayout, await byIban.create(toIban()))
  says(payoutDetails, await byIban.details(made.value.transactionId))
  clock.forward(60_000)
  says(payoutDetails, await byIban.details(made.value.transactionId))
  says(payoutDetails, await byIban.details(1))
  says(createPayout, await byIban.create(toIban({ amount: '0' })))
  for (const currency of ['GEL', 'USD', 'GBP']) says(payoutBalance, await byReceiver.balanceIn(currency))
  byIban.token = 'wrong'
  says(createPayout, await byIban.create(toIban()))
}

async function orders({ integrator, pay, clock, fits, entry }: Judged): Promise<void> {
  const us = await integrator()
  const about = async (operation: Operation, order: unknown, more = {}) =>
    fits(operation, await us.about(operation, order, more))
  const create = async (fields = {}) => fits(createOrder, await us.create(fields)).value.integratorOrderId
  const saved = await create({ amount: 20, saveCard: true, directLinkProvider: 'TBC' })
  await about(orderStatus, saved)
  await pay(saved)
  await about(orderStatus, saved)
  const card = fits(getCard, await us.send(getCard, { integratorOrderId: saved }))
  await create({ cardToken: card.value.token })
  await about(refundOrder, saved, { amount: 5 })
  clock.forward(3000)
  await about(refundOrderFirst, saved)
  clock.forward(3000)
  await about(orderStatus, saved)
  await about(cancelOrder, saved)
  await about(cancelOrder, await create())
  const blocked = await create({ payWithPreAuth: true })
  await pay(blocked)
  await about(orderStatus, blocked)
  await about(completeOrder, blocked, { amount: 10 })
  fits(registerUser, await us.send(registerUser, { name: 'Nino' }))
  const plan = { interval: 'WEEKLY', intervalCount: 1, amount: 5 }
  const planned = await create({ amount: 0, saveCard: true, directLinkProvider: 'BOG', subscriptionPlan: plan })
  await pay(planned)
  const { subscriptionId } = await entry(planned)
  fits(subscriptionHistory, await us.send(subscriptionHistory, { subscriptionId }))
  fits(revokeSubscription, await us.send(revokeSubscription, { subscriptionId }))
}

async function walletOrders({ wallet, fits }: Judged): Promise<void> {
  const us = await wallet()
  for (const uri of [qrOpen(walletUser), qrRequest(walletUser, '25'), qrOpen(randomUUID()), qrOpen(userAtLimit)]) {
    const id = randomUUID()
    fits(createWalletOrder, await us.create(uri, id))
    fits(walletOrderDetails, await us.details(id))
    for (const amount of [30, 25, 25]) fits(finalizeWalletOrder, await us.finalize(id, amount))
    fits(walletOrderDetails, await us.details(id))
    fits(cancelWalletOrder, await us.delete(id))
  }
  const id = randomUUID()
  await us.create(qrOpen(walletUser), id)
  fits(cancelWalletOrder, await us.delete(id))
}

test.each(shapes)(
  'every operation of a sandbox answers as described, and with nothing else: answers as %s',
  async (shape) => {
    const here = await judged(shape)
    await payouts(here)
    await orders(here)
    await walletOrders(here)
    const all = [...operations.map(({ name }) => name), 'order.refund.first']
    expect([...here.answered].toSorted()).toEqual(all.toSorted())
  },
)

test('a member that is not described does not fit, and neither does one that is missing', () => {
  expect(unfitOrMore('order.create.answer', { integratorOrderId: randomUUID(), colour: 'red' })).toContain('colour')
  expect(unfit('card.get.answer', { token: randomUUID() })).toContain('cardMask')
  expect(unfit('payout.get.answer', { value: { transactionId: 'x' } })).toContain('integer')
})

type Placed = readonly [where: string, field: Field, rule: z.ZodType]

function placesIn(name: string, request: z.ZodObject): Placed[] {
  return fieldsOf(request).flatMap((field): Placed[] => {
    const below = field.members ? placesIn(`${name}.${field.name}`, field.members) : []
    return [[`${name}.${field.name}`, field, request.shape[field.name] as z.ZodType], ...below]
  })
}

const described = operations
  .flatMap(({ name, request }) => placesIn(name, request))
  // The rule of an identifier is that of its whole entry, which says what kind it is.
  .filter(([, { name, schema }]) => typeof schema?.pattern === 'string' && name !== 'receiverIdentifier')

describe('the pattern of a field lets everything pass that its rule takes', () => {
  test.each(described)('%s', (_where, { schema, example }, rule) => {
    const pattern = new RegExp(String(schema?.pattern), 'u')
    const examples = example === undefined ? [] : [example]
    const likely = fc.oneof(
      fc.stringMatching(pattern),
      fc.constantFrom('GE29NB0000000101904917', ...examples),
      fc.string(),
    )
    fc.assert(
      fc.property(likely, (text) => {
        if (rule.safeParse(text).success) expect(text).toMatch(pattern)
      }),
      { numRuns: 300 },
    )
    const taken = fc.sample(likely, 300).filter((text) => rule.safeParse(text).success)
    expect(taken.length, 'texts that the rule takes').toBeGreaterThan(10)
  })
})

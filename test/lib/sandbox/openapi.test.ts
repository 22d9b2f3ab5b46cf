import { randomUUID } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { getCard } from '../../../src/lib/contract/card.ts'
import { orderCodes, payoutCodes } from '../../../src/lib/contract/codes/code-book.ts'
import { type Field, fieldsOf, writePayload } from '../../../src/lib/contract/core/field.ts'
import type { Operation } from '../../../src/lib/contract/operation.ts'
import { firstVersions, operations } from '../../../src/lib/contract/operations.ts'
import { orderExamples } from '../../../src/lib/contract/order/examples.ts'
import { cancelOrder, completeOrder, createOrder, orderStatus } from '../../../src/lib/contract/order/order.ts'
import { refundOrder, refundOrderFirst } from '../../../src/lib/contract/order/refund.ts'
import { createPayout, payoutBalance, payoutDetails } from '../../../src/lib/contract/payout/payout.ts'
import { signIn } from '../../../src/lib/contract/sign-in.ts'
import { revokeSubscription, subscriptionHistory } from '../../../src/lib/contract/subscription.ts'
import { registerUser } from '../../../src/lib/contract/user.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../../../src/lib/contract/wallet/wallet.ts'
import { writeJson } from '../../../src/lib/json.ts'
import { openApiDocument, openApiPath } from '../../../src/lib/sandbox/openapi.ts'
import type { Shape } from '../../../src/lib/sandbox/shape.ts'
import { shapes } from '../../clients/clients.ts'
import { desk as callbackDesk } from '../../kit/callback.ts'
import { callers, type Said, toIban } from '../../kit/sandbox/callers.ts'
import { type Heard, qrOpen, qrRequest, userAtLimit, walletUser } from '../../kit/sandbox/integrator.ts'
import { desk } from '../../kit/sandbox/stand.ts'

type Json = Readonly<Record<string, never>>

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

/** As a program reads it. */
const openApi = JSON.parse(writeJson(openApiDocument())) as OpenApi

/** The same, where a member that is not described does not fit. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).map(([name, value]) => [name, closed(value)])
  const isClosable = 'properties' in schema && !('additionalProperties' in schema)
  return { ...Object.fromEntries(members), ...(isClosable ? { additionalProperties: false } : {}) }
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema({ $id: 'open', ...openApi })
ajv.addSchema({ $id: 'closed', ...(closed(openApi) as OpenApi) })

function judge(document: string, component: string, value: unknown): string | null {
  const validate = ajv.compile({ $ref: `${document}#/components/schemas/${component}` })
  const plain = typeof value === 'string' ? value : writeJson(value)
  return validate(JSON.parse(plain)) ? null : `${component}: ${ajv.errorsText(validate.errors)} in ${plain}`
}

/** The reasons why a value, or a JSON text, does not fit a component. */
function unfit(component: string, value: unknown): string | null {
  return judge('open', component, value)
}

/** The same where nothing may be there that the component does not describe. */
function unfitOrMore(component: string, value: unknown): string | null {
  return judge('closed', component, value)
}

test('it is OpenAPI 3.1, by the schema of the OpenAPI Initiative', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone({ ...openApi }))).toMatchObject({ valid: true })
  expect(validator.version).toBe('3.1')
  expect(await new Validator().validate({ ...openApi, paths: { nowhere: {} } })).toMatchObject({ valid: false })
})

test('every reference leads somewhere, and every schema is one', () => {
  const refs = [...JSON.stringify(openApi).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name,
  )
  expect(refs.length).toBeGreaterThan(operations.length)
  for (const name of refs) expect(Object.keys(openApi.components.schemas)).toContain(name)
  for (const name of Object.keys(openApi.components.schemas)) expect(() => unfit(name, {})).not.toThrow()
})

describe('every operation of the contract is there', () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
    const described = openApi.paths[operation.path]?.[operation.method.toLowerCase()]
    expect(described).toMatchObject({
      operationId: name,
      security: operation.wire === 'bearer' ? [{ bearer: [] }] : [],
    })
    const isSealed = ['sealed', 'wallet'].includes(operation.wire)
    expect(described?.['x-payload']).toEqual(isSealed ? { $ref: `#/components/schemas/${name}.request` } : undefined)
    expect(described?.[operation.carriedIn === 'body' ? 'requestBody' : 'parameters']).toBeDefined()
  })

  test('and nothing else', () => {
    expect(Object.values(openApi.paths).flatMap(Object.keys)).toHaveLength(operations.length + firstVersions.length)
  })

  test('the first version of refund, too, under a name of its own: it does without an amount', () => {
    expect(openApi.paths['/api/integrator/order/refund']?.post).toMatchObject({ operationId: 'order.refund.first' })
    const ids = {
      integratorId: '5a9db0c0-0101-4a11-8c11-000000000101',
      integratorOrderId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    }
    expect(unfit('order.refund.first.request', ids)).toBeNull()
    expect(unfit('order.refund.request', ids)).not.toBeNull()
  })
})

test('it speaks of the service alone: of no flag, no profile, no command', () => {
  const text = JSON.stringify(openApi)
  expect(text).not.toMatch(/(?<![\w-])--[a-z]|profile|paydesk|sandbox|filled in|made when/i)
})

test('a world with other provider codes shows them', async () => {
  const { url, sandbox } = await desk()
  await sandbox.set({ providers: { cryptoPaymentProvider: ['CITYPAY', 'COIN'] } })
  const shown = (await (await fetch(url + openApiPath)).json()) as typeof openApi
  const codes = (of: typeof openApi, field: string) => {
    const properties: Readonly<Record<string, { enum?: unknown }>> =
      of.components.schemas['order.create.request']?.properties ?? {}
    return properties[field]?.enum
  }
  expect(codes(shown, 'cryptoPaymentProvider')).toEqual(['CITYPAY', 'COIN'])
  expect(codes(openApi, 'cryptoPaymentProvider')).toEqual(['CITYPAY'])
  expect(codes(shown, 'openBankingLinkProvider')).toEqual(['TBC', 'BOG', 'CREDO', 'LB'])
})

test('every code is told with what it means', () => {
  const text = JSON.stringify(openApi.components.schemas)
  for (const { code, means } of [...payoutCodes.values(), ...orderCodes.values()]) {
    expect(text).toContain(`"const":${code},`)
    expect(text).toContain(JSON.stringify(`${means}.`).slice(1, -1))
  }
})

describe('real requests and answers fit', () => {
  const ids = {
    integratorId: '5a9db0c0-0101-4a11-8c11-000000000101',
    integratorOrderId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    receiverType: 'BRANCH',
  }

  test.each(orderExamples.map(({ name, request }) => [name, request] as const))('the example %s', (_name, request) => {
    expect(unfit('order.create.request', writePayload(createOrder.request, { ...ids, ...request }))).toBeNull()
  })

  test('and what is wrong does not', () => {
    const good = writePayload(createOrder.request, { ...ids, amount: '1', receiverId: ids.integratorId })
    expect(unfit('order.create.request', good)).toBeNull()
    for (const wrong of [
      { amount: '1' },
      { receiverType: 'USER' },
      { saveCard: 'true' },
      { splitDetails: {} },
      { amount: -0.01 },
      { receiverId: '1' },
      { directLinkProvider: 'LB' },
      { callbackUri: 'ftp://example.com' },
      { personalNumber: ' ' },
      { validUntil: 'tomorrow' },
      { splitDetails: [{ receiverType: 'BRANCH', receiverIdentifier: ids.integratorId, amount: 1 }] },
      { orderProperties: {} },
      { orderProperties: { COLOUR: { value: 'red' } } },
      { subscriptionPlan: { interval: 'MONTHLY', intervalCount: 0.5, amount: 1 } },
    ]) {
      expect(unfit('order.create.request', { ...good, ...wrong }), JSON.stringify(wrong)).not.toBeNull()
    }
    expect(unfit('order.create.request', ids)).not.toBeNull()
    expect(unfit('order.create.request', { ...good, softposOrder: true })).toBeNull()
  })

  test('a payout that breaks the rule of a field does not', () => {
    const good = JSON.parse(writeJson(toIban()))
    expect(unfit('payout.create.request', good)).toBeNull()
    for (const wrong of [
      { amount: 0 },
      { amount: 12_345_678_901 },
      { currency: 'GBP' },
      { description: 'Зарплата' },
      { description: ' ' },
      { toIban: 'ge29nb0000000101904917' },
      { birthDate: '1988-02-29' },
      { debtorIdentityNumber: '1234567890' },
      { fromIban: 'DE89370400440532013000' },
      { beneficiaryName: '' },
      { uniqueId: '5f0c0c5e-0000-1000-8000-000000000000' },
    ]) {
      expect(unfit('payout.create.request', { ...good, ...wrong }), JSON.stringify(wrong)).not.toBeNull()
    }
    const { uniqueId: _, ...less } = good
    expect(unfit('payout.create.request', less)).not.toBeNull()
  })

  test('envelopes, answers and errors of a sandbox', async () => {
    const { integrator, wallet } = await desk()
    const us = await integrator()
    expect(unfit('SealedRequest', us.envelope('{}'))).toBeNull()
    expect(unfit('SealedRequest', (await wallet()).envelope('{}'))).toBeNull()
    const created = await us.create()
    expect(unfit('SealedAnswer', JSON.parse(created.body))).toBeNull()
  })
})

test('the callbacks of a sandbox are those of its webhooks, with no member that is not described', async () => {
  const { sandbox, paid, clock, list } = await callbackDesk()
  const plan = { interval: 'MONTHLY', intervalCount: 1, amount: 5, startDate: '2026-12-01' }
  const callbackUri = 'https://shop.example/paid'
  const saved = { callbackUri, saveCard: true, directLinkProvider: 'TBC' }
  await paid({ ...saved, amount: 0, subscriptionPlan: { ...plan, callbackUrl: callbackUri } })
  await paid({ callbackUri }, 'declined')
  clock.forward(40 * 24 * 3600 * 1000)
  await sandbox.ledger()
  const sent = await list()
  expect(new Set(sent.map(({ kind }) => kind))).toEqual(new Set(['payment', 'subscription']))
  for (const { kind, payload } of sent) expect(unfitOrMore(`callback.${kind}`, payload)).toBeNull()
  const { post } = (JSON.parse(writeJson(openApi)) as { webhooks: Record<string, { post: Json }> }).webhooks[
    'callback.payment'
  ] ?? { post: undefined }
  expect(post).toMatchObject({ 'x-payload': { $ref: '#/components/schemas/callback.payment' } })
})

test('a sandbox shows it without a token, its console open', async () => {
  const { url } = await desk({ console: { token: 'a-token', nonce: () => 'nonce', script: async () => '' } })
  expect((await fetch(`${url}/_sandbox`)).status).toBe(403)
  const answer = await fetch(url + openApiPath)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await answer.json()).toEqual(openApi)
})

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

test.each(shapes)('every operation of a sandbox answers as described, and no more: answers as %s', async (shape) => {
  const here = await judged(shape)
  await payouts(here)
  await orders(here)
  await walletOrders(here)
  const all = [...operations.map(({ name }) => name), 'order.refund.first']
  expect([...here.answered].toSorted()).toEqual(all.toSorted())
})

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

test.each(described)('the pattern of a field passes what its rule takes: %s', (_where, { schema, example }, rule) => {
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

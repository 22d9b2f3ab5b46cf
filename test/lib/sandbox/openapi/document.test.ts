import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { orderCodes, payoutCodes } from '../../../../src/lib/contract/codes/code-book.ts'
import { writePayload } from '../../../../src/lib/contract/core/field.ts'
import { firstVersions, operations } from '../../../../src/lib/contract/operations.ts'
import { orderExamples } from '../../../../src/lib/contract/order/examples.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { writeJson } from '../../../../src/lib/json.ts'
import { openApiDocument } from '../../../../src/lib/sandbox/openapi/document.ts'
import { openApiPath } from '../../../../src/lib/sandbox/openapi/page.ts'
import { callers, toIban } from '../../../kit/sandbox/callers.ts'
import { openApi, unfit } from '../../../kit/sandbox/openapi.ts'
import { desk } from '../../../kit/sandbox/stand.ts'

test('it is OpenAPI 3.1, by the schema of the OpenAPI Initiative', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone({ ...openApi }))).toMatchObject({ valid: true })
  expect(validator.version).toBe('3.1')
  expect(await new Validator().validate({ ...openApi, paths: { nowhere: {} } })).toMatchObject({ valid: false })
})

test('the same contract gives the same text', () => {
  expect(writeJson(openApiDocument())).toBe(writeJson(openApiDocument()))
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
    const { sandbox, integrator, wallet } = await desk()
    const us = await integrator()
    expect(unfit('SealedRequest', us.envelope('{}'))).toBeNull()
    expect(unfit('SealedRequest', (await wallet()).envelope('{}'))).toBeNull()
    const created = await us.create()
    expect(unfit('SealedAnswer', JSON.parse(created.body))).toBeNull()
    expect(unfit('order.create.answer', created.value)).toBeNull()
    expect(unfit('OrderError', (await us.create({ amount: 0 })).value)).toBeNull()
    const { byIban } = await callers(sandbox)
    const body = toIban()
    expect(unfit('payout.create.request', body)).toBeNull()
    expect(unfit('payout.create.answer', (await byIban.create(body)).value)).toBeNull()
    expect(unfit('PayoutError', (await byIban.create(body)).value)).toBeNull()
    expect(unfit('payout.balance.answer', JSON.parse((await byIban.balanceIn('GEL')).answer.body))).toBeNull()
  })
})

test('a sandbox shows it without a token, its window open', async () => {
  const { url } = await desk({ window: { token: 'a-token', nonce: () => 'nonce', script: async () => '' } })
  expect((await fetch(`${url}/_sandbox`)).status).toBe(403)
  const answer = await fetch(url + openApiPath)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await answer.json()).toEqual(openApi)
})

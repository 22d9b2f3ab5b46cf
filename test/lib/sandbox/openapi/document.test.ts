import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { orderCodes } from '../../../../src/lib/contract/codes/order.ts'
import { payoutCodes } from '../../../../src/lib/contract/codes/payout.ts'
import { writePayload } from '../../../../src/lib/contract/core/payload.ts'
import { orderExamples } from '../../../../src/lib/contract/examples.ts'
import { operations } from '../../../../src/lib/contract/operations.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { writeJson } from '../../../../src/lib/json.ts'
import { openApiDocument } from '../../../../src/lib/sandbox/openapi/document.ts'
import { openApiPath } from '../../../../src/lib/sandbox/openapi/page.ts'
import { callers, toIban } from '../../../kit/sandbox/callers.ts'
import { desk } from '../../../kit/sandbox/stand.ts'

type Json = Readonly<Record<string, never>>

const document = JSON.parse(writeJson(openApiDocument())) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema({ $id: 'document', ...document })

/** The reasons why a value does not fit a component. */
function unfit(component: string, value: unknown): string | null {
  const validate = ajv.compile({ $ref: `document#/components/schemas/${component}` })
  return validate(JSON.parse(writeJson(value))) ? null : ajv.errorsText(validate.errors)
}

test('it is OpenAPI 3.1, by the schema of the OpenAPI Initiative', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true })
  expect(validator.version).toBe('3.1')
  expect(await new Validator().validate({ ...document, paths: { nowhere: {} } })).toMatchObject({ valid: false })
})

test('the same contract gives the same text', () => {
  expect(writeJson(openApiDocument())).toBe(writeJson(openApiDocument()))
})

test('every reference leads somewhere, and every schema is one', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name,
  )
  expect(refs.length).toBeGreaterThan(operations.length)
  for (const name of refs) expect(Object.keys(document.components.schemas)).toContain(name)
  for (const name of Object.keys(document.components.schemas)) expect(() => unfit(name, {})).not.toThrow()
})

describe('every operation of the contract is there', () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()]
    expect(described).toMatchObject({
      operationId: name,
      security: operation.wire === 'bearer' ? [{ bearer: [] }] : [],
    })
    const isSealed = ['sealed', 'wallet'].includes(operation.wire)
    expect(described?.['x-payload']).toEqual(isSealed ? { $ref: `#/components/schemas/${name}.request` } : undefined)
    expect(described?.[operation.carriedIn === 'body' ? 'requestBody' : 'parameters']).toBeDefined()
  })

  test('and nothing else', () => {
    expect(Object.values(document.paths).flatMap(Object.keys)).toHaveLength(operations.length)
  })
})

test('every code is told with what it means', () => {
  const text = JSON.stringify(document.components.schemas)
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
      { more: 1 },
      { splitDetails: {} },
    ]) {
      expect(unfit('order.create.request', { ...good, ...wrong }), JSON.stringify(wrong)).not.toBeNull()
    }
    expect(unfit('order.create.request', ids)).not.toBeNull()
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
  expect(await answer.json()).toEqual(document)
})

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeError } from '../../../src/lib/client/answer.ts'
import {
  readBearerAnswer,
  readRequest,
  readToken,
  writeBearerAnswer,
  writeBearerRequest,
} from '../../../src/lib/client/bearer.ts'
import { JsonNumber, minorUnits, plainDecimal } from '../../../src/lib/contract/core/decimal.ts'
import { createPayout, payoutBalance, payoutDetails } from '../../../src/lib/contract/payout/payout.ts'
import { signIn } from '../../../src/lib/contract/sign-in.ts'
import { validate } from '../../../src/lib/contract/validate.ts'
import type { HttpAnswer, HttpRequest } from '../../../src/lib/http/message.ts'
import { writeJson } from '../../../src/lib/json.ts'
import { usual } from '../../kit/contract.ts'

const statement = fc
  .string({ unit: fc.constantFrom(..."ABCxyz0189აბგჿ /\\-?:().,'+"), minLength: 1, maxLength: 30 })
  .filter((text) => text.trim() !== '')
const free = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '')
const amount = fc.bigInt(1n, 9_999_999_999n).chain((units) => {
  const digits = units.toString().padStart(3, '0')
  const whole = digits.slice(0, -2)
  const both = digits.slice(-2)
  const forms = [
    `${whole}.${both}`,
    ...(both.endsWith('0') ? [`${whole}.${both[0]}`] : []),
    ...(both === '00' ? [whole] : []),
  ]
  return fc.constantFrom(...forms.filter((form) => form.replace('.', '').length <= 10))
})
const uuid = fc.uuid({ version: 4 })
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const payee = fc.oneof(
  fc.record({ toIban: fc.constant('GE29NB0000000101904917') }),
  fc.record({ receiverId: uuid, receiverType: fc.constantFrom('BRANCH', 'USER') }),
)

/** Payouts that keep every rule of the contract. */
const payout = fc
  .tuple(
    fc.record({
      amount,
      currency: fc.constantFrom('GEL', 'USD', 'EUR'),
      description: statement,
      uniqueId: uuid,
      beneficiaryName: optional(free),
      beneficiaryAddress: optional(free),
      birthDate: optional(fc.constant('29.02.1988')),
      debtorName: optional(statement),
      fromIban: optional(fc.constant('GE29NB0000000101904917')),
    }),
    payee,
  )
  .map(([rest, to]): Record<string, unknown> => ({ ...rest, ...to }))

function given(request: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined))
}

function posted(body: string): HttpRequest {
  return { method: 'POST', path: '/api/distributor', query: [], headers: {}, body }
}

function answered(status: number, body: string, headers: Record<string, string> = {}): HttpAnswer {
  return { status, headers, body }
}

/** The length of a body of nothing. */
const whole = { 'content-length': '0' }

describe('requests', () => {
  test('a payout that the desk writes is the same payout to the sandbox', () => {
    fc.assert(
      fc.property(payout, (request) => {
        const valid = validate(createPayout, given(request), usual)
        expect(valid.ok).toBe(true)
        const http = writeBearerRequest(createPayout, request, 'token')
        const read = readRequest(createPayout, http)?.read
        expect({ ...read, amount: minorUnits(String(read?.amount)) }).toEqual({
          ...given(request),
          amount: minorUnits(String(request.amount)),
        })
      }),
      { numRuns: 500 },
    )
  })

  test('an amount is a number of JSON with exactly the digits that were typed', () => {
    for (const typed of ['12345678.90', '0.10', '1234567890', '12.5', '0.01']) {
      const { body } = writeBearerRequest(createPayout, { amount: typed, currency: 'GEL' }, null)
      expect(body).toBe(`{"amount":${typed},"currency":"GEL"}`)
    }
  })

  test('ids and identity numbers stay text, however much they look like numbers', () => {
    const request = { beneficiaryIdentityNumber: '01001000001', description: '5', debtorIdentityNumber: '123456789' }
    expect(writeBearerRequest(createPayout, request, null).body).toBe(writeJson(request))
  })

  test('a payout is a POST with a JSON body and the token in one header', () => {
    const uniqueId = randomUUID()
    expect(writeBearerRequest(createPayout, { uniqueId, toIban: undefined }, 'abc.def')).toEqual({
      method: 'POST',
      path: '/api/distributor',
      query: [],
      headers: { accept: 'application/json', 'content-type': 'application/json', authorization: 'Bearer abc.def' },
      body: `{"uniqueId":"${uniqueId}"}`,
    })
  })

  test('a reading is a GET with a query and without body', () => {
    expect(writeBearerRequest(payoutDetails, { transaction_id: '98765432109876543210' }, 't')).toEqual({
      method: 'GET',
      path: '/api/distributor/details',
      query: [['transaction_id', '98765432109876543210']],
      headers: { accept: 'application/json', authorization: 'Bearer t' },
      body: null,
    })
    expect(readRequest(payoutBalance, writeBearerRequest(payoutBalance, { currency: 'USD' }, 't'))?.read).toEqual({
      currency: 'USD',
    })
  })

  test('the sign-in carries no token', () => {
    const http = writeBearerRequest(signIn, { client_id: 'a', client_secret: 'b', grant_type: 'c' }, null)
    expect(http.headers).toEqual({ accept: 'application/json', 'content-type': 'application/json' })
    expect(readRequest(signIn, http)?.read).toEqual({ client_id: 'a', client_secret: 'b', grant_type: 'c' })
  })

  test('at the service an amount counts by its value, whether it came as a number or as text', () => {
    const amountOf = (json: string) => readRequest(createPayout, posted(`{"amount":${json}}`))?.read.amount
    expect(amountOf('12.50')).toBe('12.5')
    expect(amountOf('1.25e1')).toBe('12.5')
    expect(amountOf('"12.50"')).toBe('12.50')
    expect(amountOf('-5')).toBe('-5')
    // An amount of another kind must be no text that passes the rule.
    expect(amountOf('1e999')).toBeInstanceOf(JsonNumber)
    expect(amountOf('true')).toBe(true)
    expect(readRequest(createPayout, posted('{"amount":null,"toIban":null}'))?.read).toEqual({})
  })

  test('at the service members that the contract does not know arrive, in a body and in a query', () => {
    expect(readRequest(createPayout, posted('{"ammount":"5"}'))?.read).toEqual({ ammount: '5' })
    const http = writeBearerRequest(payoutBalance, { currency: 'GEL' }, null)
    const asked = { ...http, query: [...http.query, ['utm', 'x']] as const }
    expect(readRequest(payoutBalance, asked)?.read).toEqual({ currency: 'GEL', utm: 'x' })
  })

  test.each([
    ['nothing', ''],
    ['half an object', '{'],
    ['an array', '[]'],
    ['a number', '5'],
    ['a text', '"text"'],
    ['null', 'null'],
    ['a page', '<html>'],
    ['an amount given twice', '{"amount":1,"amount":2}'],
    ['an array nested too deep', '['.repeat(200_000)],
  ])('%s is no readable body', (_what, body) => {
    expect(readRequest(createPayout, posted(body))).toBeNull()
    expect(readRequest(createPayout, { ...posted(body), body: null })).toBeNull()
  })
})

describe('tokens', () => {
  const tokenOf = (authorization: string | undefined) =>
    readToken({ ...posted(''), headers: authorization === undefined ? {} : { authorization } })

  test('a token is read back from the header that carries it', () => {
    const token = fc.string({ unit: fc.constantFrom(...'abcXYZ019-._~+/='), minLength: 1 })
    fc.assert(
      fc.property(token, (text) => {
        expect(readToken(writeBearerRequest(payoutBalance, {}, text))).toBe(text)
      }),
    )
    expect(tokenOf('bearer  abc')).toBe('abc')
  })

  test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'abc', 'Bearerabc'])(
    'the header %j carries no token',
    (header) => {
      expect(tokenOf(header)).toBeNull()
    },
  )
})

const created = {
  transactionId: new JsonNumber('7001'),
  status: 'INITIAL',
  statusDescription: 'Initial',
  uniqueId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
  createdAt: '2026-11-20T10:00:00.123456789',
}

const read = (http: HttpAnswer) => readBearerAnswer(createPayout, {}, http)

// What an answer to a write proves stands in test/safety/verdict-*.test.ts.
describe('answers', () => {
  test('an answer is read flat and wrapped, with every digit and with what the contract does not know', async () => {
    for (const id of [new JsonNumber('9007199254740993'), '9007199254740993']) {
      const members = { ...created, transactionId: id, distributionFlow: 'STANDARD', fee: new JsonNumber('0.50') }
      const expected = { kind: 'accepted', answer: { ...members, transactionId: '9007199254740993' } }
      expect(await read(answered(201, writeJson(members)))).toEqual(expected)
      expect(await read(answered(200, writeJson({ value: members })))).toEqual(expected)
    }
  })

  test('the desk reads the answers of the sandbox: flat for a creation, wrapped for the rest', async () => {
    expect(writeBearerAnswer(createPayout, created).body).toBe(writeJson(created))
    expect(writeBearerAnswer(payoutBalance, { amount: new JsonNumber('5.00'), currency: 'GEL' })).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"value":{"amount":5.00,"currency":"GEL"}}',
    })
    const amount = fc
      .bigInt(0n, 10n ** 20n)
      .map((units) => new JsonNumber(`${units / 100n}.${String(units % 100n).padStart(2, '0')}`))
    await fc.assert(
      fc.asyncProperty(amount, async (amount) => {
        const http = writeBearerAnswer(payoutBalance, { amount, currency: 'GEL' })
        const answer = { amount, currency: 'GEL' }
        expect(await readBearerAnswer(payoutBalance, {}, http)).toEqual({ kind: 'accepted', answer })
        expect(plainDecimal(amount.text)).not.toBeNull()
      }),
    )
  })

  test('a refusal is read by its code, except where the token is meant, and over 5xx', async () => {
    for (const http of [200, 400, 401, 403, 404, 409, 500, 502, 503]) {
      const error = { message: 'no', statusCode: new JsonNumber('5038'), exceptionGroup: new JsonNumber('1') }
      const kind = http === 401 ? 'turned-away' : http < 500 ? 'refused' : 'unknown'
      const words = { http, statusCode: 5038, exceptionGroup: 1, message: 'no' }
      expect(await read(writeError(http, error))).toMatchObject({ kind, words })
    }
    const silent = answered(400, '{"statusCode":5038,"message":null}')
    const words = { http: 400, statusCode: 5038, exceptionGroup: null, message: null }
    expect(await read(silent)).toMatchObject({ kind: 'refused', words })
  })

  test.each([
    [429, '', {}, { kind: 'turned-away', retryAfter: null }],
    [429, '{}', { 'retry-after': '7' }, { kind: 'turned-away', retryAfter: '7' }],
    [503, '<html>', { 'retry-after': 'soon' }, { kind: 'unknown', retryAfter: 'soon' }],
    [503, writeJson(created), {}, { kind: 'unknown' }],
    [303, '', { location: '/elsewhere' }, { kind: 'unknown' }],
    [307, '', { location: '/elsewhere' }, { kind: 'turned-away', location: '/elsewhere' }],
    [308, writeJson(created), { location: '/elsewhere' }, { kind: 'unknown' }],
  ] as const)('HTTP %i with %j and %j: %j', async (http, body, headers, expected) => {
    expect(await read(answered(http, body, { ...(body === '' ? whole : {}), ...headers }))).toMatchObject(expected)
  })

  test.each([301, 308])('a read is turned away by HTTP %i, whatever stands in it', async (http) => {
    const moved = answered(http, writeJson(created), { location: '/elsewhere' })
    expect(await readBearerAnswer(payoutDetails, {}, moved)).toMatchObject({ kind: 'turned-away', by: 'redirect' })
  })

  test.each([
    [500, '', 'the answer (HTTP 500) does not match the contract'],
    [502, '<html><h1>Bad Gateway</h1></html>', 'the answer is not JSON'],
    [500, '{}', 'the answer (HTTP 500) does not match the contract'],
    [504, '{"message":"Endpoint request timed out"}', 'the answer (HTTP 504) does not match the contract'],
    [400, '{"error":"bad"}', 'the answer (HTTP 400) does not match the contract'],
    [404, 'null', 'the answer (HTTP 404) does not match the contract'],
    [400, '{"statusCode":"5038"}', 'the answer (HTTP 400) does not match the contract'],
    [400, '{"statusCode":5038.5}', 'the answer (HTTP 400) does not match the contract'],
    [400, '{"statusCode":5.038e3}', 'the answer (HTTP 400) does not match the contract'],
    [400, '{"statusCode":-5038}', 'the answer (HTTP 400) does not match the contract'],
    [400, '[{"statusCode":5038}]', 'the answer (HTTP 400) does not match the contract'],
    [400, '{"statusCode":5038,"statusCode":5039}', 'the answer is not JSON'],
    [200, '', 'the answer has HTTP status 200 and says nothing'],
    [200, '<!doctype html>', 'the answer is not JSON'],
    [200, '{"transactionId":7001,"status":"INI', 'the answer is not JSON'],
    [200, '{}', 'the answer has the wrong shape: transactionId: '],
    [200, '[]', 'the answer has the wrong shape: body: '],
    [200, 'null', 'the answer has the wrong shape: body: '],
    [200, '"ok"', 'the answer has the wrong shape: body: '],
    [204, '', 'the answer has HTTP status 204 and says nothing'],
    [200, '{"value":{}}', 'the answer has the wrong shape: transactionId: '],
    [200, '{"value":null}', 'the answer has the wrong shape: transactionId: '],
  ])('HTTP %i with %j is no definite answer', async (http, body, why) => {
    expect(await read(answered(http, body))).toMatchObject({ kind: 'unknown', why: expect.stringContaining(why) })
  })

  test('an answer cut short anywhere is never taken for an answer or a refusal', async () => {
    for (const whole of [writeJson(created), writeJson({ value: created }), '{"message":"no","statusCode":5038}']) {
      for (let length = 0; length < whole.length; length += 1) {
        for (const status of [200, 400, 500]) {
          expect((await read(answered(status, whole.slice(0, length)))).kind).toBe('unknown')
        }
      }
    }
  })

  test('no answer of any kind makes the reader fail', async () => {
    const body = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('['.repeat(100_000)))
    const headers = fc.dictionary(fc.constantFrom('location', 'retry-after', 'content-type'), fc.string())
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 100, max: 599 }), body, headers, async (status, text, given) => {
        // A body of chance is never an acceptance.
        expect((await read(answered(status, text, given))).kind).not.toBe('accepted')
      }),
    )
  })
})

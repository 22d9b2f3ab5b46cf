import type { KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { writeError } from '../../../src/lib/client/answer.ts'
import {
  openRequest,
  payloadText,
  readSealedAnswer,
  receivedMembers,
  writeSealedAnswer,
  writeSealedRequest,
} from '../../../src/lib/client/sealed.ts'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { type Field, fieldsOf } from '../../../src/lib/contract/core/field.ts'
import type { Operation } from '../../../src/lib/contract/operation.ts'
import { operations } from '../../../src/lib/contract/operations.ts'
import { createOrder, orderStatus } from '../../../src/lib/contract/order/order.ts'
import { createWalletOrder, finalizeWalletOrder } from '../../../src/lib/contract/wallet/wallet.ts'
import { seal } from '../../../src/lib/envelope/envelope.ts'
import { writeMembers } from '../../../src/lib/envelope/layout.ts'
import { room } from '../../../src/lib/envelope/rsa.ts'
import { type Scheme, type Seal, schemeFacts, schemes } from '../../../src/lib/envelope/scheme.ts'
import { Failure } from '../../../src/lib/failure.ts'
import type { HttpAnswer, HttpRequest } from '../../../src/lib/http/message.ts'
import { readJson, writeJson } from '../../../src/lib/json.ts'
import { newPair } from '../../kit/envelope.ts'

// Hundreds of inputs, each of which takes its time.
vi.setConfig({ testTimeout: 60_000 })

const service = newPair()
const own = newPair()
const stranger = newPair()
const identifier = '5a9db0c0-0101-4a11-8c11-000000000101'
const sealBy = (scheme: Scheme): Seal => ({ identifier, scheme, toService: service.publicKey, own: [own.privateKey] })
const usual = sealBy('oaep-sha256')

const sealed = operations.filter(({ wire }) => wire === 'sealed' || wire === 'wallet')

/** Decimal text that stays itself: without trailing zeros. */
const decimal = fc.bigInt(1n, 10n ** 12n).map((units) => {
  const digits = units.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/\.?0+$/, '')
})
const words = fc.string({ unit: fc.constantFrom(...'abcXYZ019აბგჿ"\\/+=& \n'), maxLength: 12 })

/** A value as paydesk holds it, of whatever kind the field is. */
function oneValue({ json, members }: Field): fc.Arbitrary<unknown> {
  if (json === 'number') return decimal
  if (json === 'boolean') return fc.constantFrom('true', 'false')
  if (!members) return words
  const inside = valuesOf(fieldsOf(members))
  if (json === 'list') return fc.array(inside, { maxLength: 3 })
  return json === 'map' ? fc.dictionary(fc.constantFrom('PURPOSE', 'PAYER_NAME', 'DESCRIPTION'), inside) : inside
}

function valuesOf(fields: readonly Field[]): fc.Arbitrary<Record<string, unknown>> {
  const every = Object.fromEntries(fields.map((field) => [field.name, oneValue(field)]))
  return fc.record(every, { requiredKeys: [] })
}

function requestOf(operation: Operation): fc.Arbitrary<Record<string, unknown>> {
  const fields = fieldsOf(operation.request)
  // A payload that is passed through holds what it likes.
  return fields.length > 0 ? valuesOf(fields) : fc.dictionary(fc.constantFrom('name', 'phone', 'note'), words)
}

async function received(operation: Operation, http: HttpRequest, scheme: Scheme = 'oaep-sha256') {
  const members = receivedMembers(operation, http)
  if (!members) throw new Error('there are no members')
  return openRequest(operation, members, { key: service.privateKey, scheme })
}

/** Copies, so that prototypes do not count: fast-check makes records without one. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

describe('the service reads the requests that the desk seals', () => {
  const cases = sealed.flatMap((operation) => schemes.map((scheme) => [operation.name, scheme, operation] as const))

  test.each(cases)('%s, %s', async (_name, scheme, operation) => {
    const most = room(schemeFacts[scheme].padding, service.publicKey)
    await fc.assert(
      fc.asyncProperty(requestOf(operation), async (request) => {
        const text = payloadText(operation, request)
        const write = () => writeSealedRequest(operation, request, sealBy(scheme))
        if (!schemeFacts[scheme].aes && Buffer.byteLength(text) > most) {
          expect(write).toThrow(/one RSA block/)
          return
        }
        const read = await received(operation, write(), scheme)
        expect(plain(read)).toEqual(plain({ ok: true, request, payload: readJson(text), text, scheme }))
      }),
      { numRuns: 12 },
    )
  })

  test('amounts are number tokens digit for digit, switches booleans, in the payload', () => {
    const request = { amount: '12.50', saveCard: 'true', splitDetails: [{ amount: '0.10' }], cardToken: undefined }
    expect(payloadText(createOrder, request)).toBe('{"amount":12.50,"saveCard":true,"splitDetails":[{"amount":0.10}]}')
  })

  test('too long for one block is refused before anything leaves', () => {
    const request = { identifier, uniqueId: identifier, uri: `https://example.com/${'x'.repeat(200)}` }
    const write = () => writeSealedRequest(createWalletOrder, request, sealBy('rsa-pkcs1'))
    expect(write).toThrow(Failure)
    expect(write).toThrow(/2048 bit key has room for 245/)
  })
})

describe('the form of a request on HTTP', () => {
  test.each(sealed.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
    for (const scheme of ['oaep-sha256', 'rsa-pkcs1'] as const) {
      const names = schemeFacts[scheme].aes
        ? ['identifier', 'encryptedData', 'encryptedKeys', 'aes']
        : ['identifier', 'encryptedData']
      const http = writeSealedRequest(operation, {}, sealBy(scheme))
      expect([http.method, http.path]).toEqual([operation.method, operation.path])
      if (operation.method === 'GET' || operation.method === 'DELETE') {
        expect(http.body).toBeNull()
        expect(http.headers).toEqual({ accept: 'application/json' })
        expect(http.query.map(([name]) => name)).toEqual(names)
        if (names.length > 2) expect(Object.fromEntries(http.query).aes).toBe('true')
      } else {
        expect(http.query).toEqual([])
        expect(http.headers).toEqual({ accept: 'application/json', 'content-type': 'application/json' })
        const body = JSON.parse(http.body ?? '') as Record<string, unknown>
        expect(Object.keys(body)).toEqual(names)
        expect(body.identifier).toBe(identifier)
        if (names.length > 2) expect(body.aes).toBe(true)
      }
    }
  })

  test('no two requests are sealed alike, and nothing of the payload can be seen', () => {
    const request = { integratorId: identifier, integratorOrderId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11' }
    const [one, two] = [1, 2].map(() => writeSealedRequest(orderStatus, request, usual))
    expect(one).not.toEqual(two)
    expect(JSON.stringify(one)).not.toContain('0b5f0f0e')
  })
})

describe('every envelope that does not open gets the same answer, whatever the reason', () => {
  test('no members of any kind make the reader fail', async () => {
    const value = fc.oneof(fc.string(), fc.base64String(), fc.boolean(), fc.constant(null), fc.integer())
    const members = fc.dictionary(fc.constantFrom('identifier', 'encryptedData', 'encryptedKeys', 'aes', 'x'), value)
    await fc.assert(
      fc.asyncProperty(members, async (given) => {
        const read = await openRequest(createOrder, given, { key: service.privateKey, scheme: 'oaep-sha256' })
        expect(read.ok).toBe(false)
      }),
    )
  })
})

describe('answers', () => {
  const sealedBy = (scheme: Scheme) => (value: unknown) => writeSealedAnswer(value, own.publicKey, scheme)
  const answer = sealedBy('oaep-sha256')
  const read = <Op extends Operation>(operation: Op, http: HttpAnswer, keys: Seal = usual) =>
    readSealedAnswer(operation, {}, http, keys)
  const order = { integratorOrderId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11', status: 'SUCCESS' }

  test.each(schemes)('%s: exactly three members, or one; never an identifier', async (scheme) => {
    const http = sealedBy(scheme)(order)
    const names = schemeFacts[scheme].aes ? ['encryptedData', 'encryptedKeys', 'aes'] : ['encryptedData']
    expect(http).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
    expect(Object.keys(JSON.parse(http.body))).toEqual(names)
    expect(await read(orderStatus, http, sealBy(scheme))).toEqual({ kind: 'accepted', answer: order })
  })

  test('no digit is lost, and what the contract does not know is kept', async () => {
    const members = {
      ...order,
      acquiringAmount: new JsonNumber('12.50'),
      transactionId: new JsonNumber('9007199254740993'),
    }
    expect(await read(orderStatus, answer({ ...members, fee: new JsonNumber('0.10') }))).toEqual({
      kind: 'accepted',
      answer: { ...members, transactionId: '9007199254740993', fee: new JsonNumber('0.10') },
    })
  })

  test('the samples of the wallet are read: Amount, Status, a blank before the word', async () => {
    const sample = { uniqueId: 'w-1', Amount: new JsonNumber('25.00'), Status: ' REGISTERED', receiverName: 'ნინო' }
    const wallet = sealBy('rsa-pkcs1')
    expect(await read(createWalletOrder, sealedBy('rsa-pkcs1')(sample), wallet)).toMatchObject({
      kind: 'accepted',
      answer: { uniqueId: 'w-1', amount: { text: '25.00' }, status: 'REGISTERED', receiverName: 'ნინო' },
    })
    const finalized = { UniqueId: identifier, Status: ' SUCCESS' }
    expect(await read(finalizeWalletOrder, sealedBy('rsa-pkcs1')(finalized), wallet)).toMatchObject({
      kind: 'accepted',
      answer: { uniqueId: identifier, status: 'SUCCESS' },
    })
  })

  test('any padding of the kind that the profile says opens, with any of its keys', async () => {
    for (const scheme of ['pkcs1', 'oaep-sha256-mgf1-sha1'] as const) {
      expect(await read(orderStatus, sealedBy(scheme)(order))).toMatchObject({ kind: 'accepted' })
    }
    const keys = { ...usual, own: [stranger.privateKey, own.privateKey] }
    expect(await read(orderStatus, answer(order), keys)).toMatchObject({ kind: 'accepted' })
  })

  const members = JSON.parse(answer(order).body) as Record<string, string>
  const answered = (body: unknown, status = 200): HttpAnswer => ({ status, headers: {}, body: JSON.stringify(body) })

  test.each<readonly [string, HttpAnswer, string]>([
    ['another key', writeSealedAnswer(order, stranger.publicKey, 'oaep-sha256'), 'does not open with the private key'],
    ['half of the data', answered({ ...members, encryptedData: members.encryptedData?.slice(0, 24) }), 'does not open'],
    ['no keys', answered({ encryptedData: members.encryptedData }), "another scheme than the profile's"],
    ['one block', sealedBy('rsa-pkcs1')(order), "another scheme than the profile's"],
    ['no envelope', answered(order), 'is not an envelope'],
    ['a list', answered([members]), 'is not an envelope'],
    ['an empty object', answered({}), 'is not an envelope'],
    ['aes that denies the keys', answered({ ...members, aes: false }), 'is not an envelope'],
    ['not JSON', { status: 200, headers: {}, body: '<html>' }, 'is not JSON'],
    ['nothing', { status: 200, headers: {}, body: '' }, 'says nothing'],
    ['another shape', answer({ integratorOrderId: 'x' }), 'wrong shape: status'],
    ['a list where an object belongs', answer([order]), 'wrong shape'],
    ['a member twice', { ...answer(order), body: bodyAround('{"status":"A","status":"B"}', own.publicKey) }, ''],
  ])('%s is no definite answer', async (_what, http, why) => {
    expect(await read(orderStatus, http)).toMatchObject({ kind: 'unknown', why: expect.stringContaining(why) })
  })

  test('an answer cut short anywhere is none', async () => {
    const { body } = answer(order)
    for (let length = 0; length < body.length; length += 7) {
      expect((await read(orderStatus, { status: 200, headers: {}, body: body.slice(0, length) })).kind).toBe('unknown')
    }
  })

  const error = { message: 'Order not found', statusCode: new JsonNumber('6005'), exceptionGroup: new JsonNumber('5') }
  const words = { statusCode: 6005, exceptionGroup: 5, message: 'Order not found' }

  // The other answers to a write stand in test/safety/verdict-*.test.ts.
  test('an error is plain, and read by its code, but for 5xx; 401, 429 and a redirect are what they are in every area', async () => {
    for (const http of [200, 400, 403, 404, 409, 500, 502]) {
      const kind = http < 500 ? 'refused' : 'unknown'
      expect(await read(orderStatus, writeError(http, error))).toMatchObject({ kind, words: { http, ...words } })
    }
    for (const http of [401, 429])
      expect(await read(orderStatus, writeError(http, error))).toMatchObject({ kind: 'turned-away' })
    const moved = { ...answer(order), status: 302, headers: { location: 'https://elsewhere.example/' } }
    expect(await read(orderStatus, moved)).toMatchObject({ kind: 'turned-away' })
  })

  test('a code in an envelope is none, whatever the HTTP status and whatever stands beside it', async () => {
    const coded = { message: 'no', statusCode: new JsonNumber('6005') }
    const both = { ...order, ...coded }
    for (const value of [coded, both, { value: both }, { value: order, ...coded }]) {
      for (const status of [200, 400])
        expect(await read(orderStatus, { ...answer(value), status })).toMatchObject({ kind: 'unknown' })
    }
  })

  test('no answer of any kind makes the reader fail, or passes for an acceptance', async () => {
    const field = fc.oneof(fc.base64String(), fc.boolean(), fc.constant(null), fc.json())
    const envelope = fc.dictionary(fc.constantFrom('encryptedData', 'encryptedKeys', 'aes'), field).map(writeJson)
    const body = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), envelope)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 100, max: 599 }), body, async (status, text) => {
        expect((await read(orderStatus, { status, headers: {}, body: text })).kind).not.toBe('accepted')
      }),
    )
  })
})

/** The body of an envelope around exactly this text. */
function bodyAround(text: string, key: KeyObject): string {
  return JSON.stringify(writeMembers(seal(text, { key, scheme: 'oaep-sha256' })))
}

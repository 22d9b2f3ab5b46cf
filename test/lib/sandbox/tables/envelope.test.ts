// The envelope of requests and answers (specification B, C and D; service.md#envelope and service.md#wallet-envelope).

import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card.ts'
import type { Operation } from '../../../../src/lib/contract/operation.ts'
import { cancelOrder, completeOrder, createOrder, orderStatus } from '../../../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../../../src/lib/contract/order/refund.ts'
import { revokeSubscription, subscriptionHistory } from '../../../../src/lib/contract/subscription.ts'
import { registerUser } from '../../../../src/lib/contract/user.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../../../../src/lib/contract/wallet/wallet.ts'
import { writeJson } from '../../../../src/lib/json.ts'
import { cachedPairs } from '../../../kit/key-pairs.ts'
import { type Caller, type Fields, Integrator, qrOpen, qrRequest, walletUser } from '../../../kit/sandbox/integrator.ts'
import { expectRefused, expectSealed, servedTable, told, without } from '../../../kit/sandbox/stand.ts'

const here = await servedTable(cachedPairs)
const integrator = await here.integrator('sandbox')
const pkcs1 = await here.integrator('sandbox-pkcs1')
const legacy = await here.integrator('sandbox-legacy')
const wallet = await here.wallet()

const saving = { saveCard: true, directLinkProvider: 'BOG' }
const plan = { interval: 'WEEKLY', intervalCount: 1, amount: 9.9 }

const about = (by: Integrator, integratorOrderId: unknown): Fields => ({ ...by.ids, integratorOrderId })

async function subscribed(by: Integrator): Promise<Fields> {
  const id = await here.paid(by, { amount: 0, ...saving, subscriptionPlan: plan })
  return { subscriptionId: (await here.entry(id)).subscriptionId }
}

/** A payload that succeeds, for each operation of areas B and D. */
const orderPayloads: readonly (readonly [Operation, (by: Integrator) => Promise<Fields>])[] = [
  [createOrder, async (by) => by.order()],
  [orderStatus, async (by) => about(by, await by.created())],
  [cancelOrder, async (by) => about(by, await by.created())],
  [refundOrder, async (by) => ({ ...about(by, await here.paid(by)), amount: 1 })],
  [completeOrder, async (by) => ({ ...about(by, await here.paid(by, { payWithPreAuth: true })), amount: 1 })],
  [subscriptionHistory, subscribed],
  [revokeSubscription, subscribed],
  [registerUser, async () => ({ name: 'Nino' })],
  [getCard, async (by) => ({ integratorOrderId: await here.paid(by, saving) })],
]

async function registered(): Promise<Fields> {
  return { ...wallet.ids, uniqueId: told(await wallet.create(qrRequest(walletUser, '25.00'))).uniqueId }
}

/** The same of area C. */
const walletPayloads: readonly (readonly [Operation, () => Promise<Fields>])[] = [
  [createWalletOrder, async () => ({ ...wallet.ids, uniqueId: randomUUID(), uri: qrOpen(walletUser) })],
  [finalizeWalletOrder, async () => ({ ...(await registered()), amount: 25, finalStatus: 'SUCCESS' })],
  [cancelWalletOrder, registered],
  [walletOrderDetails, registered],
]

interface Case {
  readonly name: string
  readonly operation: Operation
  readonly caller: Caller
  readonly payload: () => Promise<Fields>
  /** Members of a request and of an answer. */
  readonly asks: readonly string[]
  readonly answers: readonly string[]
}

const four = ['identifier', 'encryptedData', 'encryptedKeys', 'aes']
const two = ['identifier', 'encryptedData']

const ofOrders = (by: Integrator, who: string, asks: readonly string[]): Case[] =>
  orderPayloads.map(([operation, payload]) => ({
    ...{ name: `${operation.name} by ${who}`, operation, caller: by, asks, answers: asks.slice(1) },
    payload: () => payload(by),
  }))

const cases: readonly Case[] = [
  ...ofOrders(integrator, 'AES and OAEP', four),
  ...ofOrders(pkcs1, 'AES and PKCS#1', four),
  ...ofOrders(legacy, 'one block', two),
  ...walletPayloads.map(([operation, payload]) => ({
    ...{ name: operation.name, operation, caller: wallet, asks: two, answers: ['encryptedData'], payload },
  })),
]

const order = ['integratorOrderId', 'status']
const walletOrder = ['status', 'uniqueId']

/** Members of the opened answers; of a list those of its entries. */
const documented: Readonly<Record<string, readonly string[]>> = {
  'order.create': ['integratorOrderId', 'urlForQR'],
  'order.status': order,
  'order.cancel': order,
  'order.refund': order,
  // Not shown: assumed to be like the other changes of an order.
  'order.complete': order,
  'subscription.history': ['failReason', 'refundTime', 'refundedAmount', 'status', 'time'],
  'subscription.revoke': [],
  'user.register': ['userId'],
  'card.get': ['cardBrand', 'cardMask', 'expirationDate', 'provider', 'token'],
  'wallet.create': ['maxAmountAllowed', 'minAmountAllowed', 'receiverName', 'status', 'uniqueId'],
  'wallet.finalize': walletOrder,
  'wallet.cancel': walletOrder,
  'wallet.details': ['amount', 'createdAt', 'status', 'uniqueId'],
}

const sealed = async ({ caller, payload }: Case) => caller.envelope(writeJson(await payload()))

test.each(cases)('$name is answered sealed, with nothing beside it, and holds what is documented', async (one) => {
  const { caller, operation, answers } = one
  const heard = await caller.sendMembers(operation, await sealed(one))
  expectSealed(heard)
  expect(heard.members).toEqual(answers)
  const { aes, ...texts } = JSON.parse(heard.body)
  expect(aes).toBe(answers.includes('aes') ? true : undefined)
  for (const text of Object.values(texts)) expect(text).toMatch(/^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/)
  const opened = JSON.parse(heard.text ?? '')
  expect(Array.isArray(opened)).toBe(operation.name === 'subscription.history')
  for (const one of [opened].flat()) {
    expect(Object.keys(one).toSorted()).toEqual(documented[operation.name])
  }
})

describe('an error is never sealed', () => {
  const broken: Readonly<Record<string, Fields>> = {
    'order.create': { amount: 'x' },
    'user.register': {},
    'wallet.create': { uri: '' },
    'wallet.finalize': { amount: 'x' },
  }
  const ids = ['integratorOrderId', 'subscriptionId', 'uniqueId']
  // Nothing of a user's payload is known, so nothing in it can be wrong.
  const refusable = cases.filter(({ operation }) => operation.name !== 'user.register')

  test.each(refusable)('$name, with a payload that breaks a rule', async ({ caller, operation, payload }) => {
    const wrong = broken[operation.name] ?? Object.fromEntries(ids.map((name) => [name, 'x']))
    const given = await payload()
    const named = Object.fromEntries(Object.entries(wrong).filter(([name]) => name in given || name in broken))
    const heard = await caller.send(operation, { ...given, ...named, ...(broken[operation.name] ?? {}) })
    expect(heard.code).not.toBeNull()
    expectRefused(heard, heard.code ?? 0)
  })

  test.each(cases)('$name, with an envelope that does not open', async ({ caller, operation, asks }) => {
    const members = { ...caller.envelope('{}'), encryptedData: randomBytes(512).toString('base64') }
    expectRefused(await caller.sendMembers(operation, members), 6010, 6)
    expect(asks).toContain('encryptedData')
  })
})

describe('every field of a request is needed', () => {
  test.each(cases)('$name', async (one) => {
    const { caller, operation, asks } = one
    const members = await sealed(one)
    expect(Object.keys(members)).toEqual(asks)
    for (const field of asks) {
      for (const lacking of [without(members, field), { ...members, [field]: '' }]) {
        const heard = await caller.sendMembers(operation, lacking)
        expectRefused(heard, heard.code ?? 0, 1)
        expect(heard.value.message).toContain(field)
      }
    }
    // With all of them it is accepted: nothing was done by those that were refused.
    expectSealed(await caller.sendMembers(operation, members))
  })

  test.each(['', 'null', '[]', '"text"', '{', '{}', 'identifier=1'])('the body %j is refused', async (body) => {
    for (const operation of [createOrder, refundOrder, registerUser, createWalletOrder, finalizeWalletOrder]) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${here.url}${operation.path}`, { method: operation.method, headers, body })
      const error = JSON.parse(await answer.text())
      expect(Object.keys(error).toSorted()).toEqual(['exceptionGroup', 'message', 'statusCode'])
      expect([answer.status, error.exceptionGroup]).toEqual([400, 1])
    }
  })
})

/** Node's own cipher and padding: nothing of the program's. */
function byHand(
  text: string | Buffer,
  { keySize = 32, keyText = (key: Buffer, iv: Buffer) => `${key.toString('base64')}.${iv.toString('base64')}` } = {},
) {
  const [key, iv] = [randomBytes(keySize), randomBytes(16)]
  const cipher = createCipheriv(keySize === 32 ? 'aes-256-cbc' : 'aes-128-cbc', key, iv)
  const data = Buffer.concat([cipher.update(text), cipher.final()])
  const wrapped = publicEncrypt({ key: integrator.party.toService, oaepHash: 'sha256' }, Buffer.from(keyText(key, iv)))
  return {
    identifier: integrator.party.identifier,
    encryptedData: data.toString('base64'),
    encryptedKeys: wrapped.toString('base64'),
    aes: true,
  }
}

test('a request sealed by hand opens, and its answer opens by hand', async () => {
  const order = integrator.order()
  const heard = await integrator.sendMembers(createOrder, byHand(JSON.stringify(order)))
  expectSealed(heard)
  const { encryptedData, encryptedKeys } = JSON.parse(heard.body)
  const block = Buffer.from(encryptedKeys, 'base64')
  const [key = '', iv = ''] = privateDecrypt({ key: integrator.party.own, oaepHash: 'sha256' }, block)
    .toString()
    .split('.')
  const cipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'))
  const text = Buffer.concat([cipher.update(Buffer.from(encryptedData, 'base64')), cipher.final()]).toString('utf8')
  expect(JSON.parse(text).integratorOrderId).toBe(order.integratorOrderId)
})

describe('every envelope that does not open gets the very same answer', async () => {
  const flipped = (text: unknown, at: number) => {
    const bytes = Buffer.from(String(text), 'base64')
    const place = at < 0 ? bytes.length + at : at
    bytes[place] = (bytes[place] ?? 0) ^ 1
    return bytes.toString('base64')
  }
  const good = () => byHand(JSON.stringify(integrator.order()))
  const swapped = new Integrator(here.url, { ...integrator.party, toService: createPublicKey(pkcs1.party.own) })
  const larger = new Integrator(here.url, { ...integrator.party, toService: wallet.party.toService })

  const aes: readonly (readonly [string, () => Fields])[] = [
    ['random data', () => ({ ...good(), encryptedData: randomBytes(64).toString('base64') })],
    ['random keys', () => ({ ...good(), encryptedKeys: randomBytes(256).toString('base64') })],
    ['a bit of the first data block', () => ({ ...good(), encryptedData: flipped(good().encryptedData, 0) })],
    [
      'a bit of the padding',
      () => {
        const members = good()
        return { ...members, encryptedData: flipped(members.encryptedData, -17) }
      },
    ],
    [
      'a bit of the last data block',
      () => {
        const members = good()
        return { ...members, encryptedData: flipped(members.encryptedData, -1) }
      },
    ],
    [
      'a bit of the keys',
      () => {
        const members = good()
        return { ...members, encryptedKeys: flipped(members.encryptedKeys, 100) }
      },
    ],
    ['the keys of another message', () => ({ ...good(), encryptedKeys: good().encryptedKeys })],
    ['data that lacks a block', () => ({ ...good(), encryptedData: good().encryptedData.slice(0, -64) })],
    ['data that lacks a byte', () => ({ ...good(), encryptedData: randomBytes(63).toString('base64') })],
    ['keys that lack a byte', () => ({ ...good(), encryptedKeys: randomBytes(255).toString('base64') })],
    ['keys for a larger key', () => larger.envelope('{}')],
    ['keys for the key of another integrator', () => swapped.envelope('{}')],
    ['data that is no base64', () => ({ ...good(), encryptedData: '!!!' })],
    ['keys that are no base64', () => ({ ...good(), encryptedKeys: '{}' })],
    ['data that is no text', () => ({ ...good(), encryptedData: 12 })],
    ['keys that are no text', () => ({ ...good(), encryptedKeys: { a: 1 } })],
    ['a key of 16 bytes', () => byHand('{}', { keySize: 16 })],
    [
      'a key text without a dot',
      () => byHand('{}', { keyText: (key, iv) => Buffer.concat([key, iv]).toString('base64') }),
    ],
    [
      'a key text in the other order',
      () => byHand('{}', { keyText: (key, iv) => `${iv.toString('base64')}.${key.toString('base64')}` }),
    ],
    [
      'a key text with three parts',
      () => byHand('{}', { keyText: (key, iv) => [key, iv, iv].map((each) => each.toString('base64')).join('.') }),
    ],
    ['an empty text', () => byHand('')],
    ['a text that is no JSON', () => byHand('hello')],
    ['a text that is cut', () => byHand('{"amount":12.5')],
    ['a member that stands twice', () => byHand('{"amount":1,"amount":2}')],
    ['a list', () => byHand('[]')],
    ['null', () => byHand('null')],
    ['a number', () => byHand('12.5')],
    ['bytes that are no UTF-8', () => byHand(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
    ['aes that is no switch', () => ({ ...good(), aes: 'maybe' })],
  ]

  const said = async (operation: Operation, members: Fields) => {
    const inBody = operation.carriedIn === 'body'
    const query = Object.entries(members).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    const answer = await fetch(`${here.url}${operation.path}${inBody ? '' : `?${query.join('&')}`}`, {
      method: operation.method,
      ...(inBody ? { headers: { 'content-type': 'application/json' }, body: writeJson(members) } : {}),
    })
    const headers = [...answer.headers].filter(([name]) => name !== 'date')
    return { status: answer.status, headers, body: await answer.text() }
  }

  const first = await said(createOrder, aes[0]?.[1]() ?? {})

  test('and it is a plain 6010', () => {
    expect(first.status).toBe(500)
    expect(JSON.parse(first.body)).toEqual({
      message: expect.stringMatching(/\w/),
      statusCode: 6010,
      exceptionGroup: 6,
    })
  })

  test.each(aes)('%s', async (_what, members) => {
    for (const operation of [createOrder, refundOrder, orderStatus, getCard]) {
      expect(await said(operation, members())).toEqual(first)
    }
  })

  test('JSON nested too deep', async () => {
    expect(await said(createOrder, byHand('{"a":'.repeat(50_000)))).toEqual(first)
  })

  const block = (bytes: number) => ({ identifier: '', encryptedData: randomBytes(bytes).toString('base64') })
  const one: readonly (readonly [string, (caller: Caller) => Fields])[] = [
    ['a random block', () => block(512)],
    ['a block that is too short', () => block(511)],
    ['a block that is too long', () => block(513)],
    ['two blocks', () => block(1024)],
    ['a block for a smaller key', () => block(256)],
    ['no base64', () => ({ encryptedData: '!!!' })],
    ['not JSON', (caller) => caller.envelope('hello')],
    ['a list', (caller) => caller.envelope('[]')],
    ['an empty text', (caller) => caller.envelope('')],
    ['a bit of the block', (caller) => ({ encryptedData: flipped(caller.envelope('{}').encryptedData, 300) })],
  ]

  test.each(one)('in one block: %s', async (_what, members) => {
    for (const [caller, operations] of [
      [wallet, [createWalletOrder, finalizeWalletOrder, cancelWalletOrder, walletOrderDetails]],
      [legacy, [createOrder, orderStatus, getCard]],
    ] as const) {
      const { identifier } = caller.party
      for (const operation of operations) {
        expect(await said(operation, { ...members(caller), identifier })).toEqual(first)
      }
    }
  })

  test('an envelope of the other kind does not open either', async () => {
    const { identifier } = wallet.party
    expect(await said(createWalletOrder, { ...integrator.envelope('{}'), identifier })).toEqual(first)
    expect(await said(createOrder, { ...integrator.envelope('{}'), identifier: legacy.party.identifier })).toEqual(
      first,
    )
  })
})

describe('the forms of aes', async () => {
  const id = await integrator.created()
  const asking = () => integrator.envelope(writeJson(about(integrator, id)))
  const creating = () => integrator.envelope(writeJson(integrator.order()))

  test.each([true, 'true', 'True', 'TRUE', '1', 1])('%j is true, in the body and in the query', async (aes) => {
    expectSealed(await integrator.sendMembers(createOrder, { ...creating(), aes }))
    expectSealed(await integrator.sendMembers(orderStatus, { ...asking(), aes }))
  })

  test.each([false, 'false', 'False', '0', 0])('%j denies encryptedKeys: 6011', async (aes) => {
    expectRefused(await integrator.sendMembers(createOrder, { ...creating(), aes }), 6011, 6)
    expectRefused(await integrator.sendMembers(orderStatus, { ...asking(), aes }), 6011, 6)
    expectRefused(await integrator.sendMembers(getCard, { ...asking(), aes }), 6011, 6)
  })

  test.each([null, 'yes', 2, 'maybe'])('%j is none', async (aes) => {
    const heard = await integrator.sendMembers(createOrder, { ...creating(), aes })
    expectRefused(heard, heard.code ?? 0)
  })

  test('one block may say aes false, and needs not', async () => {
    const members = () => legacy.envelope(writeJson(legacy.order()))
    expectSealed(await legacy.sendMembers(createOrder, { ...members(), aes: false }))
    expectSealed(await legacy.sendMembers(createOrder, members()))
  })
})

describe('the forms of base64', () => {
  const wrapped = (end: string, width: number) => (text: string) =>
    (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end)

  const forms: readonly (readonly [string, (text: string) => string])[] = [
    ['exact', (text) => text],
    ['wrapped at 64 columns', wrapped('\n', 64)],
    ['wrapped at 76 columns, with a line end at the end', (text) => `${wrapped('\r\n', 76)(text)}\r\n`],
    ['with blanks for pluses', (text) => text.replaceAll('+', ' ')],
    ['URL-safe', (text) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')],
  ]

  test.each(forms)('%s', async (_what, form) => {
    for (const [caller, operation, payload] of [
      [integrator, createOrder, integrator.order()],
      [integrator, orderStatus, about(integrator, await integrator.created())],
      [wallet, createWalletOrder, { ...wallet.ids, uniqueId: randomUUID(), uri: qrOpen(walletUser) }],
      [wallet, walletOrderDetails, await registered()],
    ] as const) {
      const members = caller.envelope(writeJson(payload))
      const changed = Object.entries(members).map(([name, value]) => [
        name,
        name.startsWith('encrypted') ? form(String(value)) : value,
      ])
      expectSealed(await caller.sendMembers(operation, Object.fromEntries(changed)))
    }
  })

  test('a query may carry it without percent signs', async () => {
    for (let tries = 0; tries < 5; tries += 1) {
      const members = integrator.envelope(writeJson(about(integrator, await integrator.created())))
      const query = Object.entries(members).map(([name, value]) => `${name}=${value}`)
      const answer = await fetch(`${here.url}${orderStatus.path}?${query.join('&')}`)
      expect(answer.status).toBe(200)
    }
  })

  test('the query may be in any order, with unknown parameters', async () => {
    const members = integrator.envelope(writeJson(about(integrator, await integrator.created())))
    const turned = Object.fromEntries(Object.entries(members).reverse())
    expectSealed(await integrator.sendMembers(orderStatus, { ...turned, _: '1' }))
    expectSealed(await integrator.sendMembers(orderStatus, { lang: 'en', ...turned, empty: '' }))
  })
})

test('a byte order mark before the payload', async () => {
  expectSealed(await integrator.send(createOrder, `\uFEFF${writeJson(integrator.order())}`))
})

describe('the sender', () => {
  const named = orderPayloads.map(([operation, payload]) => ({ name: operation.name, operation, payload }))

  test.each(named.filter(({ name }) => /order\.(create|status|cancel|refund|complete)/.test(name)))(
    'identifiers that differ are refused: $name',
    async ({ operation, payload }) => {
      const { identifier } = pkcs1.party
      const heard = await integrator.send(operation, { ...(await payload(integrator)), integratorId: identifier })
      expectRefused(heard, 6004, 5)
    },
  )

  test.each(named)('an unknown identifier is refused: $name', async ({ operation }) => {
    for (const identifier of ['5a9db0c0-0999-4a11-8c11-000000000999', 'x', wallet.party.identifier]) {
      const members = { ...integrator.envelope('{}'), identifier }
      expectRefused(await integrator.sendMembers(operation, members), 6004, 5)
    }
  })

  test('one in capitals is the same', async () => {
    const identifier = integrator.party.identifier.toUpperCase()
    const members = integrator.envelope(writeJson(integrator.order({ integratorId: identifier })))
    expectSealed(await integrator.sendMembers(createOrder, { ...members, identifier }))
  })
})

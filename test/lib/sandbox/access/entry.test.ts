import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card.ts'
import { cancelOrder, createOrder, orderStatus } from '../../../../src/lib/contract/order/order.ts'
import { createWalletOrder, walletOrderDetails } from '../../../../src/lib/contract/wallet/wallet.ts'
import { writeJson } from '../../../../src/lib/json.ts'
import { type Caller, Integrator, qrOpen, type WalletIntegrator, walletUser } from '../../../kit/sandbox/integrator.ts'
import { desk } from '../../../kit/sandbox/stand.ts'

/** The one body of everything that does not open. */
const unopened = '{"message":"Decryption failed","statusCode":6010,"exceptionGroup":6}'

async function here() {
  const at = await desk()
  const us = await at.integrator()
  return { ...at, us, sealed: us.envelope(writeJson(us.order())) }
}

const without = (members: Readonly<Record<string, unknown>>, name: string) =>
  Object.fromEntries(Object.entries(members).filter(([each]) => each !== name))

describe('a field of the envelope that is missing is named', () => {
  const fields = ['identifier', 'encryptedData', 'encryptedKeys', 'aes']

  test.each(fields)('%s of a body: 6049, left out, null or empty', async (name) => {
    const { us, sealed } = await here()
    for (const members of [without(sealed, name), { ...sealed, [name]: null }, { ...sealed, [name]: '' }]) {
      const heard = await us.sendMembers(createOrder, members)
      expect(heard).toMatchObject({ http: 400, code: 6049, group: 1, value: { message: `${name} is missing` } })
      expect(heard.members).toEqual(['message', 'statusCode', 'exceptionGroup'])
    }
  })

  test.each(fields)('%s of a query: 6053', async (name) => {
    const { us } = await here()
    const sealed = us.envelope(writeJson({ ...us.ids, integratorOrderId: randomUUID() }))
    for (const operation of [orderStatus, cancelOrder, getCard]) {
      expect(await us.sendMembers(operation, without(sealed, name))).toMatchObject({ code: 6053, group: 1 })
    }
  })

  test('of an envelope of one block it is two fields, and the other two are not missed', async () => {
    const { integrator, wallet } = await here()
    const old = await integrator('sandbox-legacy')
    const sealed = old.envelope(writeJson(old.order()))
    expect(Object.keys(sealed)).toEqual(['identifier', 'encryptedData'])
    expect(await old.sendMembers(createOrder, without(sealed, 'encryptedData'))).toMatchObject({ code: 6049 })
    const their = await wallet()
    const order = their.envelope(writeJson({ ...their.ids, uniqueId: 'one', uri: qrOpen(walletUser) }))
    for (const name of ['identifier', 'encryptedData']) {
      expect(await their.sendMembers(createWalletOrder, without(order, name))).toMatchObject({ code: 6109, group: 1 })
    }
  })

  test('a body that is no JSON object has none of them', async () => {
    const { us, url } = await here()
    for (const body of ['', '{', '[]', 'null', '"x"', '\u0000']) {
      const answer = await fetch(`${url}${createOrder.path}`, { method: 'POST', body })
      expect([answer.status, await answer.json()]).toMatchObject([400, { statusCode: 6049 }])
    }
    expect(await us.create()).toMatchObject({ http: 200 })
  })
})

describe('the sender', () => {
  test('an unknown identifier is 6004, of the wallet 6044; in capitals it is the same one', async () => {
    const { us, sealed, wallet } = await here()
    for (const identifier of [randomUUID(), 'me', 7]) {
      expect(await us.sendMembers(createOrder, { ...sealed, identifier })).toMatchObject({ code: 6004, group: 5 })
    }
    const their = await wallet()
    const order = their.envelope(writeJson({ ...their.ids, uniqueId: 'one' }))
    expect(await their.sendMembers(walletOrderDetails, { ...order, identifier: us.party.identifier })).toMatchObject({
      ...{ code: 6044, group: 5 },
    })
    const identifier = us.party.identifier.toUpperCase()
    expect(await us.sendMembers(createOrder, { ...sealed, identifier })).toMatchObject({ http: 200 })
  })

  test('a payload of another sender is 6004, of the wallet 6044', async () => {
    const { us, integrator, wallet } = await here()
    const { integratorId } = (await integrator('sandbox-bare')).ids
    expect(await us.create({ integratorId })).toMatchObject({ code: 6004 })
    const their = await wallet()
    const payload = { identifier: integratorId, uniqueId: 'one', uri: qrOpen(walletUser) }
    expect(await their.send(createWalletOrder, payload)).toMatchObject({ code: 6044 })
  })

  test('a payload without an identity breaks the rules of the payload', async () => {
    const { us } = await here()
    const heard = await us.create({ integratorId: undefined })
    expect(heard).toMatchObject({ code: 6049, value: { message: expect.stringContaining('integratorId is required') } })
  })
})

describe('every envelope that does not open gets the same answer, to the byte', () => {
  /** Envelopes that fail, each at another step. */
  const broken: [string, (us: Caller) => Readonly<Record<string, unknown>>][] = [
    ['sealed to another key', (us) => new Integrator(us.url, { ...us.party, toService: us.party.own }).envelope('{}')],
    ['no base64', (us) => ({ ...us.envelope('{}'), encryptedData: '*' })],
    ['a number for a text', (us) => ({ ...us.envelope('{}'), encryptedData: 7 })],
    ['keys that are no base64', (us) => ({ ...us.envelope('{}'), encryptedKeys: '*' })],
    ['keys of another length', (us) => ({ ...us.envelope('{}'), encryptedKeys: 'AAAA' })],
    ['data cut off', (us) => ({ ...us.envelope('{}'), encryptedData: 'AAAA' })],
    ['data of another message', (us) => ({ ...us.envelope('{}'), encryptedData: us.envelope('{}').encryptedData })],
    ['no JSON inside', (us) => us.envelope('hello')],
    ['JSON that is no object', (us) => us.envelope('[1]')],
    ['JSON nested too deep', (us) => us.envelope('{"a":'.repeat(50_000))],
    ['a key that stands twice', (us) => us.envelope('{"amount":1,"amount":2}')],
    ['aes that is nothing of the kind', (us) => ({ ...us.envelope('{}'), aes: 'perhaps' })],
  ]

  test.each(broken)('%s', async (_what, make) => {
    const { us } = await here()
    const heard = await us.sendMembers(createOrder, make(us))
    expect([heard.http, heard.body]).toEqual([500, unopened])
  })

  test('one block from an integrator of AES, and AES from one of one block', async () => {
    const { us, integrator, wallet } = await here()
    const block = { ...us.envelope('{}', 'rsa-pkcs1'), encryptedKeys: 'AAAA', aes: true }
    expect((await us.sendMembers(createOrder, block)).body).toBe(unopened)
    const old = await integrator('sandbox-legacy')
    const order = writeJson(old.order())
    expect((await old.sendMembers(createOrder, old.envelope(order, 'oaep-sha256'))).body).toBe(unopened)
    const their = await wallet()
    const aes = their.envelope(writeJson({ ...their.ids, uniqueId: 'one' }), 'pkcs1')
    expect((await their.sendMembers(walletOrderDetails, aes)).body).toBe(unopened)
  })
})

describe('requests of other languages', () => {
  test.each([true, 'true', 'True', 'TRUE', 1, '1'])('aes as %o', async (aes) => {
    const { us, sealed } = await here()
    expect(await us.sendMembers(createOrder, { ...sealed, aes })).toMatchObject({ http: 200 })
    const members = { ...us.envelope(writeJson({ ...us.ids, integratorOrderId: randomUUID() })), aes }
    expect(await us.sendMembers(orderStatus, members)).toMatchObject({ code: 6005 })
  })

  test.each([false, 'false', 'False', 0, '0'])('aes as %o denies the keys beside it: 6011', async (aes) => {
    const { us, sealed } = await here()
    expect(await us.sendMembers(createOrder, { ...sealed, aes })).toMatchObject({ http: 500, code: 6011, group: 6 })
  })

  test('base64 in lines, with blanks for plus, in the URL-safe alphabet; fields in any order, more beside them', async () => {
    const { us } = await here()
    const changes: ((text: string) => string)[] = [
      (text) => text.replace(/(.{64})/g, '$1\n'),
      (text) => text.replaceAll('+', ' '),
      (text) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    ]
    for (const change of changes) {
      const { identifier, encryptedData, encryptedKeys } = us.envelope(writeJson(us.order()))
      const members = {
        ...{ colour: 'red', aes: true, encryptedKeys: change(String(encryptedKeys)) },
        ...{ encryptedData: change(String(encryptedData)), identifier },
      }
      expect(await us.sendMembers(createOrder, members)).toMatchObject({ http: 200 })
    }
  })

  test.each(['oaep-sha256', 'oaep-sha256-mgf1-sha1'] as const)(
    '%s is opened where OAEP was agreed, and answered as agreed',
    async (scheme) => {
      const { us } = await here()
      const heard = await us.sendMembers(createOrder, us.envelope(writeJson(us.order()), scheme))
      expect(heard).toMatchObject({ http: 200, members: ['encryptedData', 'encryptedKeys', 'aes'] })
    },
  )

  test('a query with unknown parameters', async () => {
    const { us } = await here()
    const sealed = us.envelope(writeJson({ ...us.ids, integratorOrderId: await us.created() }))
    expect(await us.sendMembers(orderStatus, { debug: '1', ...sealed, _: '7' })).toMatchObject({ http: 200 })
  })

  test('a byte order mark before the payload', async () => {
    const { us } = await here()
    expect(await us.send(createOrder, `\uFEFF${writeJson(us.order())}`)).toMatchObject({ http: 200 })
  })
})

describe('answers', () => {
  test.each(['sandbox', 'sandbox-pkcs1', 'sandbox-legacy'])('%s is answered in its own scheme', async (name) => {
    const { integrator } = await here()
    const us = await integrator(name)
    const heard = await us.create()
    const aes = us.party.scheme !== 'rsa-pkcs1'
    expect(heard.http).toBe(200)
    expect(heard.members).toEqual(aes ? ['encryptedData', 'encryptedKeys', 'aes'] : ['encryptedData'])
    expect(await us.status(heard.value.integratorOrderId)).toBe('INITIAL')
  })

  test('the wallet is answered with encryptedData alone', async () => {
    const { wallet } = await here()
    const their: WalletIntegrator = await wallet()
    expect(await their.create(qrOpen(walletUser))).toMatchObject({ http: 200, members: ['encryptedData'] })
  })
})

describe('the order of the checks', () => {
  test('identity, then the permission for the operation, then the payload, then the state', async () => {
    const { integrator } = await here()
    const bare = await integrator('sandbox-bare')
    const refund = (fields: object) => bare.refund(randomUUID(), 0, { ...fields })
    expect(await refund({ integratorId: randomUUID() })).toMatchObject({ code: 6004 })
    expect(await refund({})).toMatchObject({ code: 6038 })
    expect(await bare.complete(randomUUID(), 0)).toMatchObject({ code: 6068 })
    expect(await bare.complete(randomUUID(), 1)).toMatchObject({ code: 6005 })
  })

  test('a field that is wrong, then one that is not permitted, then fields that do not go together', async () => {
    const { integrator } = await here()
    const bare = await integrator('sandbox-bare')
    const forbidden = { saveCard: true }
    expect(await bare.create({ ...forbidden, language: 'FR' })).toMatchObject({ code: 6049 })
    expect(await bare.create(forbidden)).toMatchObject({ code: 6031, group: 3 })
    expect(await bare.create({ installmentPaymentProvider: 'CREDO' })).toMatchObject({ code: 6033 })
  })

  test('the permission that needs others is the one that is told', async () => {
    const { integrator } = await here()
    const bare = await integrator('sandbox-bare')
    const save = { saveCard: true, directLinkProvider: 'TBC' }
    expect(await bare.create(save)).toMatchObject({ code: 6031 })
    const subscriptionPlan = { interval: 'MONTHLY', intervalCount: 1, amount: 5 }
    expect(await bare.create({ ...save, amount: 0, subscriptionPlan })).toMatchObject({ code: 6111 })
  })

  test('one refusal names every violation', async () => {
    const { us } = await here()
    const { value } = await us.create({ amount: 0, language: 'FR', receiverType: 'USER' })
    for (const field of ['amount', 'language', 'receiverType']) expect(value.message).toContain(field)
  })
})

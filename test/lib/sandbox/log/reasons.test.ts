import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createOrder, orderStatus } from '../../../../src/lib/contract/order/order.ts'
import { createWalletOrder } from '../../../../src/lib/contract/wallet/wallet.ts'
import { seal } from '../../../../src/lib/envelope/envelope.ts'
import { writeMembers } from '../../../../src/lib/envelope/layout.ts'
import { readJson, writeJson } from '../../../../src/lib/json.ts'
import { cachedPairs } from '../../../kit/key-pairs.ts'
import { type Fields, qrOpen, walletUser } from '../../../kit/sandbox/integrator.ts'
import { desk, servedTable } from '../../../kit/sandbox/stand.ts'

// Keys that differ: nobody in this world has those of somebody else.
const here = await servedTable(cachedPairs)
const { sandbox, url } = here
const us = await here.integrator('sandbox')
const pkcs1 = await here.integrator('sandbox-pkcs1')
const wallet = await here.wallet()

async function lastOf(log: typeof sandbox) {
  await log.requests.flush()
  const [{ id } = { id: 0 }] = await log.requests.list({ limit: 1 })
  const found = await log.requests.find(id)
  if (!found) throw new Error('nothing was sent')
  return found
}

const last = () => lastOf(sandbox)

async function post(path: string, body: string | null, type = 'application/json', method = 'POST') {
  const answer = await fetch(`${url}${path}`, { method, headers: { 'content-type': type }, body })
  return { http: answer.status, said: readJson(await answer.text()) as Fields }
}

describe('6004 and 6044', () => {
  test.each([
    ['5a9db0c0-0999-4a11-8c11-000000000999', 'is unknown'],
    ['5a9db0c0-0201-4a11-8c11-000000000201', 'is that of sandbox for the wallet, not for orders'],
  ])('an identifier that no integrator of orders has: %s', async (identifier, why) => {
    const heard = await us.sendMembers(createOrder, { ...us.envelope(writeJson(us.order())), identifier })
    expect([heard.code, heard.value.message]).toEqual([6004, 'Active integrator not found'])
    expect((await last()).verdict).toBe(`Active integrator not found: the envelope's identifier "${identifier}" ${why}`)
  })

  test('an identifier that is another one inside', async () => {
    const heard = await us.create({ integratorId: pkcs1.party.identifier })
    expect([heard.code, heard.value.message]).toEqual([6004, 'Active integrator not found'])
    const { verdict } = await last()
    expect(verdict).toContain(`integratorId "${pkcs1.party.identifier}" is not the envelope's identifier`)
    expect(verdict).toContain(us.party.identifier)
  })

  test('of the wallet', async () => {
    const payload = { identifier: us.party.identifier, uniqueId: randomUUID(), uri: qrOpen(walletUser) }
    expect((await wallet.send(createWalletOrder, payload)).code).toBe(6044)
    expect((await last()).verdict).toContain(`the payload's identifier "${us.party.identifier}" is not`)
    const members = { ...wallet.envelope(writeJson(payload)), identifier: us.party.identifier }
    expect((await wallet.sendMembers(createWalletOrder, members)).code).toBe(6044)
    expect((await last()).verdict).toContain('is that of sandbox for orders, not for the wallet')
  })
})

describe('a body that is no envelope, or no JSON', () => {
  const bodies: readonly [string, string | null, string][] = [
    ['a payload in the clear', writeJson(us.order()), 'the body is the payload itself, not sealed: it has amount'],
    ['a form', 'identifier=x&encryptedData=y', 'the body is form-encoded, not JSON'],
    ['nothing', null, 'there is no body'],
    ['another text', 'hello', 'the body is no JSON'],
    ['a list', '[]', 'the body is JSON, but no object'],
    ['too much', `[${'0,'.repeat(10_000)}0]`, 'the body has more than 10,000 members'],
  ]

  test.each(bodies)('an order: %s', async (_what, body, cause) => {
    const { http, said } = await post('/api/integrator/order', body)
    expect([http, String(said.statusCode), said.message]).toEqual([400, '6049', 'identifier is missing'])
    expect((await last()).verdict).toBe(`identifier is missing: ${cause}`)
  })

  test('an order in the clear beside its identifier', async () => {
    await post('/api/integrator/order', writeJson({ ...us.order(), identifier: us.party.identifier }))
    expect((await last()).verdict).toBe(
      'encryptedData is missing: the body is the payload itself, not sealed: it has amount',
    )
  })

  test('a status in the clear in its query', async () => {
    const members = { identifier: us.party.identifier, integratorOrderId: randomUUID() }
    expect((await us.sendMembers(orderStatus, members)).code).toBe(6053)
    expect((await last()).verdict).toContain('the query is the payload itself, not sealed: it has integratorOrderId')
  })

  test('an envelope that lacks a member is one all the same', async () => {
    const { encryptedData, identifier } = us.envelope(writeJson(us.order()))
    await us.sendMembers(createOrder, { encryptedData, identifier })
    expect((await last()).verdict).toBe('encryptedKeys is missing')
  })

  test('a sign-in as OAuth 2.0 has it, form-encoded', async () => {
    const { http, said } = await post('/api/auth', 'client_id=a&client_secret=b', 'application/x-www-form-urlencoded')
    expect([http, String(said.statusCode)]).toEqual([400, '5043'])
    expect((await last()).verdict).toBe('The body is not a readable JSON object: the body is form-encoded, not JSON')
  })
})

describe('the type of a body', () => {
  const signIn = '{"client_id":"a","client_secret":"b","grant_type":"client_credentials"}'

  test.each(['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded'])(
    '%s is remarked, and read all the same',
    async (type) => {
      expect(String((await post('/api/auth', signIn, type)).said.statusCode)).toBe('5003')
      expect((await last()).remarks).toEqual([`content-type "${type}": a body is application/json`])
    },
  )

  test.each(['application/json', 'application/json; charset=utf-8', 'application/problem+json', 'APPLICATION/JSON'])(
    '%s is not',
    async (type) => {
      await post('/api/auth', signIn, type)
      expect((await last()).remarks).toEqual([])
    },
  )

  test('of an envelope, too', async () => {
    const heard = await us.sendMembers(createOrder, us.envelope(writeJson(us.order())), {
      'content-type': 'text/plain',
    })
    expect([heard.code, (await last()).remarks]).toEqual([
      null,
      ['content-type "text/plain": a body is application/json'],
    ])
  })
})

describe('a request that is sealed to a key the sandbox knows', () => {
  const sealedTo = async (key: KeyObject) => {
    const { identifier, scheme } = us.party
    const members = writeMembers(seal(writeJson(us.order()), { key, scheme, identifier }))
    const heard = await us.sendMembers(createOrder, members)
    expect([heard.code, heard.value.message]).toEqual([6010, 'Decryption failed'])
    return await last()
  }

  test("the sender's own public key", async () => {
    const { verdict, envelope } = await sealedTo(createPublicKey(us.party.own))
    expect(verdict).toBe(
      'Decryption failed: it is sealed to your own public key, and the servicePublicKey of `sandbox world` is meant',
    )
    expect(envelope).toMatchObject({ opened: null, step: 'unwrap', sealedTo: 'your own public key' })
  })

  test('the public key of another', async () => {
    await sandbox.wholeWorld()
    expect((await sealedTo(createPublicKey(pkcs1.party.own))).envelope?.sealedTo).toBe(
      'the public key of sandbox-pkcs1',
    )
  })

  test('the public key that the service has for others', async () => {
    const { verdict, envelope } = await sealedTo(wallet.party.toService)
    expect(envelope).toMatchObject({ step: 'block-length', sealedTo: "the service's public key of 4096 bits" })
    expect(verdict).toContain("it is sealed to the service's public key of 4096 bits")
  })

  test('a key that nobody has stays unknown', async () => {
    const { verdict, envelope } = await sealedTo(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)
    expect(envelope?.sealedTo).toBeNull()
    expect(verdict).toBe(
      'Decryption failed: the envelope does not open, at the step unwrap: it was sealed to another public key; compare the fingerprints (`paydesk key show`)',
    )
  })
})

describe('paths that do not exist', () => {
  const paths: readonly [string, string, string][] = [
    ['', '/api/integrator/order/', '/api/integrator/order is meant'],
    ['', '/api//integrator/order', '/api/integrator/order is meant'],
    ['', '/integrator/order', '/api/integrator/order is meant'],
    ['', '/api/v1/integrator/order', '/api/integrator/order is meant'],
    ['', '/api/integrator/subscription/history', '/api/v1/integrator/subscription/history is meant'],
    ['', '/api/Integrator/order', '/api/integrator/order is meant'],
    [
      '',
      '/ecommerce-service/api/integrator/order',
      '/api/integrator/order stands without a prefix here: `sandbox start --base-path /ecommerce-service` puts it below /ecommerce-service',
    ],
    ['/shop', '/shop/shop/api/integrator/order', '/shop/api/integrator/order is meant'],
    ['/shop', '/ecommerce/api/integrator/order', '/shop/api/integrator/order is meant'],
    ['/shop', '/shop/api/integrator/order/', '/shop/api/integrator/order is meant'],
  ]

  test.each(paths)('prefix "%s", %s', async (basePath, path, cause) => {
    const { sandbox: prefixed, url: at } = await desk({ basePath })
    const answer = await fetch(`${at}${path}`, { method: 'POST' })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ message: 'There is no such path' })
    expect((await lastOf(prefixed)).verdict).toBe(`There is no such path: ${cause}`)
  })

  test('one that is like no other is only not there', async () => {
    await post('/api/elsewhere', '{}')
    expect((await last()).verdict).toBe('There is no such path')
  })
})

describe('answers that no operation gives have a statusCode', () => {
  const long = 'x'.repeat(9 * 1024 * 1024)

  test.each([
    ['no such path', '/api/nowhere', 'POST', '{}', { statusCode: 404, exceptionGroup: 5 }],
    ['no such path of payouts', '/api/distributor/nowhere', 'POST', '{}', { statusCode: 404 }],
    ['another method', '/api/integrator/order', 'PUT', '{}', { statusCode: 405, exceptionGroup: 1 }],
    ['another method of payouts', '/api/distributor', 'DELETE', null, { statusCode: 405 }],
    ['too large', '/api/integrator/order', 'POST', long, { statusCode: 413, exceptionGroup: 1 }],
    ['too large a payout', '/api/distributor', 'POST', long, { statusCode: 413 }],
  ])('%s', async (_what, path, method, body, members) => {
    const { http, said } = await post(path, body, 'application/json', method)
    expect(http).toBe(members.statusCode)
    expect(JSON.parse(writeJson(said))).toEqual({ message: expect.any(String), ...members })
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card.ts'
import { createOrder } from '../../../../src/lib/contract/order/order.ts'
import { writeJson } from '../../../../src/lib/json.ts'
import type { WholeRequest } from '../../../../src/lib/sandbox/log/entry.ts'
import { createSandbox, type Sandbox } from '../../../../src/lib/sandbox/sandbox.ts'
import { addRequests, listRequests } from '../../../../src/lib/store/sandbox/requests.ts'
import { type SandboxTables, sandboxSchema } from '../../../../src/lib/store/sandbox/schema.ts'
import { cachedPairs } from '../../../kit/key-pairs.ts'
import { callers, toIban } from '../../../kit/sandbox/callers.ts'
import { qrRequest, walletUser } from '../../../kit/sandbox/integrator.ts'
import { desk, handClock, served } from '../../../kit/sandbox/stand.ts'
import { memoryStore } from '../../../kit/store.ts'
import { until } from '../../../kit/tools.ts'

/** The newest request, whole. */
async function last(sandbox: Sandbox): Promise<WholeRequest> {
  await sandbox.requests.flush()
  const [newest] = await sandbox.requests.list({ limit: 1 })
  const found = newest && (await sandbox.requests.find(newest.id))
  if (!found) throw new Error('nothing was logged')
  return found
}

async function distributor(sandbox: Sandbox, url: string) {
  const { byIban } = await callers(sandbox)
  const headers = { authorization: `Bearer ${byIban.token}` }
  const send = (path: string, request: RequestInit = {}) => fetch(`${url}${path}`, { headers, ...request })
  const pay = (fields: Readonly<Record<string, unknown>> = {}) =>
    send('/api/distributor', { method: 'POST', body: JSON.stringify(toIban(fields)) })
  return { byIban, send, pay }
}

test('a sealed request stands there in the clear, with its outline, the verdict and the rule that decided it', async () => {
  const { sandbox, url, integrator } = await desk()
  const us = await integrator()
  const order = us.order({ validUntil: '2020-01-01 00:00:00' })
  await us.send(createOrder, order)
  expect(await last(sandbox)).toMatchObject({
    ...{ method: 'POST', path: '/api/integrator/order', operation: 'order.create', who: 'sandbox', fault: null },
    ...{ time: '2026-11-20T10:00:00.000Z', http: 400, code: 6035, identifier: us.party.identifier },
    verdict: 'validUntil must be in the future',
    rule: 'B1 validUntil: must be in the future',
    payload: { integratorOrderId: order.integratorOrderId, validUntil: '2020-01-01 00:00:00' },
    envelope: { layout: 'four-fields', opened: 'oaep-sha256', step: null, rsaBits: 2048, remarks: [] },
    answer: { message: 'validUntil must be in the future' },
  })
  expect(url).toContain('127.0.0.1')
})

test('of a success the answer is there as it was before it was sealed', async () => {
  const { sandbox, integrator } = await desk()
  const us = await integrator()
  const integratorOrderId = await us.created({ amount: 12.5 })
  const entry = await last(sandbox)
  expect(entry).toMatchObject({ http: 200, code: null, verdict: 'accepted', rule: null })
  expect(entry.answer).toMatchObject({ integratorOrderId, urlForQR: expect.stringContaining('/checkout/') })
})

test('the rule is a permission, a row of the wallet table, or a code of the state of things', async () => {
  const { sandbox, integrator, wallet } = await desk()
  const bare = await integrator('sandbox-bare')
  await bare.create({ saveCard: true, directLinkProvider: 'TBC' })
  expect((await last(sandbox)).rule).toBe('service.md#permissions: saveCard needs the permission to save cards')
  await bare.refund(randomUUID(), 1)
  expect((await last(sandbox)).rule).toBe('service.md#permissions: order.refund needs the permission to refund orders')
  await (await integrator()).cancel(randomUUID())
  expect((await last(sandbox)).rule).toBe('B3, service.md#order-codes: 6005 integrator order not found')
  const their = await wallet()
  const { value } = await their.create(qrRequest(walletUser, '25.00'))
  await their.finalize(value.uniqueId, 24)
  expect(await last(sandbox)).toMatchObject({
    ...{ code: null, http: 200, who: 'sandbox (wallet)' },
    verdict: 'not executed: WRONG_AMOUNT',
    rule: 'wallet table: WRONG_AMOUNT',
  })
})

test('of an envelope that does not open the log tells the step, and the wire never', async () => {
  const { sandbox, integrator } = await desk()
  const us = await integrator()
  const envelope = us.envelope(writeJson(us.order()))
  const keys = Buffer.from(String(envelope.encryptedKeys), 'base64')
  keys[9] = (keys[9] ?? 0) ^ 1
  const broken = await us.sendMembers(createOrder, { ...envelope, encryptedKeys: keys.toString('base64') })
  const unwrapped = await last(sandbox)
  const cut = String(envelope.encryptedData).slice(0, 24)
  const short = await us.sendMembers(createOrder, { ...envelope, encryptedData: cut })
  const shortened = await last(sandbox)
  const text = await us.send(createOrder, 'no JSON at all')
  const unread = await last(sandbox)
  expect(new Set([broken.body, short.body, text.body]).size).toBe(1)
  expect([unwrapped, shortened, unread].map(({ envelope }) => envelope?.step)).toEqual([
    'unwrap',
    'block-length',
    'json',
  ])
  expect(unwrapped.verdict).toBe(
    'Decryption failed: the envelope does not open, at the step unwrap: it was sealed to another public key; compare the fingerprints (`paydesk key show`)',
  )
  const hex = Buffer.from(String(envelope.encryptedKeys), 'base64').toString('hex')
  await us.sendMembers(createOrder, { ...envelope, encryptedKeys: hex })
  expect((await last(sandbox)).envelope?.remarks).toEqual([
    'encryptedKeys is hexadecimal; encode the bytes in base64 instead',
  ])
  expect(unread.envelope?.remarks.join()).toContain('the text is not JSON')
  expect([unwrapped.payload, unwrapped.code]).toEqual([null, 6010])
})

test('payouts, sign-ins, reads and unknown paths are there too', async () => {
  const { sandbox, url } = await desk()
  const { byIban, pay, send } = await distributor(sandbox, url)
  await pay({ amount: -3 })
  expect(await last(sandbox)).toMatchObject({
    ...{ operation: 'payout.create', who: 'sandbox', identifier: byIban.client.clientId, code: 5039, envelope: null },
    rule: expect.stringMatching(/^A1 amount: /),
  })
  await pay({ debtorName: 'Somebody' })
  expect((await last(sandbox)).rule).toBe('A1 rule 1: debtorName needs the permission to send debtor fields')
  await send('/api/distributor/details?transaction_id=seven')
  expect(await last(sandbox)).toMatchObject({ code: 5042, payload: { transaction_id: 'seven' } })
  await send('/api/distributor', { method: 'POST', headers: {}, body: '{}' })
  expect(await last(sandbox)).toMatchObject({ http: 401, code: 5021, who: null })
  await send('/api/nowhere?secret=1', { method: 'DELETE' })
  expect(await last(sandbox)).toMatchObject({
    ...{ method: 'DELETE', path: '/api/nowhere', operation: null, http: 404 },
    verdict: 'There is no such path',
  })
})

test('a fault is told, and whether the service saw the request', async () => {
  const { sandbox, url } = await desk()
  const { pay } = await distributor(sandbox, url)
  await sandbox.faults.add({ op: 'payout.create', at: 'after', kind: 'html502' })
  await pay()
  expect(await last(sandbox)).toMatchObject({ fault: 'html502 after', http: 502, verdict: 'accepted: INITIAL' })
  await sandbox.faults.add({ op: 'payout.create', at: 'before', kind: 'reset' })
  await expect(pay()).rejects.toThrow()
  expect(await last(sandbox)).toMatchObject({
    ...{ fault: 'reset before', http: null, answer: null },
    verdict: 'never seen: the fault struck before the service',
  })
})

test('no client secret, access token or card token is kept', async () => {
  const { sandbox, url, integrator, pay } = await desk()
  const { byIban, send } = await distributor(sandbox, url)
  const { clientId: client_id, clientSecret: client_secret } = byIban.client
  const credentials = { client_id, client_secret, grant_type: 'client_credentials' }
  const signedIn = await send('/api/auth', { method: 'POST', body: JSON.stringify(credentials) })
  const { value } = (await signedIn.json()) as { value: { access_token: string } }
  expect(await last(sandbox)).toMatchObject({
    ...{ operation: 'auth.token', who: 'sandbox' },
    payload: { client_id, client_secret: '[hidden]' },
    answer: { value: { access_token: '[hidden]' } },
  })
  const us = await integrator()
  const saved = await us.created({ saveCard: true, directLinkProvider: 'TBC' })
  await pay(saved)
  const cardToken = String((await us.send(getCard, { integratorOrderId: saved })).value.token)
  await us.created({ cardToken })
  expect((await last(sandbox)).payload).toMatchObject({ cardToken: '[hidden]' })
  const everything = await sandbox.read((db) => listRequests(db, { limit: 100 }))
  for (const secret of [client_secret, value.access_token, cardToken]) {
    expect(secret.length).toBeGreaterThan(10)
    expect(JSON.stringify(everything)).not.toContain(secret)
  }
})

test('it is written by itself within a moment, filtered by operation, code and whatever stands in it', async () => {
  const { sandbox, url } = await desk()
  const { pay } = await distributor(sandbox, url)
  await pay({ amount: -3 })
  const uniqueId = randomUUID()
  await pay({ uniqueId, beneficiaryName: 'ნინო' })
  await until('it is written', async () => (await sandbox.requests.list({ limit: 9 })).length === 2, 2000)
  const found = async (filter: object) =>
    (await sandbox.requests.list({ limit: 9, ...filter })).map(({ verdict }) => verdict)
  expect(await found({ words: [[uniqueId.toUpperCase()]] })).toEqual(['accepted: INITIAL'])
  expect(await found({ words: [['ნინო'], ['200', '201']] })).toEqual(['accepted: INITIAL'])
  expect(await found({ words: [['ნინო'], ['nobody']] })).toEqual([])
  expect(await found({ code: 5039 })).toHaveLength(1)
  expect(await found({ operation: 'order.create' })).toEqual([])
  expect(await found({ after: 1 })).toEqual(['accepted: INITIAL'])
})

test('a body of any kind is kept no longer than a page', async () => {
  const { sandbox, url } = await desk()
  const { pay, send } = await distributor(sandbox, url)
  await pay({ beneficiaryAddress: 'x'.repeat(100_000) })
  expect(String((await last(sandbox)).payload).length).toBeLessThan(21_000)
  await send('/api/distributor', { method: 'POST', body: '[['.repeat(100_000) })
  expect(await last(sandbox)).toMatchObject({ payload: null, code: 5043 })
  await send('/api/distributor', { method: 'POST', body: 'x'.repeat(9 * 1024 * 1024) })
  expect(await last(sandbox)).toMatchObject({ payload: null, http: 413, verdict: 'The body has more than 8 MiB' })
})

const row = {
  ...{ time: 1, milliseconds: 1, method: 'GET', path: '/', operation: null, identifier: null, plain: null },
  ...{ outline: null, http: 200, code: null, verdict: '', rule: null, remarks: '[]', answer: null, fault: null },
}

test('the newest 5,000 are kept, as help says', async () => {
  const store = await memoryStore<SandboxTables>(sandboxSchema)
  const sandbox = await createSandbox(store, handClock(), cachedPairs)
  const { url } = await served(sandbox)
  await store.write((db) => addRequests(db, Array(5000).fill(row), 5000))
  await fetch(`${url}/one-more`)
  await sandbox.requests.flush()
  const kept = await sandbox.requests.list({ limit: 9999 })
  expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([5000, 5001, 2])
})

test('a new world has an empty log', async () => {
  const { sandbox, integrator } = await desk()
  await (await integrator()).created()
  await sandbox.reset()
  await sandbox.requests.flush()
  expect(await sandbox.requests.list({ limit: 9 })).toEqual([])
})

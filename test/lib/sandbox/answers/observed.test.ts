// Sentences of service.md#public-clients that no other file here has: identifiers that a client takes for numbers, a 4096-bit
// integrator, the service's own name in a status, addresses with https. Over HTTP, as a client without paydesk meets them.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createOrder, orderStatus } from '../../../../src/lib/contract/order/order.ts'
import { shapes } from '../../../../src/lib/sandbox/shape.ts'
import { integratorNamed } from '../../../kit/sandbox/integrator.ts'
import { expectSealed } from '../../../kit/sandbox/served.ts'
import { desk } from '../../../kit/sandbox/stand.ts'

/** A client that reads every number of JSON as JavaScript does, and both shapes of a creation. */
async function plainClient({ sandbox, url }: Awaited<ReturnType<typeof desk>>) {
  const [client] = (await sandbox.world()).distributorClients
  const json = { 'content-type': 'application/json' }
  const ask = async (path: string, init: RequestInit) => {
    const body = JSON.parse(await (await fetch(url + path, init)).text())
    return body.value ?? body
  }
  const credentials = {
    client_id: client?.clientId,
    client_secret: client?.clientSecret,
    grant_type: 'client_credentials',
  }
  const { access_token } = await ask('/api/auth', { method: 'POST', headers: json, body: JSON.stringify(credentials) })
  const headers = { ...json, authorization: `Bearer ${access_token}` }
  const wish = { amount: 12.5, currency: 'GEL', description: 'Invoice', toIban: 'GE29NB0000000101904917' }
  return {
    pay: () =>
      ask('/api/distributor', { method: 'POST', headers, body: JSON.stringify({ ...wish, uniqueId: randomUUID() }) }),
    read: (id: number) => ask(`/api/distributor/details?transaction_id=${id}`, { headers }),
  }
}

describe('transaction identifiers', () => {
  test.each(shapes)(
    '%s: are small whole numbers, and a client that takes numbers reads its own payout',
    async (shape) => {
      const { pay, read } = await plainClient(await desk({ shape }))
      for (const _ of [1, 2, 3]) {
        const made = await pay()
        expect(String(made.transactionId)).toMatch(/^\d{5,7}$/)
        expect((await read(made.transactionId)).uniqueId).toBe(made.uniqueId)
      }
    },
  )

  test('of an order are as small', async () => {
    const { integrator, pay } = await desk({ shape: 'recorded' })
    const us = await integrator()
    const order = await us.created()
    await pay(order)
    const { transactionId } = (await us.about(orderStatus, order)).value
    expect(String(transactionId)).toMatch(/^\d{5,7}$/)
  })

  test('above 2^53, which is a setting, the same client reads another payout, and nothing says so', async () => {
    const here = await desk()
    await here.sandbox.reset({ firstTransactionId: '9007199254740992' })
    const { pay, read } = await plainClient(here)
    const [first, second] = [await pay(), await pay()]
    expect((await read(second.transactionId)).uniqueId).toBe(first.uniqueId)
  })
})

test('an integrator with OAEP has 4096-bit keys: 684 characters of encryptedKeys in either direction', async () => {
  const { sandbox, url } = await desk()
  const us = await integratorNamed(sandbox, url, 'sandbox-4096')
  const heard = await us.create()
  expectSealed(heard)
  expect(us.party.scheme).toBe('oaep-sha256')
  expect(String(us.envelope('{}').encryptedKeys)).toHaveLength(684)
  expect(JSON.parse(heard.body).encryptedKeys).toHaveLength(684)
})

test('the name in REFUNDED_BY_… is a setting of the world, and a status has it to the letter', async () => {
  const { sandbox, integrator, pay, clock } = await desk()
  await sandbox.set({ refundedBy: 'EXAMPLE_PAY' })
  const us = await integrator()
  const order = await us.created()
  await pay(order)
  await sandbox.trigger({ what: 'refunded', order })
  clock.forward(3000)
  expect(await us.status(order)).toBe('REFUNDED_BY_EXAMPLE_PAY')
})

test('a checkout address with https, for a client that demands one', async () => {
  const { integrator } = await desk({ payersAt: 'https://pay.shop.example' })
  const us = await integrator()
  const { value } = await us.send(createOrder, us.order())
  expect(String(value.urlForQR)).toMatch(/^https:\/\/pay\.shop\.example\/checkout\//)
})

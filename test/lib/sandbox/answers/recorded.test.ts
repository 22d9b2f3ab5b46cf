// `--shape recorded` as recorded: texts, a new payout's description, charges without an address, cards saved with amount 0. The
// documented shape beside it. Over HTTP.

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card/card.ts'
import { refundOrderFirst } from '../../../../src/lib/contract/order/refund.ts'
import { isRecord, readJson } from '../../../../src/lib/json.ts'
import { type Shape, shapes } from '../../../../src/lib/sandbox/shape.ts'
import type { Fields } from '../../../kit/sandbox/integrator.ts'
import { desk } from '../../../kit/sandbox/stand.ts'

async function at(shape: Shape) {
  const { sandbox, url, integrator, pay, clock } = await desk({ shape })
  const [client] = (await sandbox.world()).distributorClients
  if (!client) throw new Error('the world has no client')
  const ask = async (path: string, body?: Fields, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const value = readJson(await (await fetch(`${url}${path}`, { headers, ...sent })).text())
    const members = isRecord(value) ? value : {}
    return isRecord(members.value) ? members.value : members
  }
  const { clientId: client_id, clientSecret: client_secret } = client
  const credentials = { client_id, client_secret, grant_type: 'client_credentials' }
  const token = String((await ask('/api/auth', credentials)).access_token)
  const payout = (more: Fields = {}) =>
    ask(
      '/api/distributor',
      {
        ...{ amount: 12.5, currency: 'GEL', description: 'Invoice', uniqueId: randomUUID() },
        ...{ toIban: 'GE29NB0000000101904917', ...more },
      },
      token,
    )
  const read = (path: string) => ask(path, undefined, token)
  return { sandbox, us: await integrator(), pay, clock, credentials, ask, payout, read }
}

const recordedTexts: readonly [number, string, (here: Awaited<ReturnType<typeof at>>) => Promise<Fields>][] = [
  [5023, 'To iban has invalid format,', ({ payout }) => payout({ toIban: 'GE30NB0000000101904917' })],
  [5045, 'Amount below minimum transaction amount.', ({ payout }) => payout({ amount: 0.01 })],
  [5046, 'Amount above maximum transaction amount.', ({ payout }) => payout({ amount: 100_001 })],
  [
    5003,
    'Client not found for given id.',
    ({ ask, credentials }) => ask('/api/auth', { ...credentials, client_id: randomUUID() }),
  ],
]

describe('texts', () => {
  test.each(recordedTexts)('of %i: "%s"', async (code, text, refused) => {
    const recorded = await refused(await at('recorded'))
    expect([String(recorded.statusCode), recorded.message]).toEqual([String(code), text])
    const documented = await refused(await at('documented'))
    expect(String(documented.statusCode)).toBe(String(code))
    expect(documented.message).not.toBe(text)
  })

  test('the log names the cause in words of its own', async () => {
    const { sandbox, payout } = await at('recorded')
    await payout({ amount: 0.01 })
    await sandbox.requests.flush()
    expect((await sandbox.requests.list({ limit: 1 }))[0]?.verdict).toBe('amount is below the smallest payout')
  })
})

describe('the statusDescription of a new payout', () => {
  test.each([
    ['recorded', 'Initial'],
    ['documented', 'Created'],
  ] as const)('%s: %s, in its creation and in its details', async (shape, words) => {
    const { payout, read, sandbox } = await at(shape)
    const made = await payout()
    expect(made).toMatchObject({ status: 'INITIAL', statusDescription: words })
    const details = await read(`/api/distributor/details?transaction_id=${made.transactionId}`)
    expect(details).toMatchObject({ status: 'INITIAL', statusDescription: words })
    await sandbox.requests.flush()
    expect((await sandbox.requests.list({ limit: 2 }))[1]?.verdict).toBe('accepted: INITIAL')
  })
})

describe('the balance without a currency', () => {
  test.each(shapes)('%s: that of the default currency', async (shape) => {
    const { read } = await at(shape)
    const answer = await read('/api/distributor/balance/check')
    expect([String(answer.amount), answer.currency]).toEqual(['1000000.00', 'GEL'])
    expect((await read('/api/distributor/balance/check?currency=')).statusCode).toBeDefined()
    expect((await read('/api/distributor/balance/check?currency=USD')).currency).toBe('USD')
  })
})

describe('an order with cardToken answers without urlForQR', () => {
  test.each([
    ['recorded', ['integratorOrderId']],
    ['documented', ['integratorOrderId', 'urlForQR']],
  ] as const)('%s: its members are %j', async (shape, members) => {
    const { us, pay, sandbox } = await at(shape)
    const first = await us.create({ saveCard: true, directLinkProvider: 'TBC' })
    expect(Object.keys(first.value)).toEqual(['integratorOrderId', 'urlForQR'])
    await pay(first.value.integratorOrderId)
    const cardToken = String((await us.send(getCard, { integratorOrderId: first.value.integratorOrderId })).value.token)
    const charged = await us.create({ cardToken })
    expect(Object.keys(charged.value)).toEqual(members)
    expect(await us.status(charged.value.integratorOrderId)).toBe('SUCCESS')
    expect((await sandbox.ledger()).orders).toHaveLength(2)
  })
})

describe('saveCard with amount 0 and no plan', () => {
  const saving = { amount: 0, saveCard: true, directLinkProvider: 'TBC' }

  test('documented: refused, 6068', async () => {
    const { us } = await at('documented')
    expect(await us.create(saving)).toMatchObject({ code: 6068, group: 1 })
  })

  test('recorded: accepted, and the payer saves the card with it', async () => {
    const { us, pay, sandbox, clock } = await at('recorded')
    const { value, code } = await us.create(saving)
    expect(code).toBeNull()
    expect((await fetch(String(value.urlForQR))).status).toBe(200)
    await pay(value.integratorOrderId)
    expect(await us.status(value.integratorOrderId)).toBe('SUCCESS')
    const card = await us.send(getCard, { integratorOrderId: value.integratorOrderId })
    expect(card.value).toMatchObject({ provider: 'TBC' })
    const charged = await us.create({ cardToken: card.value.token })
    expect(await us.status(charged.value.integratorOrderId)).toBe('SUCCESS')
    // An order of nothing leaves nothing to give back.
    expect(await us.refund(value.integratorOrderId, 1)).toMatchObject({ code: 6007 })
    expect(await us.about(refundOrderFirst, value.integratorOrderId)).toMatchObject({ code: 6007 })
    clock.forward(3000)
    expect(await us.status(value.integratorOrderId)).toBe('SUCCESS')
    expect((await sandbox.ledger()).cards).toHaveLength(1)
  })

  test.each([
    ['an amount of 0 without saveCard', { amount: 0 }, 6068],
    ['an amount below 0', { ...saving, amount: -1 }, 6068],
    ['no provider', { amount: 0, saveCard: true }, 6091],
  ])('recorded: %s is refused as ever', async (_what, fields, code) => {
    const { us } = await at('recorded')
    expect(await us.create(fields)).toMatchObject({ code })
  })
})

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getCard } from '../../../src/lib/contract/card.ts'
import { registerUser } from '../../../src/lib/contract/user.ts'
import { realClock, realRandom } from '../../../src/lib/edge.ts'
import { openSandbox } from '../../../src/lib/sandbox/sandbox.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { callers, toIban } from '../../kit/sandbox/callers.ts'
import { integratorNamed, qrOpen, walletNamed, walletUser } from '../../kit/sandbox/integrator.ts'
import { fileSandbox, served } from '../../kit/sandbox/stand.ts'

test('sandbox ledger: an empty ledger is a JSON document too, and is told in words', async () => {
  const home = newHome()
  const { code, json } = await paydesk(['sandbox', 'ledger', '--json'], { home })
  expect([code, json]).toEqual([
    0,
    { payouts: [], orders: [], walletOrders: [], cards: [], subscriptions: [], users: [], callbacks: [] },
  ])
  expect((await paydesk(['sandbox', 'ledger'], { home })).stdout).toContain('Nothing was paid')
})

test('sandbox ledger: executed payouts are listed with their ids as text', async () => {
  const home = newHome()
  const sandbox = await openSandbox(`${home}/sandbox`, realClock, realRandom)
  const fields = toIban()
  await (await callers(sandbox)).byIban.create(fields)
  await sandbox.close()
  const { stdout, json } = await paydesk(['sandbox', 'ledger', '--json'], { home })
  expect(stdout).toContain('"amount":12.50')
  expect(json.payouts).toMatchObject([
    { uniqueId: fields.uniqueId, transactionId: '100001', currency: 'GEL', executions: 1 },
  ])
  const table = (await paydesk(['sandbox', 'ledger'], { home, env: { TZ: 'Asia/Tbilisi' } })).stdout
  expect(table).toContain('GEL 12.50')
  expect(table).toContain('created (UTC+04:00)')
})

test('sandbox ledger: orders, wallet orders, cards, subscriptions and users are shown where there are any, card tokens hidden', async () => {
  const home = newHome()
  const sandbox = await fileSandbox(join(home, 'sandbox'), realClock)
  const { url } = await served(sandbox)
  const us = await integratorNamed(sandbox, url)
  const id = await us.created({ amount: 8.5 })
  const first = (await paydesk(['sandbox', 'ledger'], { home })).stdout
  expect(first).toContain('GEL 8.50')
  expect(first).not.toContain('wallet order')
  const plan = { interval: 'MONTHLY', intervalCount: 1, amount: 5 }
  const saved = await us.created({ amount: 0, saveCard: true, directLinkProvider: 'TBC', subscriptionPlan: plan })
  await sandbox.trigger({ what: 'paid', order: saved })
  await us.send(registerUser, {})
  const their = await walletNamed(sandbox, url)
  const { value } = await their.create(qrOpen(walletUser))
  await their.finalize(value.uniqueId, 4.25)
  const { stdout } = await paydesk(['sandbox', 'ledger'], { home })
  for (const word of [id, '411111******1111', 'ACTIVE', String(value.uniqueId), '4.25', walletUser]) {
    expect(stdout).toContain(word)
  }
  const { json } = await paydesk(['sandbox', 'ledger', '--json'], { home })
  expect(json).toMatchObject({
    orders: [{ integratorOrderId: id }, { integratorOrderId: saved, cardSaved: true }],
    walletOrders: [{ executions: 1, amount: 4.25 }],
    cards: [{ integratorOrderId: saved, token: '[hidden]' }],
    subscriptions: [{ integratorOrderId: saved, amount: 5 }],
    users: [{ payload: {} }],
  })
  const token = String((await us.send(getCard, { integratorOrderId: saved })).value.token)
  expect(token).toMatch(/^[0-9a-f-]{36}$/)
  expect(stdout + JSON.stringify(json)).not.toContain(token)
  // The plan's first charge ends two seconds later.
  const [callback] = json.callbacks as unknown[]
  expect(callback).toMatchObject({ integratorOrderId: saved, kind: 'payment', state: 'given-up', attempts: 1 })
})

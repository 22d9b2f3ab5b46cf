import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createOrder } from '../../../src/lib/contract/order/order.ts'
import type { Sandbox } from '../../../src/lib/sandbox/sandbox.ts'
import { serve } from '../../../src/lib/sandbox/server/server.ts'
import { consoleScript } from '../../../src/lib/sandbox/server/start.ts'
import { callers, toIban } from './callers.ts'
import { integratorNamed, qrOpen, qrRequest, walletNamed, walletUser } from './integrator.ts'

const root = join(import.meta.dirname, '../../..')

/** As the build before the tests has made it. */
export const script = consoleScript(root)

export const token = 'a-token-that-only-this-test-knows'

/** Serves a sandbox with all its pages. */
export async function withConsole(sandbox: Sandbox) {
  let pages = 0
  const nonce = () => {
    pages += 1
    return `nonce${pages}`
  }
  const served = await serve(sandbox, { console: { token, nonce, script } })
  return { ...served, consoleUrl: `${served.url}/_sandbox`, door: `${served.url}/_sandbox?token=${token}` }
}

/** A client that talks over the socket, as programs do. */
async function distributor(sandbox: Sandbox, url: string) {
  const { byIban } = await callers(sandbox)
  const send = async (path: string, request: RequestInit = {}) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${byIban.token}` }
    return await fetch(`${url}${path}`, { headers, ...request })
  }
  const pay = async (fields: Readonly<Record<string, unknown>>) =>
    await send('/api/distributor', { method: 'POST', body: JSON.stringify(toIban(fields)) })
  return { client: byIban.client, send, pay }
}

/** One of everything: ends of every kind, refusals of every area, a fault, an envelope that does not open. */
export async function busyWorld(sandbox: Sandbox, url: string): Promise<void> {
  const { client, send, pay } = await distributor(sandbox, url)
  const { clientId: client_id, clientSecret: client_secret } = client
  const signIn = { client_id, client_secret, grant_type: 'client_credentials' }
  await send('/api/auth', { method: 'POST', body: JSON.stringify(signIn) })
  await pay({ amount: 1250, beneficiaryName: 'ნინო ბერიძე', description: 'Salary, November' })
  await pay({ amount: 98.4, beneficiaryName: 'Corner Bakery LLC', description: 'Invoice 1047' })
  await pay({ amount: 400, beneficiaryName: 'Giorgi Lomidze', description: 'sandbox:failed' })
  await pay({ amount: -3 })
  await pay({ amount: 20, debtorName: 'Somebody Else' })
  await sandbox.faults.add({ op: 'payout.create', at: 'after', kind: 'html502' })
  await pay({ amount: 77.7, beneficiaryName: 'Tamar Kapanadze', description: 'Refund of a deposit' })
  await send('/api/distributor/balance/check?currency=GEL')
  await send('/api/distributor/details?transaction_id=seven')
  await send('/api/distributor', { method: 'POST', headers: { authorization: 'Bearer wrong' }, body: '{}' })
  await send('/api/orders')

  const us = await integratorNamed(sandbox, url)
  const plan = { interval: 'MONTHLY', intervalCount: 1, amount: 15 }
  const saved = await us.created({ amount: 0, saveCard: true, directLinkProvider: 'TBC', subscriptionPlan: plan })
  await sandbox.trigger({ what: 'paid', order: saved })
  const paid = await us.created({ amount: 240 })
  await sandbox.trigger({ what: 'paid', order: paid })
  await us.refund(paid, 40)
  await sandbox.trigger({ what: 'declined', order: await us.created({ amount: 31.2 }) })
  await us.created({ amount: 64.9 })
  await us.create({ validUntil: '2020-01-01 00:00:00' })
  await us.status(paid)
  const bare = await integratorNamed(sandbox, url, 'sandbox-bare')
  await bare.create({ saveCard: true, directLinkProvider: 'TBC' })
  const envelope = us.envelope(JSON.stringify(us.order()))
  const keys = Buffer.from(String(envelope.encryptedKeys), 'base64')
  keys[9] = (keys[9] ?? 0) ^ 1
  await us.sendMembers(createOrder, { ...envelope, encryptedKeys: keys.toString('base64') })

  const wallet = await walletNamed(sandbox, url)
  const { value } = await wallet.create(qrRequest(walletUser, '25.00'))
  await wallet.finalize(value.uniqueId, 24)
  await wallet.finalize(value.uniqueId, 25)
  await wallet.create(qrOpen(randomUUID()))
  await sandbox.faults.add({ op: 'order.create', at: 'before', kind: 'hang', nth: 3 })
  await sandbox.requests.flush()
}

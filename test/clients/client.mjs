/**
 * A client of all areas in plain JavaScript, written from the public guides alone: fetch, node:crypto and JSON.parse, which reads
 * numbers as numbers. It goes once through payouts, orders, saved cards and the wallet.
 *
 * It is told who it is by the variables of `paydesk sandbox world --env sandbox`, and by PAYER, a shell command that plays the
 * payer when `paid --order <id>` is put behind it. It prints one line of JSON for each step, in the words that the clients in
 * other languages use, and ends with 1 where it cannot go on.
 *
 * usage: eval "$(paydesk sandbox world --env sandbox)"; PAYER='paydesk sandbox trigger' node client.mjs
 */
import { execSync } from 'node:child_process'
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import { env, exit, stderr, stdout } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

const shop = { receiverId: '5a9db0c0-0301-4a11-8c11-000000000301', receiverType: 'BRANCH' }
const walletUser = 'receiverType=USER&receiverId=5a9db0c0-0321-4a11-8c11-000000000321'
const qrWithAmount = `https://pay.example/pay?qrType=REQUEST&${walletUser}&amount=25.00&currency=GEL`
const qrWithoutAmount = `https://pay.example/pay?qrType=DEFAULT&${walletUser}`
const patience = 30_000

const fact = (name) => {
  const value = env[`SANDBOX_${name}`]
  if (!value) throw new Error(`SANDBOX_${name} is not set`)
  return value
}
const publicKey = (name) => createPublicKey({ key: Buffer.from(fact(name), 'base64'), format: 'der', type: 'spki' })
const privateKey = (name) => createPrivateKey({ key: Buffer.from(fact(name), 'base64'), format: 'der', type: 'pkcs8' })

const oaep = (key) => ({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' })

/** A fresh AES key for each message, wrapped with RSA. */
const envelope = {
  seal(key, payload) {
    const [secret, iv] = [randomBytes(32), randomBytes(16)]
    const cipher = createCipheriv('aes-256-cbc', secret, iv)
    const data = Buffer.concat([cipher.update(JSON.stringify(payload), 'utf8'), cipher.final()])
    const keyText = `${secret.toString('base64')}.${iv.toString('base64')}`
    return {
      encryptedData: data.toString('base64'),
      encryptedKeys: publicEncrypt(oaep(key), Buffer.from(keyText)).toString('base64'),
      aes: true,
    }
  },
  open(key, { encryptedData, encryptedKeys }) {
    const keyText = privateDecrypt(oaep(key), Buffer.from(encryptedKeys, 'base64')).toString()
    const [secret, iv] = keyText.split('.').map((text) => Buffer.from(text, 'base64'))
    const decipher = createDecipheriv('aes-256-cbc', secret, iv)
    return Buffer.concat([decipher.update(encryptedData, 'base64'), decipher.final()]).toString('utf8')
  },
}

/** The legacy scheme: one RSA block. Node takes PKCS#1 away from `privateDecrypt`, so its padding is taken off by hand. */
const block = {
  seal(key, payload) {
    const data = publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(JSON.stringify(payload)))
    return { encryptedData: data.toString('base64') }
  },
  open(key, { encryptedData }) {
    const padded = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, Buffer.from(encryptedData, 'base64'))
    const end = padded.indexOf(0, 2)
    if (padded[0] !== 0 || padded[1] !== 2 || end < 10) throw new Error('the block is not padded as PKCS#1 says')
    return padded.subarray(end + 1).toString('utf8')
  },
}

const orders = {
  ...{ scheme: envelope, identifier: fact('INTEGRATOR_ID') },
  ...{ toService: publicKey('SERVICE_PUBLIC_KEY'), own: privateKey('PRIVATE_KEY') },
}
const wallet = {
  ...{ scheme: block, identifier: fact('WALLET_IDENTIFIER') },
  ...{ toService: publicKey('WALLET_SERVICE_PUBLIC_KEY'), own: privateKey('WALLET_PRIVATE_KEY') },
}

/** Tells of a step. Gives back what was answered. */
function tell(step, http, body, answer) {
  stdout.write(`${JSON.stringify({ step, http, code: body?.statusCode ?? null, answer })}\n`)
  return answer
}

async function send(method, path, { query = '', body, token } = {}) {
  const headers = { accept: 'application/json' }
  if (body) headers['content-type'] = 'application/json'
  if (token) headers.authorization = `Bearer ${token}`
  const answer = await fetch(fact('BASE_URL') + path + query, { method, headers, body: body && JSON.stringify(body) })
  return { http: answer.status, body: await answer.json() }
}

/** A call of area A: what was answered, without the `value` around it. */
async function plain(step, method, path, more) {
  const { http, body } = await send(method, path, more)
  return tell(step, http, body, http === 200 ? (body.value ?? body) : body)
}

async function ask(party, method, path, payload) {
  const fields = { identifier: party.identifier, ...party.scheme.seal(party.toService, payload) }
  const inQuery = method === 'GET' || method === 'DELETE'
  const more = inQuery ? { query: `?${new URLSearchParams(fields)}` } : { body: fields }
  const { http, body } = await send(method, path, more)
  return { http, body, answer: body.encryptedData ? JSON.parse(party.scheme.open(party.own, body)) : body }
}

/** A sealed call. */
async function sealed(step, ...call) {
  const { http, body, answer } = await ask(...call)
  return tell(step, http, body, answer)
}

/** Asks until the status is the one that is wanted. */
async function until(step, wanted, look) {
  const end = Date.now() + patience
  for (;;) {
    const { http, body, answer } = await look()
    if (answer.status === wanted) return tell(step, http, body, answer)
    if (Date.now() > end) throw new Error(`${step}: the status is ${answer.status}, not ${wanted}`)
    await pause(250)
  }
}

async function payouts() {
  const credentials = { client_id: fact('CLIENT_ID'), grant_type: 'client_credentials' }
  const signIn = (client_secret) => send('POST', '/api/auth', { body: { ...credentials, client_secret } })
  const refused = await signIn('not the secret')
  tell('sign in with a wrong secret', refused.http, refused.body, refused.body)
  const { http, body } = await signIn(fact('CLIENT_SECRET'))
  const { access_token: token, ...rest } = body.value
  tell('sign in', http, body, rest)

  const balance = '/api/distributor/balance/check'
  await plain('balance', 'GET', balance, { token, query: '?currency=GEL' })
  await plain('balance without a currency', 'GET', balance, { token })
  const payout = {
    ...{ amount: 12.5, currency: 'GEL', description: 'ხელფასი, ნოემბერი', beneficiaryName: 'ნინო ბერიძე' },
    ...{ toIban: 'GE29NB0000000101904917', uniqueId: randomUUID() },
  }
  const { transactionId } = await plain('payout', 'POST', '/api/distributor', { token, body: payout })
  await plain('the same payout again', 'POST', '/api/distributor', { token, body: payout })
  const misspelt = { ...payout, uniqueId: randomUUID(), toIban: 'GE30NB0000000101904917' }
  await plain('payout to an IBAN that is none', 'POST', '/api/distributor', { token, body: misspelt })

  const details = ['GET', '/api/distributor/details']
  const query = `?transaction_id=${transactionId}`
  await plain('payout details', ...details, { token, query })
  await plain('payout details without a token', ...details, { query })
  await until('payout at its end', 'SUCCESS', async () => {
    const { http, body } = await send(...details, { token, query })
    return { http, body, answer: body.value ?? body }
  })
  await plain('balance afterwards', 'GET', balance, { token, query: '?currency=GEL' })
}

const newOrder = (fields) => ({
  ...{ amount: 10, ...shop, integratorId: orders.identifier, integratorOrderId: randomUUID() },
  ...fields,
})
const create = (step, order) => sealed(step, orders, 'POST', '/api/integrator/order', order)
const about = ({ integratorOrderId }, more) => ({ integratorId: orders.identifier, integratorOrderId, ...more })
const statusCall = (order) => [orders, 'GET', '/api/integrator/order/status', about(order)]
const becomes = (step, order, wanted) => until(step, wanted, () => ask(...statusCall(order)))
const payerPays = ({ integratorOrderId }) =>
  execSync(`${env.PAYER} paid --order ${integratorOrderId}`, { stdio: ['ignore', 'ignore', 'inherit'] })

async function orderAndCancel() {
  const order = newOrder({ currency: 'GEL', orderProperties: { DESCRIPTION: { value: 'ორი ბილეთი' } } })
  await create('order', order)
  await create('the same order again', order)
  await create('order of nothing', newOrder({ amount: 0 }))
  await sealed('order status', ...statusCall(order))
  const cancel = [orders, 'DELETE', '/api/integrator/order/cancel', about(order)]
  await sealed('cancel', ...cancel)
  await sealed('cancel again', ...cancel)
  await sealed('status of an unknown order', ...statusCall(newOrder()))
}

async function cardAndRefund() {
  const order = newOrder({ amount: 20, saveCard: true, directLinkProvider: 'TBC' })
  const { integratorOrderId } = order
  const card = [orders, 'GET', '/api/v1/integrator/card/order-id', { integratorOrderId }]
  await create('order that saves a card', order)
  await sealed('card before the payment', ...card)
  payerPays(order)
  await becomes('order that saved a card', order, 'SUCCESS')
  const { token } = await sealed('card', ...card)
  const charge = newOrder({ amount: 5.55, cardToken: token })
  await create('charge of the card', charge)
  await becomes('charge at its end', charge, 'SUCCESS')

  const refund = (step, amount) =>
    sealed(step, orders, 'POST', '/api/integrator/order/refund/v2', about(order, { amount }))
  await refund('refund of too much', 20.01)
  await refund('refund of a part', 7.3)
  await becomes('part refunded', order, 'PARTIALLY_REFUNDED')
  await refund('refund of the rest', 20 - 7.3)
  await becomes('all refunded', order, 'REFUNDED_BY_INTEGRATOR')
}

async function preAuthorisation() {
  const order = newOrder({ amount: 50, payWithPreAuth: true })
  await create('order with pre-authorisation', order)
  payerPays(order)
  await becomes('authorised', order, 'WAITING_FOR_CONFIRM')
  const completion = about(order, { amount: 40 })
  await sealed('completion', orders, 'POST', '/api/integrator/order/complete', completion)
  await becomes('completed', order, 'SUCCESS')
}

async function walletOrders() {
  const area = '/api/v1/third-party/order/'
  const call = (step, method, deed, uniqueId, more) =>
    sealed(step, wallet, method, area + deed, { identifier: wallet.identifier, uniqueId, ...more })
  const finalize = (step, id, amount) => call(step, 'PUT', 'finalize', id, { amount, finalStatus: 'SUCCESS' })
  const [fixed, open] = [randomUUID(), randomUUID()]
  const { amount } = await call('wallet order', 'POST', 'create', fixed, { uri: qrWithAmount })
  await call('wallet details', 'GET', 'details', fixed)
  await finalize('finalize with a wrong amount', fixed, amount + 0.01)
  await finalize('finalize', fixed, amount)
  await finalize('finalize again', fixed, amount)
  await call('wallet details at the end', 'GET', 'details', fixed)
  const { minAmountAllowed } = await call('wallet order without an amount', 'POST', 'create', open, {
    uri: qrWithoutAmount,
  })
  await call('wallet cancel', 'DELETE', 'delete', open)
  await finalize('finalize after the cancel', open, minAmountAllowed)
}

try {
  await payouts()
  await orderAndCancel()
  await cardAndRefund()
  await preAuthorisation()
  await walletOrders()
} catch (problem) {
  stderr.write(`${problem instanceof Error ? problem.stack : problem}\n`)
  exit(1)
}

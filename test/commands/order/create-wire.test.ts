/** `order create` with a service by hand: the sealed request, digit for digit, and answers that the sandbox never gives. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fieldsOf } from '../../../src/lib/contract/core/field.ts'
import { createOrder } from '../../../src/lib/contract/order/order.ts'
import { paydesk, standInBrowser, succeeds } from '../../kit/program.ts'
import { handIntegrator, ordersByHand } from '../../kit/service.ts'
import { until } from '../../kit/tools.ts'
import { done, order, place, shop, tamar } from '../../kit/world.ts'

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const token = '16fd2706-8baf-433b-82eb-8c7fada847da'
const byHand = { profile: 'hand', 'integrator-order-id': id }
const accepted = { integratorOrderId: id, urlForQR: 'https://pay.example.com/o/1' }

function tokenFile(home: string): string {
  const path = join(home, 'card.token')
  writeFileSync(path, token, { mode: 0o600 })
  return path
}

test('order create: the sealed request has every field by its flag, and sums keep their digits', async () => {
  const around = place()
  const { calls } = await ordersByHand(around.home, () => ({ value: accepted }))
  const argv = order(
    {
      ...byHand,
      amount: '12.50',
      'receiver-type': 'BRANCH',
      'integrator-id': handIntegrator,
      currency: 'USD',
      'acquiring-currency': 'GEL',
      'distribution-currency': 'EUR',
      'tip-receiver-id': tamar,
      'tip-receiver-type': 'USER',
      'success-redirect-uri': 'https://example.com/paid',
      'fail-redirect-uri': 'https://example.com/not-paid',
      'callback-uri': 'https://example.com/callback',
      'direct-link-provider': 'BOG',
      'personal-number': '01001000001',
      'valid-until': '2099-12-31T19:59:59Z',
      language: 'KA',
      'commission-type': 'BOTH',
      'card-token-file': tokenFile(around.home),
    },
    ...['--is-foreign', '--save-card', '--no-pay-with-pre-auth'],
    ...['--split', `BRANCH:${shop}=10.00`, '--split', `USER:${tamar}=2.5`, '--property', 'DESCRIPTION=ხაჭაპური'],
  )
  await done(argv, around)
  expect(calls).toMatchObject([
    {
      name: 'order.create',
      text: `{"amount":12.50,"receiverId":"${shop}","receiverType":"BRANCH","integratorId":"${handIntegrator}","integratorOrderId":"${id}","currency":"USD","acquiringCurrency":"GEL","distributionCurrency":"EUR","tipReceiverId":"${tamar}","tipReceiverType":"USER","successRedirectUri":"https://example.com/paid","failRedirectUri":"https://example.com/not-paid","callbackUri":"https://example.com/callback","directLinkProvider":"BOG","personalNumber":"01001000001","isForeign":true,"validUntil":"2099-12-31 23:59:59","language":"KA","commissionType":"BOTH","saveCard":true,"cardToken":"${token}","splitDetails":[{"receiverType":"BRANCH","receiverIdentifier":"${shop}","amount":10.00},{"receiverType":"USER","receiverIdentifier":"${tamar}","amount":2.5}],"orderProperties":{"DESCRIPTION":{"value":"ხაჭაპური"}},"payWithPreAuth":false}`,
    },
  ])
  const others = ['openBankingLinkProvider', 'cryptoPaymentProvider', 'installmentPaymentProvider', 'subscriptionPlan']
  const sent = Object.keys(JSON.parse(calls[0]?.text ?? '{}'))
  expect(fieldsOf(createOrder.request).map(({ name }) => name)).toEqual(expect.arrayContaining([...sent, ...others]))
  expect(sent.length + others.length).toBe(fieldsOf(createOrder.request).length)
})

test('order create --qr --open: an answer without urlForQR is accepted with a warning', async () => {
  const around = place()
  await ordersByHand(around.home, () => ({ value: { integratorOrderId: id } }))
  const { json } = await done(order({ ...byHand, qr: true, open: true }), around)
  expect(json).toMatchObject({ outcome: 'accepted', urlForQR: null })
  expect(json.warnings).toEqual([expect.stringContaining('names no checkout address')])
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'calc.exe', 'vscode://x'])(
  'order create --open: an address %s in the answer is neither shown nor opened',
  async (urlForQR) => {
    const opened = standInBrowser()
    const around = place()
    const addresses = [urlForQR, accepted.urlForQR]
    const ids = [id, '1b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11']
    let asked = 0
    await ordersByHand(around.home, () => {
      const value = { integratorOrderId: ids[asked], urlForQR: addresses[asked] }
      asked += 1
      return { value }
    })
    const { json } = await done(order({ ...byHand, open: true }), around)
    expect(json).toMatchObject({ outcome: 'accepted', urlForQR: null })
    expect(json.warnings).toEqual([expect.stringContaining(`names no web address for the payer, and it is not shown`)])
    // A web address that is opened afterwards is the only one that the browser ever hears of.
    await done(order({ ...byHand, 'integrator-order-id': String(ids[1]), open: true }), around)
    await until('the browser was asked', async () => opened().length > 0)
    expect(opened()).toEqual([accepted.urlForQR])
  },
)

test('order create: control characters in an answer do not reach the terminal', async () => {
  const around = place()
  await ordersByHand(around.home, () => ({
    value: { ...accepted, urlForQR: 'https://a/\u001b[2J', more: '\r\u202e' },
  }))
  const ended = await succeeds(paydesk(order(byHand), around))
  expect(ended.stdout).toContain('https://a/<U+001B>[2J')
  for (const control of ['\u001b', '\r', '\u202e']) expect(ended.stdout).not.toContain(control)
})

test('order create: a card token that a refusal or an answer repeats is hidden in every output', async () => {
  const around = place()
  const argv = order({ ...byHand, 'card-token-file': tokenFile(around.home) })
  await ordersByHand(around.home, ({ name, count }) => {
    if (name !== 'order.create') return { value: { integratorOrderId: id, status: 'SUCCESS', cardInfo: { token } } }
    if (count === 1) {
      return { plain: { status: 400, body: `{"message":"${token} may not","statusCode":6090,"exceptionGroup":3}` } }
    }
    return { value: { ...accepted, cardToken: token, cardInfo: { token, cardMask: '4111' } } }
  })
  const refused = await paydesk([...argv, '--json', '--trace'], around)
  expect(refused.code).toBe(5)
  const sent = await succeeds(paydesk([...argv, '--json', '--trace'], around))
  expect(sent.json).toMatchObject({ cardToken: '[hidden]', cardInfo: { token: '[hidden]', cardMask: '4111' } })
  const shown = [
    refused.stderr,
    sent.stdout,
    sent.stderr,
    (await done(['order', 'status', id, '-p', 'hand'], around)).stdout,
    (await done(['journal', 'show', id], around)).stdout,
    (await paydesk(argv, around)).stdout,
  ]
  expect(shown.join('\n')).not.toContain(token)
})

test('order status: CANCELLED is read as CANCELED, and order wait is 5', async () => {
  const around = place()
  await ordersByHand(around.home, () => ({ value: { integratorOrderId: id.toUpperCase(), status: ' CANCELLED' } }))
  expect((await done(['order', 'status', id, '-p', 'hand'], around)).json.status).toBe('CANCELED')
  expect((await paydesk(['order', 'wait', id, '-p', 'hand'], around)).code).toBe(5)
})

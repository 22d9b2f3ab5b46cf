import { describe, expect, test } from 'vitest'
import { getCard } from '../../../../../src/lib/contract/card.ts'
import { JsonNumber } from '../../../../../src/lib/contract/core/decimal.ts'
import type { WriteOperation } from '../../../../../src/lib/contract/operation.ts'
import { createOrder } from '../../../../../src/lib/contract/order/order.ts'
import { refundOrder, refundOrderFirst } from '../../../../../src/lib/contract/order/refund.ts'
import { createWalletOrder } from '../../../../../src/lib/contract/wallet/wallet.ts'
import type { Scheme } from '../../../../../src/lib/envelope/scheme.ts'
import { writeJson } from '../../../../../src/lib/json.ts'
import {
  closedShop,
  type Fields,
  qrOpen,
  secondShop,
  shop,
  waiter,
  walletUser,
} from '../../../../kit/sandbox/integrator.ts'
import { expectRefused, expectSealed, servedTable, told } from '../../../../kit/sandbox/stand.ts'

const here = await servedTable()
const { sandbox, clock } = here
const us = await here.integrator('sandbox')
const bare = await here.integrator('sandbox-bare')
const pkcs1 = await here.integrator('sandbox-pkcs1')
const legacy = await here.integrator('sandbox-legacy')
const wallet = await here.wallet()

const kiosk = '5a9db0c0-0305-4a11-8c11-000000000305'
const georgian = '5a9db0c0-0306-4a11-8c11-000000000306'

async function lastRequest() {
  await sandbox.requests.flush()
  const [{ id } = { id: 0 }] = await sandbox.requests.list({ limit: 1 })
  const found = await sandbox.requests.find(id)
  if (!found) throw new Error('nothing was sent')
  return found
}

describe('order amounts outside 0.01 to 50000 are refused: 6026', () => {
  test.each([
    ['0.01', null],
    ['50000', null],
    ['50000.00', null],
    ['50000.01', 6026],
    ['100000', 6026],
  ])('%s', async (amount, code) => {
    const heard = await us.create({ amount: new JsonNumber(amount) })
    if (code === null) expectSealed(heard)
    else expectRefused(heard, code, 1)
  })

  test.each([
    ['0.99', 6026],
    ['1', null],
    ['1000', null],
    ['1000.01', 6026],
  ])('the limits are a setting of the integrator: 1 to 1000 for sandbox-bare, %s', async (amount, code) => {
    expect((await bare.create({ amount: new JsonNumber(amount) })).code).toBe(code)
  })

  test('of an order with a plan the price counts', async () => {
    const priced = (amount: string) => ({
      ...{ amount: 0, saveCard: true, directLinkProvider: 'TBC' },
      subscriptionPlan: { interval: 'MONTHLY', intervalCount: 1, amount: new JsonNumber(amount) },
    })
    expectRefused(await us.create(priced('50000.01')), 6026, 1)
    expectSealed(await us.create(priced('50000')))
  })

  test('the world tells them', async () => {
    const { integrators } = await sandbox.wholeWorld()
    const limitsOf = (name: string) => integrators.find((each) => each.name === name)?.orderLimits
    expect(writeJson(limitsOf('sandbox'))).toBe('{"minimum":0.01,"maximum":50000}')
    expect(writeJson(limitsOf('sandbox-bare'))).toBe('{"minimum":1,"maximum":1000}')
  })
})

describe('a provider that the table of its field does not list is refused', () => {
  const payer = { personalNumber: '01001000001', isForeign: false }
  const fields: readonly [string, readonly string[], readonly string[], Fields][] = [
    ['directLinkProvider', ['BOG', 'TBC', 'CREDO', 'DEFAULT'], ['LB', 'CITYPAY', 'bog', 'NEW', ' TBC'], {}],
    ['openBankingLinkProvider', ['TBC', 'BOG', 'CREDO', 'LB'], ['DEFAULT', 'CITYPAY'], {}],
    ['cryptoPaymentProvider', ['CITYPAY'], ['BOG'], {}],
    ['installmentPaymentProvider', ['CREDO'], ['TBC', 'DEFAULT'], payer],
  ]

  test.each(fields)('%s', async (field, listed, others, more) => {
    for (const code of listed) expectSealed(await us.create({ [field]: code, ...more }))
    for (const code of others) {
      const heard = await us.create({ [field]: code, ...more })
      expectRefused(heard, 6049, 1)
      expect(heard.value.message).toContain(`${field} "${code}" is not on the list`)
      expect((await lastRequest()).rule).toContain('service.md#providers')
    }
  })

  test('the list is a setting of the world, and stays in the next one', async () => {
    await sandbox.set({ providers: { cryptoPaymentProvider: ['CITYPAY', 'COIN'] } })
    expectSealed(await us.create({ cryptoPaymentProvider: 'COIN' }))
    expectRefused(await us.create({ directLinkProvider: 'COIN' }), 6049, 1)
    expect((await sandbox.wholeWorld()).settings.providers).toEqual({
      directLinkProvider: ['BOG', 'TBC', 'CREDO', 'DEFAULT'],
      openBankingLinkProvider: ['TBC', 'BOG', 'CREDO', 'LB'],
      cryptoPaymentProvider: ['CITYPAY', 'COIN'],
      installmentPaymentProvider: ['CREDO'],
    })
    await sandbox.set({ providers: { cryptoPaymentProvider: ['CITYPAY'] } })
    expectRefused(await us.create({ cryptoPaymentProvider: 'COIN' }), 6049, 1)
  })
})

describe('settings of the receiver', () => {
  test('DEFAULT is its default bank, which the saved card names', async () => {
    const provider = async (receiverId: string) => {
      const id = await us.created({ receiverId, saveCard: true, directLinkProvider: 'DEFAULT' })
      await here.play('paid', id)
      return (await us.send(getCard, { integratorOrderId: id })).value.provider
    }
    expect([await provider(shop), await provider(georgian)]).toEqual(['CREDO', 'TBC'])
  })

  test('DEFAULT without a default bank is 6093', async () => {
    expectRefused(await us.create({ receiverId: kiosk, directLinkProvider: 'DEFAULT' }), 6093, 5)
    expectSealed(await us.create({ receiverId: kiosk, directLinkProvider: 'BOG' }))
  })

  test('a tip where the receiver takes none is 6030', async () => {
    const tip = { tipReceiverId: waiter, tipReceiverType: 'USER' }
    expectRefused(await us.create({ receiverId: kiosk, ...tip }), 6030, 5)
    expectSealed(await us.create({ receiverId: shop, ...tip }))
  })

  test.each([
    [georgian, undefined, 'ka'],
    [georgian, 'IT', 'it'],
    [shop, undefined, 'en'],
  ])('the language of its checkout page: %s, the order says %s', async (receiverId, language, lang) => {
    const { urlForQR = '' } = told(await us.create({ receiverId, language }))
    expect(await (await fetch(urlForQR)).text()).toContain(`<html lang="${lang}"`)
  })

  test('the world tells it', async () => {
    const { receivers, integrators } = await sandbox.wholeWorld()
    const find = (id: string) => receivers.find(({ receiverId }) => receiverId === id)
    expect(find(kiosk)).toMatchObject({ defaultBank: null, language: 'EN', takesTips: false })
    expect(find(georgian)).toMatchObject({ defaultBank: 'TBC', language: 'KA', takesTips: true })
    expect(Object.keys(integrators[0]?.defaults ?? {})).not.toContain('language')
  })
})

describe('a blocked branch is refused wherever an order names it', () => {
  const split = (receiverIdentifier: string) => ({
    splitDetails: [
      { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 10 },
      { receiverType: 'BRANCH', receiverIdentifier, amount: 2.5 },
    ],
  })

  test.each([
    ['as its receiver', { receiverId: closedShop }, 6049, 1],
    ['in a split', split(closedShop), 6099, 1],
    ['as tip receiver', { tipReceiverId: closedShop, tipReceiverType: 'BRANCH' }, 6030, 5],
  ])('%s', async (_where, fields, code, group) => {
    const heard = await us.create(fields)
    expectRefused(heard, code, group)
    expect(heard.value.message).toContain('is blocked')
    expectSealed(await us.create(split(secondShop)))
  })
})

describe('a sealed request in another RSA padding than the setting does not open: 6010', () => {
  const orders: readonly [string, typeof us, Scheme][] = [
    ['OAEP is set', us, 'pkcs1'],
    ['PKCS#1 is set', pkcs1, 'oaep-sha256'],
    ['PKCS#1 is set', pkcs1, 'oaep-sha256-mgf1-sha1'],
    ['one block, PKCS#1 is set', legacy, 'rsa-oaep-sha256'],
  ]

  test.each(orders)('%s, %$', async (_set, integrator, scheme) => {
    const members = integrator.envelope(writeJson(integrator.order()), scheme)
    const heard = await integrator.sendMembers(createOrder, members)
    expectRefused(heard, 6010, 6)
    expect(heard.value.message).toBe('Decryption failed')
    const words = `sealed with ${scheme}, and ${integrator.party.scheme} is set for this integrator`
    const { verdict, envelope, payload } = await lastRequest()
    expect(verdict).toBe(`Decryption failed: ${words}`)
    expect(envelope).toMatchObject({ opened: null, step: 'unwrap', remarks: [words] })
    expect(payload).toBeNull()
  })

  test('of a wallet, too', async () => {
    const payload = { ...wallet.ids, uniqueId: 'padded', uri: qrOpen(walletUser) }
    const members = wallet.envelope(writeJson(payload), 'rsa-oaep-sha256')
    expectRefused(await wallet.sendMembers(createWalletOrder, members), 6010, 6)
    expect((await lastRequest()).verdict).toContain('sealed with rsa-oaep-sha256, and rsa-pkcs1 is set')
  })

  test('the MGF1 hash that Java leaves at SHA-1 opens where OAEP is set, is remarked, and is refused by a strict world', async () => {
    const sent = () => us.sendMembers(createOrder, us.envelope(writeJson(us.order()), 'oaep-sha256-mgf1-sha1'))
    expectSealed(await sent())
    const words = 'sealed with oaep-sha256-mgf1-sha1, and oaep-sha256 is set for this integrator'
    expect((await lastRequest()).remarks).toEqual([words])
    await sandbox.set({ strict: true })
    expectRefused(await sent(), 6010, 6)
    expect((await lastRequest()).verdict).toContain(words)
    await sandbox.set({ strict: false })
  })
})

describe('the first version of refund', () => {
  const refund = (operation: WriteOperation, order: string, more: Fields = {}) => us.about(operation, order, more)

  test('without an amount it gives back the whole sum', async () => {
    const order = await here.paid(us)
    expect(told(await refund(refundOrderFirst, order)).status).toBe('REFUND_REQUESTED')
    clock.forward(3000)
    expect(await here.entry(order)).toMatchObject({ status: 'REFUNDED_BY_INTEGRATOR' })
    expect((await lastRequest()).operation).toBe('order.refund')
  })

  test('after a part it gives back all that is left, and then nothing', async () => {
    const order = await here.paid(us)
    expectSealed(await us.refund(order, 2.5))
    clock.forward(3000)
    expect(told(await refund(refundOrderFirst, order)).status).toBe('REFUND_REQUESTED')
    clock.forward(3000)
    const { status, refunds, refunded } = await here.entry(order)
    expect([status, refunds, String(refunded)]).toEqual(['REFUNDED_BY_INTEGRATOR', 2, '12.50'])
    expectRefused(await refund(refundOrderFirst, order), 6006, 2)
  })

  test('of a split order without an amount, and with one', async () => {
    const parts = [
      { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 10 },
      { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: 2.5 },
    ]
    const order = await here.paid(us, { splitDetails: parts })
    expectRefused(await refund(refundOrderFirst, order, { amount: 1 }), 6094, 1)
    expect(told(await refund(refundOrderFirst, order)).status).toBe('REFUND_REQUESTED')
  })

  test('an amount counts as in the second version, which wants one', async () => {
    const order = await here.paid(us)
    expectRefused(await refund(refundOrder, order), 6095, 1)
    expectRefused(await refund(refundOrderFirst, order, { amount: 12.51 }), 6007, 1)
    expect(told(await refund(refundOrderFirst, order, { amount: 12.5 })).status).toBe('REFUND_REQUESTED')
  })
})

import { expect, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card.ts'
import { desk } from '../../../kit/sandbox/stand.ts'

const saving = { saveCard: true, directLinkProvider: 'TBC' }

async function here() {
  const at = await desk()
  const us = await at.integrator()
  const saved = async (card = 'approved') => {
    const id = await us.created(saving)
    await at.pay(id, { card })
    return { id, token: String((await us.send(getCard, { integratorOrderId: id })).value.token) }
  }
  return { ...at, us, saved }
}

test('a card token is charged at once, once, and the checkout address is answered all the same', async () => {
  const { us, saved, entry, clock, sandbox } = await here()
  const { token } = await saved()
  const heard = await us.create({ cardToken: token.toUpperCase(), amount: 7 })
  expect(heard.value.urlForQR).toContain('/checkout/')
  const id = heard.value.integratorOrderId
  expect(await us.status(id)).toBe('SUCCESS')
  clock.forward(3_600_000)
  expect(await entry(id)).toMatchObject({ charges: 1, cardSaved: false })
  expect((await sandbox.ledger()).cards).toHaveLength(1)
})

test('a saved card that the bank declines makes the order FAILED; with validUntil it stays payable', async () => {
  const { us, saved, pay, entry } = await here()
  const { token } = await saved('declined-when-saved')
  const id = await us.created({ cardToken: token })
  expect(await us.status(id)).toBe('FAILED')
  expect(await entry(id)).toMatchObject({ charges: 0, failReason: 'declined by the bank' })
  const open = await us.created({ cardToken: token, validUntil: '2026-11-20 15:00:00' })
  expect(await us.status(open)).toBe('INITIAL')
  expect(await pay(open)).toMatchObject({ status: 'SUCCESS' })
})

test('a card that needed a second step is charged without one, until it has expired', async () => {
  const { us, clock, pay } = await here()
  const order = await us.created(saving)
  await pay(order, { card: 'second-step' })
  clock.forward(3000)
  const { value } = await us.send(getCard, { integratorOrderId: order })
  const cardToken = String(value.token)
  expect(await us.status(await us.created({ cardToken }))).toBe('SUCCESS')
  clock.forward(Date.UTC(2050, 0, 1) - clock.now())
  expect(await us.status(await us.created({ cardToken }))).toBe('FAILED')
})

test('with pre-authorisation the saved card is held, not charged', async () => {
  const { us, saved, entry } = await here()
  const { token } = await saved()
  const id = await us.created({ cardToken: token, payWithPreAuth: true })
  expect(await us.status(id)).toBe('WAITING_FOR_CONFIRM')
  expect((await entry(id)).charges).toBe(0)
  await us.complete(id, 12.5)
  expect(await entry(id)).toMatchObject({ status: 'SUCCESS', charges: 1, cardSaved: false })
})

import { expect, test } from 'vitest'
import { checkout, look, send, words } from '../../../kit/sandbox/payer.ts'

const provided = [
  ['open-banking', { bank: 'TBC' }],
  ['crypto', {}],
  ['installment', { personalNumber: '01001000001', isForeign: 'false' }],
] as const

test.each(provided)('%s leads to the other side’s page, which says yes', async (method, fields) => {
  const { order, us, entry } = await checkout()
  const { id, address } = await order()
  await send(address, { do: 'pay', method, ...fields })
  expect(await us.status(id)).toBe('PROCESSING')
  expect(words((await look(address)).text)).toContain('Confirm the payment This page plays')
  await send(address, { do: 'confirm' })
  expect(await entry(id)).toMatchObject({ status: 'SUCCESS', charges: 1 })
})

test.each(provided)('%s: the other side’s page says no', async (method, fields) => {
  const { order, entry } = await checkout()
  const { id, address } = await order()
  await send(address, { do: 'pay', method, ...fields })
  await send(address, { do: 'refuse-step' })
  expect(await entry(id)).toMatchObject({ status: 'FAILED', failReason: 'declined by the payer' })
})

test.each([
  ['open-banking', {}, 'Bank Choose one'],
  ['open-banking', { bank: 'NONE' }, 'Bank Choose one'],
  ['installment', { isForeign: 'false' }, 'Personal number Fill in this field'],
  ['installment', { personalNumber: '12', isForeign: 'false' }, 'Personal number Enter 9 or 11 digits'],
  ['installment', { personalNumber: '01001000001' }, 'Foreign citizen Choose one'],
])('%s with %j is refused', async (method, fields, complaint) => {
  const { order } = await checkout()
  const { address } = await order()
  const { status, text } = await send(address, { do: 'pay', method, ...fields } as Record<string, string>)
  expect([status, words(text).includes(complaint)]).toEqual([422, true])
})

const person = { personalNumber: '01001000001', isForeign: false }

test.each([
  ['openBankingLinkProvider', 'TBC', {}],
  ['cryptoPaymentProvider', 'CITYPAY', {}],
  ['installmentPaymentProvider', 'CREDO', person],
])('%s goes straight to that flow: no other method, one click', async (field, provider, more) => {
  const { order, us, entry } = await checkout()
  const [one, other] = [await order({ [field]: provider, ...more }), await order({ [field]: provider, ...more })]
  const { text } = await look(one.address, '?method=card')
  expect(text).not.toMatch(/value="method:|name="number"/)
  expect(words(text)).toContain(`This page plays ${provider}.`)
  // A form that names a card all the same is read as what the order says.
  await send(one.address, { do: 'pay', method: 'card' })
  expect(await us.status(one.id)).toBe('SUCCESS')
  await send(other.address, { do: 'refuse' })
  expect(await entry(other.id)).toMatchObject({ status: 'FAILED', failReason: 'declined by the payer' })
})

test.each([
  ['TBC', 'Card: TBC'],
  ['DEFAULT', 'Card: CREDO Card number'],
])('directLinkProvider %s is the card form at once', async (directLinkProvider, heading) => {
  const { order } = await checkout()
  const { address } = await order({ directLinkProvider })
  const { text } = await look(address)
  expect(text).not.toContain('value="method:')
  expect(words(text)).toContain(heading)
})

test('another method keeps what was typed', async () => {
  const { order } = await checkout()
  const orderProperties = { DESCRIPTION: { value: 'Two books', isEditable: true } }
  const { address } = await order({ orderProperties })
  const { status, text } = await send(address, { do: 'method:crypto', method: 'card', 'property-DESCRIPTION': 'Three' })
  expect(status).toBe(200)
  expect(text).toContain('value="Three"')
  expect(words(text)).toContain('Continue with CITYPAY')
})

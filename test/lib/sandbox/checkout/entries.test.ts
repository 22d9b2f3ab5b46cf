import { expect, test } from 'vitest'
import { approved, checkout, look, pay, send, words } from '../../../kit/sandbox/payer.ts'

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

const treasury = {
  PERSONAL_NUMBER: { value: '01001000001', isEditable: true },
  PAYER_NAME: { value: 'Nino Beridze' },
  PURPOSE: { value: 'Fee', isEditable: true },
  IS_FOREIGN: { value: 'false', isEditable: true },
}

const fine = {
  SERVICE_PROVIDER_CODE: { value: 'SECRET-PROVIDER', isEditable: true },
  SERVICE_CODE: { value: 'SECRET-SERVICE', isEditable: true },
  ENTITY_IDENTIFIER: { value: '123456789' },
  CAR_IDENTIFIER: { value: 'AA-123-BB', isEditable: true },
}

test('properties are inputs where they are editable, else text', async () => {
  const { order } = await checkout('sandbox-treasury')
  const { address } = await order({ orderProperties: treasury, language: 'EN' })
  const { text } = await look(address)
  expect(text).toContain('name="property-PERSONAL_NUMBER" value="01001000001"')
  expect(text).toMatch(/name="property-IS_FOREIGN" value="false"[^>]* checked/)
  expect(text).not.toContain('name="property-PAYER_NAME"')
  expect(words(text)).toContain('Payer Nino Beridze')
})

test('hidden ones are nowhere on any page, even if they are called editable', async () => {
  const { order } = await checkout('sandbox-traffic-fine')
  const { address } = await order({ orderProperties: fine })
  const pages = [await look(address), await look(address, '?lang=EN'), await pay(address, { number: '' })]
  await pay(address, { ...approved, 'property-SERVICE_CODE': 'OTHER', 'property-CAR_IDENTIFIER': 'CC-1' })
  pages.push(await look(address))
  for (const { text } of pages) expect(text).not.toMatch(/SECRET|SERVICE_|PRODUCT/)
  expect(words(pages.at(-1)?.text ?? '')).toContain('CC-1')
  const shop = await checkout()
  const plain = await shop.order({ orderProperties: { INTEGRATOR_PRODUCT_NAME: { value: 'SECRET-PRODUCT' } } })
  expect((await look(plain.address)).text).not.toMatch(/SECRET|PRODUCT/)
})

test.each([
  ['PERSONAL_NUMBER', '123', 'Personal number Enter 9 or 11 digits'],
  ['PERSONAL_NUMBER', ' ', 'Personal number Fill in this field'],
  ['PURPOSE', '', 'Purpose Fill in this field'],
  ['IS_FOREIGN', 'maybe', 'Foreign citizen This is not accepted'],
  ['IS_FOREIGN', '', 'Foreign citizen Choose one'],
])('%s as "%s" is refused by the contract’s rules, beside its field', async (key, value, complaint) => {
  const { order, us } = await checkout('sandbox-treasury')
  const { id, address } = await order({ orderProperties: treasury, language: 'EN' })
  const { status, text } = await pay(address, {
    ...approved,
    [`property-${key}`]: value,
    'property-PURPOSE': key === 'PURPOSE' ? value : 'Kept',
  })
  expect([status, words(text).includes(complaint)]).toEqual([422, true])
  expect(text).toMatch(
    new RegExp(`name="property-${key}"[^>]* aria-describedby="property-${key}-wrong" aria-invalid="true"`),
  )
  if (key !== 'PURPOSE') expect(text).toContain('value="Kept"')
  expect(await us.status(id)).toBe('INITIAL')
})

test('a foreign number is fine once the payer says so, and is kept with the order', async () => {
  const { order, us } = await checkout('sandbox-treasury')
  const { id, address } = await order({ orderProperties: treasury, language: 'EN' })
  await pay(address, {
    ...approved,
    'property-PERSONAL_NUMBER': 'P-77',
    'property-IS_FOREIGN': 'true',
    'property-PAYER_NAME': 'X',
  })
  expect(await us.status(id)).toBe('SUCCESS')
  const text = words((await look(address)).text)
  expect(text).toContain('Personal number P-77 Payer Nino Beridze Purpose Fee Foreign citizen Yes')
})

test('a property that is closed to the payer cannot be made wrong by one that is open', async () => {
  const { order, us } = await checkout('sandbox-treasury')
  const orderProperties = {
    ...treasury,
    PERSONAL_NUMBER: { value: 'P-77' },
    IS_FOREIGN: { value: 'true', isEditable: true },
  }
  const { id, address } = await order({ orderProperties })
  expect((await pay(address, { ...approved, 'property-IS_FOREIGN': 'false' })).status).toBe(422)
  expect(await us.status(id)).toBe('INITIAL')
})

test('after a failed try the form shows what the payer had written', async () => {
  const { order } = await checkout('sandbox-treasury')
  const { address } = await order({ orderProperties: treasury, validUntil: '2026-11-21 10:00:00' })
  await pay(address, { ...approved, number: '5555555555554444', 'property-PURPOSE': 'Other fee' })
  expect((await look(address)).text).toContain('name="property-PURPOSE" value="Other fee"')
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getCard } from '../../../../src/lib/contract/card.ts'
import { groupDigits } from '../../../../src/lib/sandbox/checkout/fields.ts'
import { secondShop, shop, waiter } from '../../../kit/sandbox/integrator.ts'
import {
  approved,
  checkout,
  declined,
  expiredCard,
  insufficient,
  look,
  pay,
  secondStep,
  send,
  words,
} from '../../../kit/sandbox/payer.ts'

test('the page says who is paid and how much, and nothing may be added to it from elsewhere', async () => {
  const { order } = await checkout()
  const { address } = await order({ amount: '48.5' })
  const { status, text, headers } = await look(address)
  expect(status).toBe(200)
  expect(words(text)).toContain('48.50 GEL Recipient Old Town Shop')
  expect(words(text)).not.toContain('To be charged')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; img-src data:; form-action 'self'/)
  expect(policy).not.toContain('unsafe')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(text).not.toMatch(/<script|\son\w+=|(src|href)="(https?:)?\/\//)
})

test('no text of an order becomes a script, and none may run', async () => {
  const { order } = await checkout()
  const evil = '</script><script>alert(1)</script>'
  const { address } = await order({ orderProperties: { DESCRIPTION: { value: evil, isEditable: true } } })
  for (const { text, headers } of [await look(address), await pay(address, { number: evil })]) {
    expect(text).not.toContain('<script')
    expect(headers.get('content-security-policy')).not.toMatch(/script-src|unsafe/)
  }
})

test('paying leads back to the same address, which says paid and leads to the shop', async () => {
  const { order, us, entry } = await checkout()
  const { id, address } = await order()
  const answer = await pay(address)
  expect(answer).toMatchObject({ status: 303, location: address.split('/').at(-1) })
  expect(await us.status(id)).toBe('SUCCESS')
  expect(await entry(id)).toMatchObject({ charges: 1 })
  const { text } = await look(address)
  expect(words(text)).toContain('Paid The payment was successful.')
  expect(text).toContain('href="https://shop.example/paid"')
  expect(text).not.toContain('<form')
})

test.each([
  ['declined', declined, 'declined by the bank', 'The bank declined the payment.'],
  ['expired', expiredCard, 'the card has expired', 'The card has expired.'],
  ['without money', insufficient, 'insufficient funds', 'There is too little money on the card.'],
] as const)('a card that is %s ends the order, and the page says why', async (_what, card, failReason, why) => {
  const { order, entry } = await checkout()
  const { id, address } = await order()
  await pay(address, card)
  expect(await entry(id)).toMatchObject({ status: 'FAILED', failReason, charges: 0 })
  const { text } = await look(address)
  expect(words(text)).toContain(`Not paid ${why} Nothing was taken.`)
  expect(text).toContain('href="https://shop.example/not-paid"')
})

test('with a validUntil a failed try is told of, and another one may succeed', async () => {
  const { order, us } = await checkout()
  const { id, address } = await order({ validUntil: '2026-11-21 10:00:00' })
  expect(words((await look(address)).text)).toContain('To be paid by 2026-11-21 10:00')
  await pay(address, declined)
  const { text } = await look(address)
  expect(words(text)).toContain(
    'The bank declined the payment. Nothing was taken. You can try again until 2026-11-21 10:00 (UTC+4).',
  )
  await pay(address)
  expect(await us.status(id)).toBe('SUCCESS')
})

test('the second step: PROCESSING until six digits are typed', async () => {
  const { order, us } = await checkout()
  const { id, address } = await order()
  await pay(address, secondStep)
  expect(await us.status(id)).toBe('PROCESSING')
  expect(words((await look(address)).text)).toContain('Confirm with a code')
  for (const code of ['', '12345', '1234567', 'abcdef']) {
    const again = await send(address, { do: 'confirm', code })
    expect([again.status, words(again.text).includes('Enter six digits')]).toEqual([422, true])
  }
  expect(await send(address, { do: 'confirm', code: '123 456' })).toMatchObject({ status: 303 })
  expect(await us.status(id)).toBe('SUCCESS')
})

test('the second step can be declined, and fails by itself without an answer', async () => {
  const { order, entry, clock } = await checkout()
  const [one, other] = [await order(), await order()]
  for (const { address } of [one, other]) await pay(address, secondStep)
  await send(one.address, { do: 'refuse-step' })
  expect(await entry(one.id)).toMatchObject({ status: 'FAILED', failReason: 'declined by the payer' })
  clock.forward(4 * 60_000)
  expect((await entry(other.id)).status).toBe('PROCESSING')
  clock.forward(60_000)
  expect(await entry(other.id)).toMatchObject({ status: 'FAILED', failReason: 'not confirmed in time' })
})

test('a second step that was played from the terminal still ends by itself', async () => {
  const { order, sandbox, clock, us } = await checkout()
  const { id, address } = await order({ validUntil: '2026-11-21 10:00:00' })
  await pay(address, secondStep)
  await send(address, { do: 'refuse-step' })
  await sandbox.trigger({ what: 'paid', order: id, card: 'second-step' })
  const { text } = await look(address)
  expect(words(text)).toContain('The payment is under way')
  expect(text).toContain('<meta http-equiv="refresh" content="3">')
  await send(address, { do: 'confirm', code: '123456' })
  expect(await us.status(id)).toBe('PROCESSING')
  clock.forward(3000)
  expect(await us.status(id)).toBe('SUCCESS')
})

test('entries that cannot be a payment are refused, kept in the form, and change nothing', async () => {
  const { order, us } = await checkout()
  const { id, address } = await order()
  const wrong: readonly [Record<string, string>, string][] = [
    [{ ...approved, number: '4242424242424242' }, 'Card number Enter the number of a test card'],
    [{ ...approved, number: '' }, 'Card number Enter the number of a test card'],
    [{ ...approved, expiry: '13/49' }, 'Valid until Enter month and year as MM/YY'],
    [{ ...approved, expiry: '11/49' }, 'Valid until This card says 12/49'],
    [{ ...approved, cvv: '12' }, 'Security code Enter 3 digits'],
    [{ ...secondStep, cvv: '123' }, 'Security code Enter 4 digits'],
  ]
  for (const [fields, complaint] of wrong) {
    const { status, text } = await pay(address, fields)
    expect([status, words(text).includes(complaint)], complaint).toEqual([422, true])
    expect(text).toContain(`value="${groupDigits(String(fields.number))}"`)
    expect(words(text).split(complaint)).toHaveLength(2)
    expect(text).toContain('<title>Error: ')
  }
  expect(await us.status(id)).toBe('INITIAL')
})

test.each(['12/49', '12 / 49', '1249', '12/2049', '12-49'])('a date may be typed as %s', async (expiry) => {
  const { order, us } = await checkout()
  const { id, address } = await order()
  await pay(address, { ...approved, expiry })
  expect(await us.status(id)).toBe('SUCCESS')
})

test('a test card fills the form, and keeps what was typed', async () => {
  const { order } = await checkout()
  const { address } = await order({ tipReceiverId: waiter, tipReceiverType: 'USER' })
  const { status, text } = await send(address, { do: 'fill:second-step', method: 'card', tip: '2', number: 'x' })
  expect(status).toBe(200)
  for (const value of ['3782 8224 6310 005', '12/49', '1234', '2']) expect(text).toContain(`value="${value}"`)
  expect(words(text)).toContain('Filled in: AMEX … 0005')
})

test('a tip goes to whom the order names, and is refused where it is no sum', async () => {
  const { order, entry } = await checkout()
  const { id, address } = await order({ amount: 20, tipReceiverId: waiter, tipReceiverType: 'USER' })
  expect(words((await look(address)).text)).toContain('For Tamar Kapanadze, if you like')
  for (const tip of ['-1', 'x', '1.234', '1e3', '99999999999']) {
    const { status, text } = await pay(address, { ...approved, tip })
    expect([status, words(text).includes('Enter an amount like 1.50 No tip'), text.includes(`value="${tip}"`)]).toEqual(
      [422, true, true],
    )
  }
  await pay(address, { ...approved, tip: '2,5' })
  expect(await entry(id)).toMatchObject({ status: 'SUCCESS', acquiringAmount: { text: '22.50' } })
  expect((await entry(id)).splits.at(-1)).toMatchObject({
    receiverIdentifier: waiter,
    tip: true,
    amount: { text: '2.50' },
  })
  expect(words((await look(address)).text)).toMatch(
    /22\.50 GEL Recipient Old Town Shop Time 2026-11-20 14:00 \(UTC\+4\) Tip 2\.50 GEL/,
  )
})

test('of a sum that was blocked with a tip, and taken in part, the page says how much of it was the tip', async () => {
  const { order, us } = await checkout()
  const tips = { tipReceiverId: waiter, tipReceiverType: 'USER', commissionType: 'SENDER', acquiringCurrency: 'USD' }
  const { id, address } = await order({ amount: 10, payWithPreAuth: true, ...tips })
  await pay(address, { ...approved, tip: '2' })
  expect(words((await look(address)).text)).toMatch(/12\.00 GEL .*Tip 2\.00 GEL/)
  await us.complete(id, 6)
  expect(words((await look(address)).text)).toMatch(/ 6\.00 GEL .*Tip 1\.00 GEL/)
})

test('the sum on the button is the sum that is charged, with commission, exchange and tip', async () => {
  const { order, entry } = await checkout()
  const foreign = { amount: 27, acquiringCurrency: 'USD', commissionType: 'SENDER' }
  const { id, address } = await order({ ...foreign, tipReceiverId: waiter, tipReceiverType: 'USER' })
  const sums = (text: string) => [
    /name="shown" value="([^"]+)"/.exec(text)?.[1],
    / Pay (\S+ USD) Order/.exec(words(text))?.[1],
  ]
  const [before] = sums((await look(address)).text)
  const { text } = await send(address, { do: 'tip:15', method: 'card', ...approved })
  expect(text).toContain('name="tip" value="4.05"')
  const [shown = '', button] = sums(text)
  expect(button).toBe(shown)
  expect(shown).not.toBe(before)
  // A tip that was typed behind the back of the button is not charged unseen.
  const stale = await pay(address, { ...approved, tip: '9', shown })
  expect([stale.status, (await entry(id)).status]).toEqual([200, 'INITIAL'])
  expect(words(stale.text)).toContain(`The sum is ${sums(stale.text)[0]} now. Pay if you agree.`)
  expect(stale.text).toContain('name="cvv" value="123"')
  await pay(address, { ...approved, tip: '4.05', shown })
  expect(`${(await entry(id)).acquiringAmount} USD`).toBe(shown)
  expect(words((await look(address)).text)).toContain(`Charged ${shown}`)
})

test('a click takes the tip away again', async () => {
  const { order } = await checkout()
  const { address } = await order({ amount: 20, tipReceiverId: waiter, tipReceiverType: 'USER' })
  for (const none of ['tip:0', 'tip:7', 'tip:__proto__']) {
    const { text } = await send(address, { do: none, method: 'card', tip: '5' })
    expect(words(text), none).toContain('Pay 20.00 GEL')
  }
})

test('an order without a tip receiver takes no tip, whatever a form says', async () => {
  const { order, entry } = await checkout()
  const { id, address } = await order({ amount: 20 })
  expect((await look(address)).text).not.toContain('name="tip"')
  await pay(address, { ...approved, tip: '5' })
  expect(await entry(id)).toMatchObject({ status: 'SUCCESS', acquiringAmount: { text: '20.00' } })
})

test('commission and exchange are said before they are charged', async () => {
  const { order, entry } = await checkout()
  const foreign = { amount: 27, acquiringCurrency: 'USD', commissionType: 'SENDER' }
  const { id, address } = await order(foreign)
  const charged = /To be charged (\d+\.\d\d) USD commission and exchange included/.exec(
    words((await look(address)).text),
  )?.[1]
  await pay(address)
  expect(String((await entry(id)).acquiringAmount)).toBe(charged)
  expect(words((await look(address)).text)).toContain(`Charged ${charged} USD`)
  const own = await order({ commissionType: 'SENDER' })
  expect(words((await look(own.address)).text)).toContain('GEL commission included')
})

test('a split is shown by names; of an account only its ends', async () => {
  const { order } = await checkout()
  const splitDetails = [
    { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 10 },
    { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: 1.5 },
    { receiverType: 'IBAN', receiverIdentifier: 'GE29NB0000000101904917', amount: 1 },
  ]
  const { address } = await order({ splitDetails })
  const { text } = await look(address)
  expect(words(text)).toContain(
    'Divided among Old Town Shop 10.00 GEL Riverside Shop 1.50 GEL Account GE29…4917 1.00 GEL',
  )
  expect(text).not.toContain('GE29NB0000000101904917')
})

test('the box to save the card is there only where the order saves one, and decides', async () => {
  const { order, us, entry } = await checkout()
  const plain = await order({ directLinkProvider: 'TBC' })
  expect((await look(plain.address)).text).not.toContain('name="keep"')
  const saving = { saveCard: true, directLinkProvider: 'TBC' }
  const [kept, not] = [await order(saving), await order(saving)]
  expect((await look(kept.address)).text).toMatch(/name="keep" value="yes" checked/)
  await pay(kept.address, { ...approved, keep: 'yes' })
  await pay(not.address, approved)
  expect([(await entry(kept.id)).cardSaved, (await entry(not.id)).cardSaved]).toEqual([true, false])
  expect((await us.send(getCard, { integratorOrderId: not.id })).code).toBe(6075)
})

test('a saved card pays again, and refuses where that card refuses', async () => {
  const { order, us, sandbox, entry, clock } = await checkout()
  const saving = { saveCard: true, directLinkProvider: 'TBC' }
  const first = await order()
  expect((await look(first.address)).text).not.toContain('saved-card')
  const tokens: string[] = []
  for (const card of ['approved', 'declined-when-saved']) {
    const integratorOrderId = await us.created(saving)
    await sandbox.trigger({ what: 'paid', order: integratorOrderId, card })
    tokens.push(String((await us.send(getCard, { integratorOrderId })).value.token))
    clock.forward(1000)
  }
  const { text } = await look(first.address, '?method=saved-card')
  // A token charges the card, and the page is open to every visitor.
  for (const token of tokens) expect(text).not.toContain(token)
  const cards = [...text.matchAll(/name="saved" value="([^"]+)"/g)].map(([, card = '']) => card)
  expect(words(text)).toContain('MasterCard 520082******8210, valid until 12/49 VISA 411111******1111')
  const [refusing = '', paying = ''] = cards
  const by = (address: string, saved: string) => send(address, { do: 'pay', method: 'saved-card', saved })
  for (const wrong of [randomUUID(), ...tokens]) expect((await by(first.address, wrong)).status).toBe(422)
  await by(first.address, paying)
  expect(await entry(first.id)).toMatchObject({ status: 'SUCCESS' })
  const second = await order()
  await by(second.address, refusing)
  expect(await entry(second.id)).toMatchObject({ status: 'FAILED', failReason: 'declined by the bank' })
})

test('a plan is paid with nothing, saves the card without asking, and begins', async () => {
  const { order, entry } = await checkout()
  const subscriptionPlan = { interval: 'MONTHLY', intervalCount: 2, amount: 9.99 }
  const { id, address } = await order({ amount: 0, saveCard: true, directLinkProvider: 'TBC', subscriptionPlan })
  const { text } = await look(address)
  expect(words(text)).toMatch(/9\.99 GEL Recipient Old Town Shop every 2 months, the first at once Your card is saved/)
  expect(text).not.toContain('name="keep"')
  expect(words(text)).toContain('Pay 9.99 GEL and subscribe')
  await pay(address)
  expect(await entry(id)).toMatchObject({ status: 'SUCCESS', cardSaved: true })
  const later = { ...subscriptionPlan, startDate: '2026-12-01' }
  const next = await order({ amount: 0, saveCard: true, directLinkProvider: 'TBC', subscriptionPlan: later })
  const { text: saving } = await look(next.address)
  expect(words(saving)).toContain('Save card and subscribe')
  expect(words(saving)).not.toContain('Pay 9.99')
})

test('a sum that is only blocked is said to be blocked; nothing but a card can do that', async () => {
  const { order, us } = await checkout()
  const { id, address } = await order({ payWithPreAuth: true })
  expect((await look(address)).text).not.toContain('method:crypto')
  await pay(address)
  expect(await us.status(id)).toBe('WAITING_FOR_CONFIRM')
  expect(words((await look(address)).text)).toContain('Amount blocked')
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { approved, checkout, look, pay, secondStep, send, words } from '../../../kit/sandbox/payer.ts'

test('an order that there is not has a page that says so, in the language that was asked for', async () => {
  const { url } = await checkout()
  const address = `${url}/checkout/${randomUUID()}`
  expect(await look(address)).toMatchObject({ status: 404 })
  expect((await look(address, '?lang=KA')).text).toContain('ასეთი შეკვეთა არ არსებობს')
  expect((await pay(address)).status).toBe(404)
  expect((await look(`${url}/checkout/${encodeURIComponent('<script>')}`)).text).not.toContain('<script>')
})

test.each([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['another port', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ['another origin, without the newer header', { origin: 'https://evil.example' }],
  ['a hidden origin', { origin: 'null' }],
  ['no page at all', { 'sec-fetch-site': 'none' }],
])('a form from %s is refused and changes nothing', async (_where, headers) => {
  const { order, us } = await checkout()
  const { id, address } = await order()
  expect(await send(address, { do: 'pay', method: 'card', ...approved }, headers)).toMatchObject({ status: 403 })
  expect(await us.status(id)).toBe('INITIAL')
})

test('a program that is no browser may pay', async () => {
  const { order, us } = await checkout()
  const { id, address } = await order()
  await send(address, { do: 'pay', method: 'card', ...approved }, {})
  expect(await us.status(id)).toBe('SUCCESS')
})

test('many payers at once pay once', async () => {
  const { order, entry } = await checkout()
  const { id, address } = await order()
  const answers = await Promise.all(Array.from({ length: 8 }, () => pay(address)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 303))
  expect(await entry(id)).toMatchObject({ status: 'SUCCESS', charges: 1 })
})

test('a form of a tab that is too late leads to how the order is now', async () => {
  const { order, entry } = await checkout()
  const { id, address } = await order()
  await pay(address, secondStep)
  const [{ charges }, late] = [await entry(id), await pay(address)]
  expect([charges, late.status]).toEqual([0, 303])
  expect(words((await look(address)).text)).toContain('Confirm with a code')
  await send(address, { do: 'confirm', code: '123456' })
  for (const more of [
    pay(address),
    send(address, { do: 'confirm', code: '1' }),
    send(address, { do: 'refuse-step' }),
  ]) {
    expect((await more).status).toBe(303)
  }
  expect(await entry(id)).toMatchObject({ status: 'SUCCESS', charges: 1 })
})

test('nonsense does nothing', async () => {
  const { order, us } = await checkout()
  const { id, address } = await order()
  for (const fields of [{}, { do: '' }, { do: 'refuse' }, { do: 'confirm', code: '123456' }, { do: 'toString' }]) {
    expect((await send(address, fields)).status).toBe(303)
  }
  expect((await send(address, { do: 'fill:__proto__' })).status).toBe(200)
  expect((await send(address, { do: 'pay', method: '<b>' })).status).toBe(422)
  expect((await send(address, { do: 'pay', number: 'x'.repeat(9 * 1024 * 1024) })).status).toBe(303)
  expect((await fetch(address, { method: 'PUT' })).status).toBe(404)
  expect(await us.status(id)).toBe('INITIAL')
})

test.each([
  ['CANCELED', 'Order cancelled'],
  ['EXPIRED', 'The time is over'],
  ['REFUND_REQUESTED', 'Refund on its way'],
  ['REFUNDED_BY_INTEGRATOR', 'Refunded'],
  ['PARTIALLY_REFUNDED', 'Partly refunded'],
])('the address of an order that is %s shows that, and no form', async (status, title) => {
  const { order, us, sandbox, clock } = await checkout()
  const { id, address } = await order({ amount: 10 })
  if (status === 'CANCELED') await us.cancel(id)
  else if (status === 'EXPIRED') await sandbox.trigger({ what: 'expired', order: id })
  else {
    await pay(address)
    await us.refund(id, status === 'PARTIALLY_REFUNDED' ? 4 : 10)
    if (status !== 'REFUND_REQUESTED') clock.forward(60_000)
  }
  expect(await us.status(id)).toBe(status)
  const { text } = await look(address)
  expect(words(text)).toContain(title)
  expect(text).not.toContain('<form')
  await pay(address)
  expect(await us.status(id)).toBe(status)
})

test('the browser goes on by itself only to a host that there can be', async () => {
  const { order } = await checkout()
  const refresh = async (successRedirectUri: string) => {
    const { address } = await order({ successRedirectUri })
    await pay(address)
    return /<meta http-equiv="refresh" content="([^"]*)">/.exec((await look(address)).text)?.[1] ?? null
  }
  expect(await refresh('http://localhost:3000/paid?order=1&x=2')).toBe(
    '5; url=http://localhost:3000/paid?order=1&amp;x=2',
  )
  expect(await refresh('https://shop.ge/paid')).toBe('5; url=https://shop.ge/paid')
  for (const host of ['shop.example', 'shop.test', 'shop.invalid', 'example.com', 'www.example.org']) {
    expect(await refresh(`https://${host}/paid`), host).toBeNull()
  }
})

test('characters that reorder a line are shown by their code points, in text and in attributes', async () => {
  const { order } = await checkout()
  const evil = 'Pay \u202E00.1\u202C or \u2066more\u2069\u200F\u061C'
  const { address } = await order({ orderProperties: { DESCRIPTION: { value: evil, isEditable: true } } })
  const pages = [(await look(address)).text, (await pay(address, { number: evil, 'property-DESCRIPTION': evil })).text]
  for (const text of pages) {
    expect(text).not.toMatch(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u206F]/)
    expect(text).toContain('value="Pay &lt;U+202E&gt;00.1&lt;U+202C&gt; or ')
  }
})

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { secondShop, shop, waiter } from '../kit/sandbox/integrator.ts'
import { checkout } from '../kit/sandbox/payer.ts'
import { expectNoSidewaysScrolling, expectWellInEveryLook, useBrowser } from './browser/browser.ts'
import { looks } from './browser/chromium.ts'

const visit = useBrowser()

const whole = {
  amount: 48.5,
  tipReceiverId: waiter,
  tipReceiverType: 'USER',
  acquiringCurrency: 'USD',
  commissionType: 'SENDER',
  validUntil: '2026-11-21 10:00:00',
  splitDetails: [
    { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 40 },
    { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: 8.5 },
  ],
  orderProperties: {
    INVOICE_NUMBER_LABEL: { value: '2026/114' },
    DESCRIPTION: { value: 'Two books', isEditable: true },
    INTEGRATOR_PRODUCT_NAME: { value: 'HIDDEN-PRODUCT' },
  },
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const title = async (page: Page) => await page.getByRole('heading', { level: 1 }).textContent()

/** Fills in a test card out of the sandbox's drawer. */
async function fillIn(page: Page, what: string): Promise<void> {
  if (!(await button(page, new RegExp(what)).isVisible())) await page.locator('summary').click()
  await button(page, new RegExp(what)).click()
}

async function payWith(page: Page, what: string): Promise<void> {
  await fillIn(page, what)
  await button(page, /^Pay/).click()
}

test('the approved card pays, and the page leads back to the shop', async () => {
  const { order, entry } = await checkout()
  const { id, address } = await order()
  const { page, strayed, complaints } = await visit()
  await page.goto(address)
  await payWith(page, 'is approved$')
  expect(await title(page)).toBe('Paid')
  expect(page.url()).toBe(address)
  expect(await entry(id)).toMatchObject({ status: 'SUCCESS', charges: 1 })
  expect(await page.getByRole('link', { name: 'Back to the shop' }).getAttribute('href')).toBe(
    'https://shop.example/paid',
  )
  await page.reload()
  expect(await entry(id)).toMatchObject({ status: 'SUCCESS', charges: 1 })
  expect([strayed, complaints]).toEqual([[], []])
})

test('after the payment the browser goes on to the shop by itself', async () => {
  const { order } = await checkout()
  const { address } = await order({ successRedirectUri: 'https://shop.ge/paid?order=1' })
  const { page, strayed } = await visit()
  await page.goto(address)
  await payWith(page, 'is approved$')
  await page.getByText('You are taken there in 5 seconds.').waitFor()
  await expect.poll(() => strayed, { timeout: 10_000 }).toEqual(['https://shop.ge/paid?order=1'])
})

test('the keyboard alone is enough', async () => {
  const { order, us } = await checkout()
  const { id, address } = await order()
  const { page } = await visit()
  await page.goto(address)
  const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent')
  const seen: unknown[] = []
  for (let turn = 0; turn < 12 && seen.at(-1) !== 'number'; turn += 1) {
    await page.keyboard.press('Tab')
    seen.push(await focused())
  }
  expect(seen).toEqual(['Card', 'Bank account', 'Cryptocurrency', 'Instalments', 'number'])
  for (const typed of ['4111111111111111', '1249', '123']) {
    if (typed.length < 16) await page.keyboard.press('Tab')
    await page.keyboard.type(typed)
  }
  // Enter in a field pays: it does not press the first button that is seen, another method.
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(await us.status(id)).toBe('SUCCESS')
})

test('it works without JavaScript', async () => {
  const { order, us } = await checkout()
  const { id, address } = await order(whole)
  const { page } = await visit({ ...looks['phone-light'], javaScriptEnabled: false })
  await page.goto(address)
  await button(page, 'Instalments').click()
  await button(page, /^Card/).click()
  await payWith(page, 'asks for a code')
  await page.getByLabel('Code').fill('123456')
  await button(page, 'Confirm').click()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(await us.status(id)).toBe('SUCCESS')
})

test('checkout: every page is accessible and fits, narrow and wide, dark and light', async () => {
  const { order } = await checkout()
  const { page, complaints } = await visit()
  const check = () => expectWellInEveryLook(page)
  await page.goto((await order(whole)).address)
  await check()
  await page.locator('summary').click()
  await check()
  await page.evaluate("document.querySelector('form').noValidate = true")
  await button(page, /^Pay/).click()
  await page.getByText('Enter the number of a test card').waitFor()
  await check()
  await button(page, 'Instalments').click()
  await check()
  await button(page, /^Card/).click()
  await payWith(page, 'is declined')
  await check()
  await payWith(page, 'asks for a code')
  await check()
  await page.getByLabel('Code').fill('123456')
  await button(page, 'Confirm').click()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await check()
  // Chromium tells of every answer that is no 2xx.
  expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
})

test.each(['EN', 'KA', 'IT'])('at 320 pixels nothing sticks out in %s', async (language) => {
  const { order } = await checkout()
  const { address } = await order({ ...whole, language })
  const { page } = await visit({ viewport: { width: 320, height: 640 } })
  for (const query of ['', '?method=open-banking', '?method=installment']) {
    await page.goto(address + query)
    await page.locator('summary').click()
    await expectNoSidewaysScrolling(page)
  }
})

const phones = [
  [390, 844, 'EN'],
  [360, 640, 'EN'],
  [360, 640, 'KA'],
  [360, 640, 'IT'],
] as const

test.each(phones)('on a phone of %i by %i a card order in %s needs no scrolling', async (width, height, language) => {
  const { order, us } = await checkout()
  const { id, address } = await order({ language, orderProperties: { DESCRIPTION: { value: 'Two books' } } })
  const { page } = await visit({ viewport: { width, height } })
  await page.goto(address)
  const box = await page.locator('button.main').boundingBox()
  expect(box).not.toBeNull()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
  const [expiry, code] = [await page.locator('#expiry').boundingBox(), await page.locator('#cvv').boundingBox()]
  expect(expiry?.y).toBe(code?.y)
  await page.locator('#number').fill('4111111111111111')
  await page.locator('#expiry').fill('1249')
  await page.locator('#cvv').fill('123')
  await page.locator('button.main').click()
  await page.locator('.mark.good').waitFor()
  expect(await page.evaluate('scrollY')).toBe(0)
  expect(await us.status(id)).toBe('SUCCESS')
})

test('the result says how much, to whom and when, and leads back', async () => {
  const { order } = await checkout()
  const { page } = await visit(looks['phone-light'])
  await page.goto((await order()).address)
  await payWith(page, 'is approved$')
  const text = (await page.locator('main').textContent()) ?? ''
  const told = ['✓', 'Paid', '12.50 GEL', 'Old Town Shop', '2026-11-20 14:00 (UTC+4)', 'Back to the shop'].map((part) =>
    text.indexOf(part),
  )
  expect(told).not.toContain(-1)
  expect(told).toEqual(told.toSorted((one, other) => one - other))
})

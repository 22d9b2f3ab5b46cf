/** The log in the console: found, folded, followed, copied; and what can be done from there. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { receiver } from '../kit/callback.ts'
import { callers } from '../kit/sandbox/callers.ts'
import { integratorNamed } from '../kit/sandbox/integrator.ts'
import { expectAccessible, expectNoSidewaysScrolling, useBrowser } from './browser/browser.ts'
import { looks } from './browser/chromium.ts'
import { entries, goToSection, opener, openInList, pay, seeInDetail, seeInList } from './browser/console.ts'

const visit = useBrowser()
const opened = opener(visit)

test('a row says how much, to whom and about what, of a poll too', async () => {
  const { page, sandbox, url } = await opened()
  const us = await integratorNamed(sandbox, url)
  const id = await us.created({ amount: 64.9 })
  await us.status(id)
  await pay(sandbox, url, { amount: 12.5, beneficiaryName: 'Nino Beridze' })
  await sandbox.requests.flush()
  await seeInList(page, 'payout.create')
  const row = async (operation: string) => {
    const cells = page.locator(
      `#list tr:has-text("${operation}") :is([data-column=payee], [data-column=amount], [data-column=id])`,
    )
    return await cells.allTextContents()
  }
  expect((await row('payout.create')).slice(0, 2)).toEqual(['Nino Beridze', 'GEL 12.50'])
  expect(await row('order.status')).toEqual(['Old Town Shop', 'GEL 64.90', `${id.slice(0, 8)}…`])
  expect(await row('order.create')).toEqual(await row('order.status'))
})

test('polls are one row with their number; a click shows each, another folds them', async () => {
  const { page, sandbox, url } = await opened()
  const us = await integratorNamed(sandbox, url)
  const [one, other] = [await us.created(), await us.created()]
  for (let turn = 0; turn < 7; turn += 1) for (const id of [one, other]) await us.status(id)
  await sandbox.trigger({ what: 'paid', order: one })
  for (let turn = 0; turn < 3; turn += 1) await us.status(one)
  await sandbox.requests.flush()
  // The list may have been drawn in between, when there were fewer.
  await expect.poll(() => page.locator('#list .fold').allTextContents()).toEqual(['×3', '×7', '×7'])
  await expect.poll(() => entries(page).count()).toBe(5)
  await page.locator('#list .fold').first().focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => entries(page).count()).toBe(7)
  // The focus is where it was, and a newer poll joins the group that lies open.
  await us.status(one)
  await sandbox.requests.flush()
  await expect.poll(() => entries(page).count()).toBe(8)
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('×4 –')
  await page.keyboard.press('Enter')
  await expect.poll(() => entries(page).count()).toBe(5)
})

test('a request leads to its order, the order to its callback, the callback back', async () => {
  const { page } = await opened(undefined, true)
  await openInList(page, 'order.refund')
  await page.click('.onward a:has-text("Order")')
  await seeInDetail(page, 'Order of GEL 240.00')
  await page.click('.onward a:has-text("Callback")')
  await seeInDetail(page, 'Callback of a payment')
  await page.click('.onward a:has-text("Order")')
  await seeInDetail(page, 'Order of GEL 240.00')
  await page.click('.onward a:has-text("Every request about it")')
  await seeInList(page, 'order.refund')
  expect(await page.locator('#list tr:has-text("payout.create")').count()).toBe(0)
  await page.goBack()
  await seeInDetail(page, 'Order of GEL 240.00')
})

test('previous and next lead through the list, the focus stays on them', async () => {
  const { page } = await opened(undefined, true)
  const ids = await entries(page).evaluateAll((links) => links.map(({ id }) => id))
  const current = () => page.getAttribute('#list tr[aria-current] a', 'id')
  await entries(page).nth(1).click()
  await page.waitForSelector('#detail article')
  await page.click('#next')
  await expect.poll(current).toBe(ids[2])
  await page.keyboard.press('Enter')
  await expect.poll(current).toBe(ids[3])
  await page.click('#previous')
  await expect.poll(current).toBe(ids[2])
})

test('a request is copied as JSON and as a line for a shell, secrets hidden', async () => {
  const { page, context, url } = await opened(undefined, true)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = async () => String(await page.evaluate('navigator.clipboard.readText()'))
  await openInList(page, '1250.00')
  await page.waitForSelector('#detail article')
  await page.keyboard.press('c')
  await page.locator('#said:has-text("Copied as JSON")').waitFor()
  expect(JSON.parse(await copied())).toMatchObject({ operation: 'payout.create', payload: { amount: 1250 } })
  await page.click('#copy-curl')
  await page.locator('#said:has-text("Copied as curl")').waitFor()
  expect(await copied()).toMatch(new RegExp(`^curl -X POST \\\\\\n  '${url}/api/distributor' .*`))
  expect(await copied()).toContain('Bearer $TOKEN')
})

test('a callback is sent again, that very one', async () => {
  const there = await receiver()
  const { page, sandbox, url } = await opened()
  const us = await integratorNamed(sandbox, url)
  const order = await us.created({ callbackUri: 'https://shop.example/called' })
  await sandbox.trigger({ what: 'paid', order })
  await sandbox.trigger({ what: 'callback', order, set: ['amount=0.01'] })
  const called = await us.created({ callbackUri: there.url })
  await sandbox.trigger({ what: 'paid', order: called })
  await goToSection(page, 'Callbacks')
  await page.locator('#entry-1').click()
  await page.click('#resend')
  await page.locator('#said:has-text("Callback 4 is not sent: shop.example")').waitFor()
  await page.locator('#entry-3').click()
  await seeInDetail(page, there.url)
  await page.click('#resend')
  await page.locator('#said:has-text("It is sent again, as callback 5.")').waitFor()
  expect((await sandbox.callbacks.list()).map(({ note }) => note)).toEqual([
    ...[null, 'edited: amount', null],
    ...['duplicate of 1', 'duplicate of 3'],
  ])
})

test('a paid order is refunded in part and then the rest, and what is typed stays while the page renews itself', async () => {
  const { page, sandbox, url } = await opened()
  const us = await integratorNamed(sandbox, url)
  const order = await us.created({ amount: 20 })
  await sandbox.trigger({ what: 'paid', order })
  await goToSection(page, 'Orders')
  await openInList(page, 'GEL 20.00')
  await page.fill('#play-amount', '7.5')
  await page.keyboard.press('ArrowLeft')
  // The details change under the hands: another callback joins its links.
  await sandbox.trigger({ what: 'callback', order })
  await page.locator('.onward a:has-text("Callback 2")').waitFor()
  expect(await page.inputValue('#play-amount')).toBe('7.5')
  await page.keyboard.type('2')
  expect(await page.inputValue('#play-amount')).toBe('7.25')
  await page.keyboard.press('Enter')
  await page.locator('#said:has-text("The order is PARTIALLY_REFUNDED.")').waitFor()
  await seeInDetail(page, 'refunded7.25')
  await page.fill('#play-amount', '')
  await page.click('#play-refunded')
  await page.locator('#said:has-text("The order is REFUNDED_BY_")').waitFor()
  await page.locator('#play-refunded').waitFor({ state: 'detached' })
})

test('the next answer is lost by one click, and the log says what was executed all the same', async () => {
  const { page, sandbox, url } = await opened()
  await goToSection(page, 'Clock and faults')
  await page.click('#preset-lose-answer')
  await page.locator('#said:has-text("its answer is lost")').waitFor()
  await expect(pay(sandbox, url)).rejects.toThrow()
  await goToSection(page, 'Requests')
  await openInList(page, 'reset after')
  await seeInDetail(page, 'Answer, which did not arrive whole')
  await seeInDetail(page, 'accepted: INITIAL')
  expect(await page.locator('#detail .bad').count()).toBe(0)
})

test('the cause of a refusal stands first, the step that failed after it', async () => {
  const { page } = await opened(undefined, true)
  await openInList(page, '6010')
  await page.waitForSelector('#detail .cause')
  const text = (await page.locator('#detail').textContent()) ?? ''
  const order = ['It was sealed to another public key', 'step', 'unwrap', 'B1, service.md'].map((part) =>
    text.indexOf(part),
  )
  expect(order).toEqual(order.toSorted((one, other) => one - other))
  expect(order[0]).toBeGreaterThan(0)
})

test('what never happened is not red: a callback that nobody can be sent, an order that was cancelled, a page that opens', async () => {
  const { page, sandbox, url } = await opened()
  const us = await integratorNamed(sandbox, url)
  await sandbox.trigger({ what: 'paid', order: await us.created() })
  await us.cancel(await us.created())
  await sandbox.trigger({ what: 'expired', order: await us.created() })
  for (const [view, words] of [
    ['Callbacks', 'not sent'],
    ['Orders', 'CANCELED'],
    ['Orders', 'EXPIRED'],
  ] as const) {
    await goToSection(page, view)
    await page.locator(`#list .mark.plain:has-text("${words}")`).waitFor()
    expect(await page.locator('#list .bad').count()).toBe(0)
  }
  const opening = await (await fetch(`${url}/_sandbox`, { headers: { cookie: await cookieOf(page) } })).text()
  expect(opening).toContain('<p id="live" role="status">connecting</p>')
})

async function cookieOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies(`${new URL(page.url()).origin}/_sandbox`)
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

test('every time has its zone', async () => {
  const { page } = await opened(undefined, true)
  for (const view of ['Requests', 'Payouts', 'Orders', 'Callbacks']) {
    await goToSection(page, view)
    await page.waitForSelector(`nav a[aria-current]:has-text("${view}")`)
    expect(await page.locator('#list thead').textContent()).toContain('UTC+4')
    await entries(page).first().click()
    await seeInDetail(page, 'UTC+4')
  }
})

test('at 360 pixels a folded list, a refusal and a refund fit and are accessible, light and dark', async () => {
  const { page, sandbox, url } = await opened({ viewport: { width: 360, height: 640 } }, true)
  const check = async () => {
    await expectNoSidewaysScrolling(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
  }
  const { byIban } = await callers(sandbox)
  const headers = { authorization: `Bearer ${byIban.token}` }
  for (let turn = 0; turn < 14; turn += 1) await fetch(`${url}/api/distributor/balance/check?currency=USD`, { headers })
  await sandbox.requests.flush()
  await seeInList(page, '×14')
  await check()
  for (const [view, row] of [
    ['Requests', '6010'],
    ['Requests', 'html502'],
    ['Orders', 'GEL 240.00'],
  ] as const) {
    await goToSection(page, view)
    await page.waitForSelector(`nav a[aria-current]:has-text("${view}")`)
    await openInList(page, row)
    await page.waitForSelector('#detail article')
    await check()
  }
})

test('on a desktop in the dark the filtered list and an open entry are accessible', async () => {
  const { page, complaints, strayed } = await opened(looks['desktop-dark'], true)
  await page.click('#only-errors')
  await openInList(page, 'WRONG_AMOUNT')
  await page.waitForSelector('#detail article')
  await expectAccessible(page)
  await goToSection(page, 'Clock and faults')
  await page.locator('#preset-lose-answer').waitFor()
  await expectAccessible(page)
  expect([complaints, strayed]).toEqual([[], []])
})

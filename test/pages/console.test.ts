import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { expectNoSidewaysScrolling, expectWellInEveryLook, useBrowser } from './browser/browser.ts'
import { entries, goToSection, opener, openInList, pay, seeInDetail, seeInList } from './browser/console.ts'

const visit = useBrowser()

const opened = opener(visit)

/** One of every kind of list, detail and form: what they are made of is the same everywhere. */
const looked = ['Requests', 'Orders', 'Balances', 'Clock and faults']

test('console: every section is accessible and fits, narrow and wide, dark and light', async () => {
  const { page, strayed, complaints } = await opened(undefined, true)
  const titles = await page.locator('nav a').evaluateAll((all) => all.map((link) => link.firstChild?.textContent ?? ''))
  expect(titles).toHaveLength(9)
  for (const title of titles) {
    const check = () => (looked.includes(title) ? expectWellInEveryLook(page) : expectNoSidewaysScrolling(page))
    await goToSection(page, title)
    await page.waitForSelector(`nav a[aria-current]:has-text("${title}")`)
    await check()
    if ((await entries(page).count()) === 0) continue
    await entries(page).first().click()
    await page.waitForSelector('#detail article')
    await check()
  }
  await page.click('#help')
  await expectWellInEveryLook(page)
  expect(strayed).toEqual([])
  expect(complaints).toEqual([])
})

test('a payout that another process makes appears by itself', { timeout: 90_000 }, async () => {
  const { page, home } = await opened()
  await goToSection(page, 'Payouts')
  await page.locator('text=Nothing was paid out in this world.').waitFor()
  const program = join(import.meta.dirname, '../../bin/dev.js')
  const argv = ['--import', 'tsx', program, ...create({ 'beneficiary-name': 'ნინო ბერიძე' })]
  await promisify(execFile)(process.execPath, argv, { env: { ...process.env, PAYDESK_HOME: home } })
  await seeInList(page, 'ნინო ბერიძე')
  // Time passes, and it goes its course.
  await seeInList(page, 'SUCCESS')
  await goToSection(page, 'Requests')
  await seeInList(page, 'payout.create')
  await seeInList(page, 'auth.token')
})

test('searching narrows the list as one types, and finds what comes in later', async () => {
  const { page, sandbox, url } = await opened(undefined, true)
  await page.fill('#q', '6031 sandbox-bare')
  await expect.poll(() => entries(page).count()).toBe(1)
  expect(page.url()).toContain('q=6031')
  await page.fill('#q', 'a name that comes later')
  await page.locator('text=Nothing here holds').waitFor()
  await pay(sandbox, url, { beneficiaryName: 'A Name That Comes Later' })
  await expect.poll(() => entries(page).count()).toBe(1)
  expect(await page.inputValue('#q')).toBe('a name that comes later')
  expect(await page.textContent('nav a:has-text("Payouts") b')).toBe('1')
})

test('everything can be done with the keyboard alone', async () => {
  const { page } = await opened(undefined, true)
  const focused = () => page.evaluate('document.activeElement?.id ?? ""')
  const all = await entries(page).evaluateAll((links) => links.map(({ id }) => id))
  await page.keyboard.press('j')
  expect(await focused()).toBe(all[0])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  expect(await focused()).toBe(all[1])
  await page.keyboard.press('Enter')
  await page.waitForSelector('#detail article')
  expect(await page.getAttribute('#list tr[aria-current] a', 'id')).toBe(all[1])
  // With one open, the next is opened.
  await page.keyboard.press('j')
  await expect.poll(() => page.getAttribute('#list tr[aria-current] a', 'id')).toBe(all[2])
  await page.keyboard.press('Escape')
  await page.waitForSelector('#detail article', { state: 'detached' })
  expect(await focused()).toBe(all[2])
  await page.keyboard.press('/')
  await page.keyboard.type('"statusCode":6010')
  await expect.poll(() => entries(page).count()).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(() => entries(page).count()).toBeGreaterThan(9)
  await page.keyboard.press('Escape')
  await page.keyboard.press('3')
  await seeInList(page, 'GEL 64.90')
  await page.keyboard.press('?')
  await page.waitForSelector('dialog[open]')
  await page.keyboard.press('j')
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog[open]', { state: 'hidden' })
  // Tab reaches the places that no shortcut reaches.
  await page.keyboard.press('9')
  await page.locator('#by').waitFor()
  for (let tabs = 0; tabs < 60 && (await focused()) !== 'by'; tabs += 1) await page.keyboard.press('Tab')
  expect(await focused()).toBe('by')
  await page.keyboard.type('2h')
  await page.keyboard.press('Enter')
  await page.locator('#said:has-text("at the service")').waitFor()
})

test('a fault that was ordered by hand strikes, and its request says so', async () => {
  const { page, sandbox, url } = await opened()
  await goToSection(page, 'Clock and faults')
  await page.selectOption('#at', 'after')
  await page.selectOption('#kind', 'html502')
  await page.click('button:has-text("Order it")')
  await page.locator('[data-part=faults]:has-text("html502 after")').waitFor()
  expect((await pay(sandbox, url)).status).toBe(502)
  await page.locator('[data-part=faults]:has-text("No faults.")').waitFor()
  await goToSection(page, 'Requests')
  await openInList(page, 'html502 after')
  await seeInDetail(page, 'accepted: INITIAL')
})

test('the clock is moved by hand, and a text being typed stays', async () => {
  const { page, sandbox, url } = await opened()
  await pay(sandbox, url, { description: 'sandbox:failed' })
  await goToSection(page, 'Clock and faults')
  await page.fill('#to', '2099-01-0')
  await page.click('#leap-31d')
  await page.locator('[data-part=clock]:has-text("31 d ahead")').waitFor()
  expect((await sandbox.clock()).ahead).toBe(31 * 86_400_000)
  expect(await page.inputValue('#to')).toBe('2099-01-0')
  await page.fill('#by', 'soon')
  await page.keyboard.press('Enter')
  await page.locator('#said.bad:has-text("not “soon”")').waitFor()
  await goToSection(page, 'Payouts')
  await seeInList(page, 'FAILED')
})

test('what was chosen for a play stays when the order is shown anew', async () => {
  const { page, sandbox, url } = await opened(undefined, true)
  await goToSection(page, 'Orders')
  await openInList(page, 'GEL 64.90')
  await page.selectOption('#play-card', 'declined')
  // The part of the order is renewed at the next event, because it differs from that of the server.
  const isOld = () => page.locator('#old').count()
  await page.locator('#play-card').evaluate((field) => field.insertAdjacentHTML('afterend', '<i id="old"></i>'))
  expect(await isOld()).toBe(1)
  await pay(sandbox, url, {})
  await expect.poll(isOld).toBe(0)
  expect(await page.inputValue('#play-card')).toBe('declined')
})

test('a sandbox that has stopped is noticed', async () => {
  const { page, close } = await opened()
  await close()
  await page.waitForSelector('#live.lost:has-text("not connected")')
})

/** The dashboard in a real browser: accessible in every look, nothing from elsewhere, and renewed by itself. */
import { expect, test } from 'vitest'
import { approved } from '../kit/approval/persons.ts'
import { expectAccessible, expectNoSidewaysScrolling, useBrowser } from '../kit/browser/browser.ts'
import { lookNames, looks } from '../kit/browser/chromium.ts'
import { dashboardOver, dashboardProcess, seenStore } from '../kit/browser/dashboard.ts'

const visit = useBrowser()

test('it is accessible and fits in light and dark, wide and narrow, and asks for nothing elsewhere', {
  timeout: 120_000,
}, async () => {
  const store = await seenStore()
  const { url } = await dashboardOver(store)
  for (const name of lookNames) {
    const { page, strayed, complaints } = await visit(looks[name])
    await page.goto(url)
    await page.getByRole('heading', { name: 'Unknown: 1' }).waitFor()
    // Once renewed: what came breaks no policy.
    await page.waitForResponse((answer) => answer.request().headers()['x-parts'] !== undefined)
    expect(new URL(page.url()).search, 'the token stays in no address').toBe('')
    await expectAccessible(page)
    await expectNoSidewaysScrolling(page)
    expect([strayed, complaints], name).toEqual([[], []])
  }
})

test('what changes in the store is on the page by itself, and a dashboard that ended is told', {
  timeout: 120_000,
}, async () => {
  const store = await seenStore()
  const { url, child } = await dashboardProcess(store)
  const { page } = await visit()
  await page.goto(url)
  await page.getByRole('heading', { name: 'Approvals waiting: 1' }).waitFor()
  const table = page.getByRole('region', { name: 'Batches' })
  await table.focus()
  await approved(store.approvalId, store.nino, store, 'GEL 1200')
  await page.getByRole('heading', { name: 'Approvals waiting: 0' }).waitFor()
  expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Batches')
  expect(await page.getByRole('status').textContent()).toBe('as of now')
  child.kill('SIGTERM')
  await page.getByText('no answer').waitFor()
})

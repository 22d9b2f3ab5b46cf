/** The dashboard in a real browser: accessible in every look, nothing from elsewhere, and renewed by itself. */
import { expect, test } from 'vitest'
import { approved } from '../kit/team.ts'
import { expectWellInEveryLook, useBrowser } from './browser/browser.ts'
import { dashboardOver, dashboardProcess, seenStore } from './browser/dashboard.ts'

const visit = useBrowser()

test('dashboard: it is accessible and fits, narrow and wide, dark and light, and asks for nothing elsewhere', async () => {
  const { url } = await dashboardOver(await seenStore())
  const { page, strayed, complaints } = await visit()
  await page.goto(url)
  await page.getByRole('heading', { name: 'Unknown: 1' }).waitFor()
  // Once renewed: what came breaks no policy.
  await page.waitForResponse((answer) => answer.request().headers()['x-parts'] !== undefined)
  expect(new URL(page.url()).search, 'the token stays in no address').toBe('')
  await expectWellInEveryLook(page)
  expect([strayed, complaints]).toEqual([[], []])
})

test('dashboard: a change in the store appears on the page by itself, and an ended dashboard is told', async () => {
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

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { employees, handPayroll } from '../kit/batch.ts'
import { succeeds } from '../kit/program.ts'
import { json } from '../kit/service.ts'
import { expectNoSidewaysScrolling, expectWellInEveryLook, useBrowser } from './browser/browser.ts'
import { looks } from './browser/chromium.ts'

const visit = useBrowser()

/** The report of a plan with rows of every state, as a page. */
async function page(): Promise<string> {
  const rows = employees(12, { description: 'Salary November' })
  const payroll = await handPayroll(rows, ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    if (body.includes('"amount":2.25')) return json({ message: 'The beneficiary is not known', statusCode: 5041 }, 400)
    return body.includes('"amount":3.25') ? { status: 502, body: '' } : undefined
  })
  await payroll.plan()
  const line = ['batch', 'run', payroll.planId, '--confirm', 'GEL 81', '--concurrency', '4', '--max-failures', '2']
  await payroll.run([...line, '--timeout', '3s'])
  const path = join(payroll.home, 'report.html')
  await succeeds(payroll.batch('report', '--format', 'html', '--out', path))
  return readFileSync(path, 'utf8')
}

test('the report is accessible and fits, narrow and wide, dark and light, and needs no script', async () => {
  const { page: seen, strayed, complaints } = await visit()
  await seen.setContent(await page())
  await expectWellInEveryLook(seen)
  expect(await seen.getByRole('heading', { level: 1 }).textContent()).toMatch(/^Plan b-/)
  expect(await seen.getByRole('img').getAttribute('aria-label')).toMatch(/^\d+ rows from/)
  expect(await seen.getByRole('heading', { name: 'What to do next' }).count()).toBe(1)
  expect(await seen.locator('rect[class="ok"]').count()).toBeGreaterThan(0)
  expect(await seen.locator('script').count()).toBe(0)
  expect([strayed, complaints]).toEqual([[], []])
})

test('the report prints on A4, in light colours, and nothing of it is cut off', async () => {
  // 210 mm without the margins, at 96 dots to the inch.
  const { page: seen } = await visit({ ...looks['desktop-dark'], viewport: { width: 688, height: 1017 } })
  await seen.setContent(await page())
  await seen.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expectNoSidewaysScrolling(seen)
  expect(await seen.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
  const pdf = (await seen.pdf({ preferCSSPageSize: true })).toString('latin1')
  const sizes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, wide, high]) => [
    Math.round(Number(wide)),
    Math.round(Number(high)),
  ])
  expect(sizes.length).toBeGreaterThan(0)
  for (const size of sizes) expect(size).toEqual([595, 842])
})

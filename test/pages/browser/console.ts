import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { onTestFinished, vi } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import type { Sandbox } from '../../../src/lib/sandbox/sandbox.ts'
import { newHome } from '../../kit/program.ts'
import { callers, toIban } from '../../kit/sandbox/callers.ts'
import { busyWorld, withConsole } from '../../kit/sandbox/console.ts'
import { fileSandbox } from '../../kit/sandbox/stand.ts'
import type { useBrowser } from './browser.ts'

type Visit = ReturnType<typeof useBrowser>

/** Opens the console of a new sandbox, in which nothing or a lot has happened. */
export function opener(visit: Visit) {
  return async (options?: Parameters<Visit>[0], isBusy = false) => {
    const home = newHome()
    const sandbox = await fileSandbox(join(home, 'sandbox'), realClock)
    const served = await withConsole(sandbox)
    onTestFinished(() => served.close())
    if (isBusy) await busyWorld(sandbox, served.url)
    const visitor = await visit(options)
    await visitor.page.goto(served.door)
    await visitor.page.waitForSelector('#live.live')
    return { home, sandbox, ...served, ...visitor }
  }
}

/** Pays out over the socket. */
export async function pay(sandbox: Sandbox, url: string, fields: Record<string, unknown> = {}): Promise<Response> {
  const { byIban } = await callers(sandbox)
  const headers = { authorization: `Bearer ${byIban.token}` }
  return await fetch(`${url}/api/distributor`, { method: 'POST', headers, body: JSON.stringify(toIban(fields)) })
}

export const entries = (page: Page) => page.locator('#list a.entry')

export const seeInList = (page: Page, text: string) => page.locator(`#list tr:has-text("${text}")`).first().waitFor()

export const seeInDetail = (page: Page, text: string) => page.locator(`#detail article:has-text("${text}")`).waitFor()

/** Goes to a section; its list is there behind it, and not that of the section before. */
export async function goToSection(page: Page, title: string): Promise<void> {
  await page.click(`nav a:has-text("${title}")`)
  await page.locator(`nav a[aria-current]:has-text("${title}")`).waitFor()
}

/** Opens the row with this text. A list that is drawn anew between the two halves of a click takes none. */
export async function openInList(page: Page, text: string): Promise<void> {
  const row = `tr:has-text("${text}")`
  await vi.waitFor(
    async () => {
      await page.locator(`#list ${row}`).click()
      await page.locator(`#list tr[aria-current]:has-text("${text}")`).waitFor({ state: 'attached', timeout: 5_000 })
    },
    { timeout: 30_000 },
  )
}

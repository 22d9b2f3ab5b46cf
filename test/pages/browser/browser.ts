/**
 * A real browser for the tests of the pages: one for the whole run, a context of its own for every test, and nothing
 * that a page asks for leaves the machine.
 */
import { env, stderr } from 'node:process'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, TestRunner, vi } from 'vitest'
import { serviceOfRun } from '../../kit/run/services.ts'
import { looks } from './chromium.ts'
import { browserVariable } from './find.ts'

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** Addresses outside of this machine that a page asked for; they were not sent. */
  readonly strayed: readonly string[]
  /** Complaints on the pages' consoles, breaches of the content security policy among them. */
  readonly complaints: readonly string[]
}

const isOwn = (address: string) => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname)

async function visitor(browser: Browser, options: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  // Shorter than a test may take, so that the complaint says what was waited for.
  context.setDefaultTimeout(30_000)
  const strayed: string[] = []
  const complaints: string[] = []
  await context.route('**/*', async (route) => {
    const address = route.request().url()
    if (isOwn(address)) return await route.continue()
    strayed.push(address)
    await route.abort()
  })
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  return { context, page: await context.newPage(), strayed, complaints }
}

/** Without a browser the tests of the pages are skipped, loudly; with PAYDESK_NEVER_SKIP they fail instead. */
function doWithout(error: unknown): undefined {
  if (env.PAYDESK_NEVER_SKIP || env[browserVariable]) throw error
  stderr.write(`\n*** SKIPPED: ${error}: what the pages do in one was not checked ***\n\n`)
}

/** The browser of the run, for a test file. Each call of its result opens a fresh context, without any earlier visit. */
export function useBrowser(): (options?: BrowserContextOptions) => Promise<Visitor> {
  // A browser has many processes, which all other tests hold up.
  vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })
  let browser: Browser | undefined
  beforeAll(async () => {
    const address = await serviceOfRun('browser').catch(doWithout)
    if (address) browser = await chromium.connect(address)
  })
  afterAll(async () => await browser?.close())
  return async (options = looks['desktop-light']) => {
    if (browser) return await visitor(browser, options)
    TestRunner.getCurrentTest()?.context.skip('no browser')
    throw new Error('the browser has not been launched')
  }
}

/** No rule of axe is broken, each breach as one line. */
export async function expectAccessible(page: Page): Promise<void> {
  // The pages have no frames of other hosts, for which axe would open a page of its own.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)),
  ).toEqual([])
}

/** Nothing sticks out to the right. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const [wide, seen] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number]
  expect(wide).toBeLessThanOrEqual(seen)
}

/** The page as it is keeps the rules of axe and fits, narrow and wide, dark and light. */
export async function expectWellInEveryLook(page: Page): Promise<void> {
  for (const { viewport, colorScheme } of [looks['phone-dark'], looks['desktop-light']]) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await expectNoSidewaysScrolling(page)
    await expectAccessible(page)
  }
}

/**
 * Makes the pictures of the README: `npm run pictures`. A sandbox in memory is served, its pages are opened in a
 * real browser, and what is seen there is written to docs/pictures/.
 */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { realClock } from '../src/lib/edge.ts'
import { createSandbox, type Sandbox } from '../src/lib/sandbox/sandbox.ts'
import { type SandboxTables, sandboxSchema } from '../src/lib/store/sandbox/schema.ts'
import { cachedPairs } from '../test/kit/key-pairs.ts'
import { busyWorld, token, withConsole } from '../test/kit/sandbox/console.ts'
import { type Integrator, integratorNamed, shop, waiter } from '../test/kit/sandbox/integrator.ts'
import { memoryStore } from '../test/kit/store.ts'
import { launchBrowser, looks } from '../test/pages/browser/chromium.ts'

interface Stage {
  readonly url: string
  readonly sandbox: Sandbox
  readonly us: Integrator
}

interface Picture {
  readonly file: string
  readonly look: BrowserContextOptions
  /** Brings a new page to where the picture is taken. */
  readonly show: (page: Page, stage: Stage) => Promise<void>
}

const bookshop = {
  amount: 48.5,
  acquiringCurrency: 'USD',
  commissionType: 'SENDER',
  tipReceiverId: waiter,
  tipReceiverType: 'USER',
  orderProperties: { DESCRIPTION: { value: 'Two books' }, INVOICE_NUMBER_LABEL: { value: '2026/114' } },
}

async function checkout(page: Page, { us }: Stage, fields: Readonly<Record<string, unknown>>): Promise<void> {
  const heard = await us.create({ receiverId: shop, ...bookshop, ...fields })
  await page.goto(String(heard.value.urlForQR))
}

/** Fills in a test card out of the drawer. */
async function fillIn(page: Page, what: RegExp): Promise<void> {
  await page.locator('summary').click()
  await page.getByRole('button', { name: what }).click()
}

async function showConsole(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/_sandbox?token=${token}`)
  await page.locator('#live.live').waitFor()
  await page.mouse.move(0, 0)
}

const pictures: readonly Picture[] = [
  {
    file: 'checkout-light.png',
    look: { ...looks['desktop-light'], viewport: { width: 640, height: 940 } },
    show: async (page, stage) => {
      await checkout(page, stage, { integratorOrderId: 'b00c5a1e-2026-4114-8c11-000000000114' })
      await fillIn(page, /asks for a code/)
      await page.getByRole('button', { name: '10 %' }).click()
    },
  },
  {
    file: 'checkout-dark-phone.png',
    look: looks['phone-dark'],
    show: async (page, stage) => {
      const integratorOrderId = 'b00c5a1e-2026-4115-8c11-000000000115'
      await checkout(page, stage, { integratorOrderId, language: 'KA' })
      await fillIn(page, /დადასტურდება$/)
      await page.locator('button.main').click()
      await page.locator('.mark.good').waitFor()
    },
  },
  {
    file: 'console-light.png',
    look: { ...looks['desktop-light'], viewport: { width: 1180, height: 640 } },
    show: async (page, { url, sandbox, us }) => {
      await busyWorld(sandbox, url)
      const polled = await us.created({ amount: 18.9 })
      for (let turn = 0; turn < 14; turn += 1) await us.status(polled)
      await sandbox.requests.flush()
      await showConsole(page, url)
      await page.locator('tr:has-text("6010")').click()
      await page.locator('#detail article').waitFor()
    },
  },
  {
    file: 'console-dark-phone.png',
    look: looks['phone-dark'],
    show: async (page, { url }) => await showConsole(page, url),
  },
]

// A module of CommonJS: of one of the other kind the loader cannot follow the imports that the sandbox makes when a page is asked for.
async function takePictures(): Promise<void> {
  const directory = join(__dirname, '..', 'docs', 'pictures')
  mkdirSync(directory, { recursive: true })
  const sandbox = await createSandbox(await memoryStore<SandboxTables>(sandboxSchema), realClock, cachedPairs)
  const { url, close } = await withConsole(sandbox)
  const stage = { url, sandbox, us: await integratorNamed(sandbox, url) }
  const browser = await launchBrowser()
  for (const { file, look, show } of pictures) {
    const context = await browser.newContext(look)
    const page = await context.newPage()
    await show(page, stage)
    const path = join(directory, file)
    await page.screenshot({ path })
    await context.close()
    process.stdout.write(`docs/pictures/${file}: ${Math.ceil(statSync(path).size / 1024)} KB\n`)
  }
  await browser.close()
  await close()
  await sandbox.close()
}

void takePictures()

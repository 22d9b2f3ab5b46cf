/**
 * Makes the pictures of the README: `npx tsx scripts/pictures.mts`. A sandbox in memory is served, its pages are opened in a
 * real browser, and what is seen there is written to docs/.
 */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { realClock } from '../src/lib/edge.ts'
import { type Sandbox, sandboxOn } from '../src/lib/sandbox/sandbox.ts'
import { serve } from '../src/lib/sandbox/server/server.ts'
import { memoryStore } from '../src/lib/store/engine/memory.ts'
import { type SandboxTables, sandboxSchema } from '../src/lib/store/sandbox/schema/schema.ts'
import { launchBrowser, looks } from '../test/kit/browser/chromium.ts'
import { cachedPairs } from '../test/kit/key-pairs.ts'
import { type Integrator, integratorNamed, secondShop, shop, waiter } from '../test/kit/sandbox/integrator.ts'
import { busyWorld, script, token } from '../test/kit/sandbox/window.ts'

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
  integratorOrderId: 'b00c5a1e-2026-4114-8c11-000000000114',
  amount: 48.5,
  acquiringCurrency: 'USD',
  commissionType: 'SENDER',
  tipReceiverId: waiter,
  tipReceiverType: 'USER',
  splitDetails: [
    { receiverType: 'BRANCH', receiverIdentifier: shop, amount: 40 },
    { receiverType: 'BRANCH', receiverIdentifier: secondShop, amount: 8.5 },
  ],
  orderProperties: { INVOICE_NUMBER_LABEL: { value: '2026/114' } },
}

async function checkout(page: Page, { us }: Stage, fields: Readonly<Record<string, unknown>>): Promise<void> {
  const heard = await us.create({ ...bookshop, ...fields })
  await page.goto(String(heard.value.urlForQR))
}

/** The details of a request in the window. */
async function lookAt(page: Page, url: string, row: string): Promise<void> {
  await page.goto(`${url}/_sandbox?token=${token}`)
  await page.locator('#live.live').waitFor()
  await page.locator(row).click()
  await page.locator('#detail article').waitFor()
  await page.mouse.move(0, 0)
}

const pictures: readonly Picture[] = [
  {
    file: 'checkout-light.png',
    look: { ...looks['desktop-light'], viewport: { width: 1040, height: 1200 } },
    show: async (page, stage) => {
      await checkout(page, stage, {})
      await page.getByRole('button', { name: /asks for a code/ }).click()
      await page.getByLabel('Tip').fill('3.00')
    },
  },
  {
    file: 'checkout-dark-phone.png',
    look: looks['phone-dark'],
    show: async (page, stage) => {
      const integratorOrderId = 'b00c5a1e-2026-4115-8c11-000000000115'
      await checkout(page, stage, {
        integratorOrderId,
        language: 'KA',
        splitDetails: undefined,
        tipReceiverId: undefined,
        tipReceiverType: undefined,
      })
      await page.getByRole('button', { name: /მოითხოვს კოდს/ }).click()
      await page.locator('button.main').click()
    },
  },
  {
    file: 'window-light.png',
    look: looks['desktop-light'],
    show: async (page, { url, sandbox }) => {
      await busyWorld(sandbox, url)
      await lookAt(page, url, 'tr:has-text("6031")')
    },
  },
  {
    file: 'window-dark-phone.png',
    look: looks['phone-dark'],
    show: async (page, { url }) => await lookAt(page, url, 'tr:has-text("6010")'),
  },
]

const directory = join(import.meta.dirname, '..', 'docs')
mkdirSync(directory, { recursive: true })
const sandbox = await sandboxOn(await memoryStore<SandboxTables>(sandboxSchema), realClock, cachedPairs)
const { url, close } = await serve(sandbox, {
  window: { token, nonce: () => 'picture', script },
})
const stage = { url, sandbox, us: await integratorNamed(sandbox, url) }
const browser = await launchBrowser()
for (const { file, look, show } of pictures) {
  const context = await browser.newContext(look)
  const page = await context.newPage()
  await show(page, stage)
  const path = join(directory, file)
  await page.screenshot({ path })
  await context.close()
  process.stdout.write(`docs/${file}: ${Math.ceil(statSync(path).size / 1024)} KB\n`)
}
await browser.close()
await close()
await sandbox.close()

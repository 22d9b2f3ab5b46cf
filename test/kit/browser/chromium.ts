/** A real Chromium, out of its npm package, and the four ways in which the pages are looked at. Knows no test runner. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import sparticuz from '@sparticuz/chromium'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'

/** Not the package's own arguments: with them everything is one process, and web security is off. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const unpackedIn = join(tmpdir(), 'paydesk-chromium-147.0.0')

/** The browser out of the npm package. Two workers may unpack it at once: whoever is done first has done it. */
async function unpacked(): Promise<string> {
  const path = join(unpackedIn, 'chromium')
  if (existsSync(path)) return path
  const before = process.env.TMPDIR
  const own = mkdtempSync(join(tmpdir(), 'paydesk-chromium-'))
  try {
    process.env.TMPDIR = own
    await sparticuz.executablePath()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  try {
    renameSync(own, unpackedIn)
  } catch {
    rmSync(own, { recursive: true, force: true })
  }
  return path
}

/** The libraries that the package brings along for machines without libnss3. */
function librariesOfThePackage(): string {
  const target = join(unpackedIn, 'al2023')
  if (!existsSync(target)) {
    const bin = join(import.meta.dirname, '..', '..', '..', 'node_modules', '@sparticuz', 'chromium', 'bin')
    mkdirSync(target)
    execFileSync('tar', ['-x', '-C', target], { input: brotliDecompressSync(readFileSync(join(bin, 'al2023.tar.br'))) })
  }
  return join(target, 'lib')
}

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export async function launchBrowser(): Promise<Browser> {
  const executablePath = await unpacked()
  try {
    return await chromium.launch({ executablePath, args })
  } catch (error) {
    const other = installed.find((path) => existsSync(path))
    if (other !== undefined) return await chromium.launch({ executablePath: other, args })
    if (!String(error).includes('shared libraries')) throw error
    const env = { ...process.env, LD_LIBRARY_PATH: librariesOfThePackage() } as Record<string, string>
    return await chromium.launch({ executablePath, args, env })
  }
}

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

/** How a page is looked at. */
export const looks = {
  'phone-light': { viewport: phone, colorScheme: 'light' },
  'phone-dark': { viewport: phone, colorScheme: 'dark' },
  'desktop-light': { viewport: desktop, colorScheme: 'light' },
  'desktop-dark': { viewport: desktop, colorScheme: 'dark' },
} as const satisfies Record<string, BrowserContextOptions>

export type Look = keyof typeof looks

export const lookNames = Object.keys(looks) as Look[]

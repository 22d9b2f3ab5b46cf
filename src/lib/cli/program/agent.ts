/** The program, its version, and what it runs on, in one line: what `--version` prints. */
import { existsSync } from 'node:fs'
import { arch, platform, release } from 'node:os'
import type { Listing } from './program.ts'

/** Linux below Windows names it in its release; a container there has its own Linux. */
function isBelowWindows(): boolean {
  if (platform() !== 'linux' || !release().toLowerCase().includes('microsoft')) return false
  return !existsSync('/.dockerenv') && !existsSync('/run/.containerenv')
}

export function agentOf({ name, version }: Pick<Listing, 'name' | 'version'>): string {
  const system = `${isBelowWindows() ? 'wsl' : platform()}-${arch() === 'ia32' ? 'x86' : arch()}`
  return `${name}/${version} ${system} node-${process.version}`
}

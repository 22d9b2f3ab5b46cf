/** The directories of this person, by the rules of oclif and without it. */
import { platform } from 'node:os'
import { join } from 'node:path'
import { type Edge, homeOfUser } from '../../edge.ts'
import type { PlatformDirectories } from '../../home.ts'

type Env = Edge['env']

function windowsHome({ HOMEDRIVE, HOMEPATH, USERPROFILE }: Env): string | undefined {
  return HOMEDRIVE && HOMEPATH ? join(HOMEDRIVE, HOMEPATH) : USERPROFILE
}

/** Those of the program of this name. Without a home directory they are relative, and places() refuses them. */
export function directoriesOf(name: string, env: Env): PlatformDirectories & { readonly home: string } {
  const isWindows = platform() === 'win32'
  const home = env.HOME || (isWindows && windowsHome(env)) || homeOfUser(undefined) || ''
  const told = (category: string) => env[`${name.toUpperCase()}_${category.toUpperCase()}_DIR`]
  const usual = (category: string, below: string) =>
    join(env[`XDG_${category.toUpperCase()}_HOME`] || (isWindows && env.LOCALAPPDATA) || join(home, below), name)
  const macosCache = platform() === 'darwin' ? join(home, 'Library', 'Caches', name) : null
  return {
    home,
    cacheDir: told('cache') || macosCache || usual('cache', '.cache'),
    configDir: told('config') || usual('config', '.config'),
    dataDir: told('data') || usual('data', '.local/share'),
  }
}

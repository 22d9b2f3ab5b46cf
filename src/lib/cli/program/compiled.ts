/**
 * Node's own cache of compiled code, where it has one (Node 22.1). Code in it is run, so it stands where only this person
 * writes. Without it a command starts later; it never fails for it.
 */
import { lstatSync } from 'node:fs'
import { platform } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { type Edge, homeOfUser } from '../../edge.ts'
import { makePrivateDirectory } from '../../private-directory.ts'

function directoryIn(env: Edge['env']): string {
  if (env.PAYDESK_HOME) return join(env.PAYDESK_HOME, 'compiled')
  const home = homeOfUser(env.HOME) ?? ''
  const caches = platform() === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache')
  return join(env.XDG_CACHE_HOME || caches, 'paydesk', 'compiled')
}

/** True for a directory of this person that others may not write. Windows has no modes to tell by. */
function isOwn(directory: string): boolean {
  const stat = lstatSync(directory)
  if (!stat.isDirectory()) return false
  return platform() === 'win32' || (stat.uid === process.geteuid?.() && (stat.mode & 0o022) === 0)
}

export function keepCompiled({ env }: Pick<Edge, 'env'>): void {
  const loader = process.getBuiltinModule('node:module')
  if (!('enableCompileCache' in loader) || typeof loader.enableCompileCache !== 'function') return
  try {
    const directory = directoryIn(env)
    if (!isAbsolute(directory)) return
    makePrivateDirectory(directory)
    if (isOwn(directory)) loader.enableCompileCache(directory)
  } catch {
    // A home that cannot be written is told by what has to be written there.
  }
}

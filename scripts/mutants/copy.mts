/** A copy of the repository to break: what git knows or would take, with links to what is installed. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Caches that tools write there stay in the copy. */
export function copyOf(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'paydesk-mutants-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of listed.toString('utf8').split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name.startsWith('.') && name !== '.bin') continue
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  return copy
}

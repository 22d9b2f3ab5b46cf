/**
 * The Python that runs clients in another language. Where it is missing, or the package they seal with, their tests are
 * skipped with a loud line; with PAYDESK_NEVER_SKIP (continuous integration) they fail instead.
 */
import { spawnSync } from 'node:child_process'
import { env, stderr } from 'node:process'

export const python = env.PYTHON ?? 'python3'

/** True if a test has to be skipped. `needs` is a line that Python must be able to run, such as `import cryptography`. */
export function isMissing(needs: string, whatIsNotChecked: string): boolean {
  if (spawnSync(python, ['-c', needs]).status === 0) return false
  if (env.PAYDESK_NEVER_SKIP) throw new Error(`${python} cannot "${needs}", and PAYDESK_NEVER_SKIP is set`)
  stderr.write(`\n*** SKIPPED: ${python} cannot "${needs}": ${whatIsNotChecked} ***\n\n`)
  return true
}

/** Programs of other languages, which run the clients in them. */
import { spawnSync } from 'node:child_process'
import { env, stderr } from 'node:process'

/** True if a test has to be skipped. `trial` is what the program must be able to do. */
export function isMissingProgram(program: string, trial: readonly string[], whatIsNotChecked: string): boolean {
  if (spawnSync(program, trial).status === 0) return false
  const cannot = `${program} cannot do "${trial.join(' ')}"`
  if (env.PAYDESK_NEVER_SKIP) throw new Error(`${cannot}, and PAYDESK_NEVER_SKIP is set`)
  stderr.write(`\n*** SKIPPED: ${cannot}: ${whatIsNotChecked} ***\n\n`)
  return true
}

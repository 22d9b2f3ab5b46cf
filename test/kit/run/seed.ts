/**
 * The seed of a run's properties: another one every time, so that they see more than one day's inputs; what fails is
 * repeated with the one that it printed.
 */
import { randomInt } from 'node:crypto'
import { env } from 'node:process'
import fc from 'fast-check'

export const seedVariable = 'PAYDESK_TEST_SEED'

/** Before the run: the processes of the tests inherit it. */
export function chooseSeed(): void {
  env[seedVariable] ??= String(randomInt(2 ** 31))
}

/** Before the tests of a file. */
export function sowSeed(): void {
  const seed = Number(env[seedVariable])
  if (!Number.isSafeInteger(seed)) throw new Error(`${seedVariable} takes a whole number, not "${env[seedVariable]}"`)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
}

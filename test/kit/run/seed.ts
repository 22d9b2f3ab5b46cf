/** The seed of the properties: the same for everybody and on every day, so that a commit that passes passes again. */
import { env } from 'node:process'
import fc from 'fast-check'

/** Before the tests of a file. */
export function setSeed(): void {
  const seed = Number(env.PAYDESK_TEST_SEED ?? 20261128)
  if (!Number.isSafeInteger(seed))
    throw new Error(`PAYDESK_TEST_SEED takes a whole number, not "${env.PAYDESK_TEST_SEED}"`)
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
}

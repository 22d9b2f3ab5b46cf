/** Before the tests of every file: what holds for all of them. */
import { env } from 'node:process'
import fc from 'fast-check'
import { afterAll, onTestFinished } from 'vitest'
import { useRunner } from './at-end.ts'
import { removeTemporary } from './temporary.ts'

// The same for everybody, so that a commit that passes passes again; `PAYDESK_TEST_SEED=5` tries other inputs.
const seed = Number(env.PAYDESK_TEST_SEED ?? 20261128)
if (!Number.isSafeInteger(seed)) throw new Error(`PAYDESK_TEST_SEED takes a whole number, not "${seed}"`)
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })

useRunner(onTestFinished)
afterAll(removeTemporary)

/** The time that an expression of others may take: a regular expression, or a search. */
import { runInNewContext } from 'node:vm'

/**
 * Does work whose length an expression of others decides: one may never end by itself, and nothing else is heard meanwhile, not
 * even ^C. Throws what the work throws, and an Error in words where it is not done in time.
 */
export function bounded<Result>(milliseconds: number, work: () => Result): Result {
  try {
    return runInNewContext('work()', { work }, { timeout: milliseconds }) as Result
  } catch (error) {
    if (!isOverTime(error)) throw error
    throw new Error(`it took more than ${milliseconds / 1000} s: use a simpler expression`)
  }
}

/** It is an error of another realm, which `instanceof` does not know. */
function isOverTime(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

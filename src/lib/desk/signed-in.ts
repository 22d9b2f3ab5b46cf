/** The access token that a write goes out with. */
import type { WriteOperation } from '../contract/operation.ts'
import { Failure } from '../failure.ts'
import { afterOthers, FailureBeforeSending } from '../failure-before-sending.ts'
import { factsOf, type Intent } from '../journal/intent.ts'
import { unmoved } from '../journal/verdict.ts'
import type { Desk, Tokens } from './desk.ts'
import { unlessAbandoned } from './line/abandoned.ts'
import { outOfTurn } from './line/terms.ts'
import { noAnswerTo } from './receipt/outcome.ts'
import { interrupted } from './recover/in-play.ts'

/**
 * The token for what has not left yet. A sign-in that gets no answer does not hold a run up that sends nothing new any more: others
 * may still wait for it.
 */
export async function beforeEnding({ ending }: Pick<Desk, 'ending'>, token: Promise<string>): Promise<string> {
  if (!ending) return token
  return unlessAbandoned(token, ending).catch((error) => {
    throw ending.aborted ? new FailureBeforeSending('unsent', outOfTurn) : error
  })
}

/**
 * The token of an operation that needs one, null for the others. A sign-in that fails says nothing about a payment whose
 * earlier attempts may have been executed.
 */
export async function signedIn(
  desk: Desk,
  operation: WriteOperation,
  unresolved: Intent | null,
  get: (tokens: Tokens) => Promise<string>,
): Promise<string | null> {
  if (operation.wire !== 'bearer') return null
  try {
    return await get(desk.tokens)
  } catch (error) {
    if (unresolved && desk.signal.aborted) throw interrupted(unresolved)
    if (!unresolved || !(error instanceof Failure)) throw error
    throw noAnswerTo(operation, unresolved, error.message)
  }
}

/** A new token after the service refused `token` for this very intent. What it refused is recorded, and was not executed. */
export async function signedInAgain(
  desk: Desk,
  operation: WriteOperation,
  intent: Intent,
  token: string | null,
  deadline: number,
): Promise<string | null> {
  const unresolved = intent.state === 'unknown' ? intent : null
  try {
    return await signedIn(desk, operation, unresolved, (tokens) => {
      const renewed = tokens.renew(token ?? '', deadline)
      return unmoved.has(intent.state) ? beforeEnding(desk, renewed) : renewed
    })
  } catch (error) {
    if (!(error instanceof FailureBeforeSending)) throw error
    const { kind, facts } = error
    throw afterOthers(error).as(kind, { ...facts, ...factsOf(intent), retry: 'same-id' })
  }
}

/** Faults of a Postgres server: which of them a transaction may be begun anew after, and what the others mean. */

import { doublingPause } from '../../backoff.ts'
import type { Clock } from '../../edge.ts'
import { Failure, FailureBeforeSending } from '../../failure.ts'
import { hint } from '../../hint.ts'

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Connection exceptions, and a server that ends, starts, or has ended a connection by itself. */
const lostStates = /^(?:08...|57P0[1235]|25P03)$/
const lostCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EAI_AGAIN',
]
/** The driver's own words come without a code. */
const lostWords =
  /Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect/

/** True if the connection is gone: nothing of a transaction stands that was not asked to commit. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  if (lostStates.test(code) || lostCodes.includes(code)) return true
  if (!(error instanceof Error)) return false
  return lostWords.test(error.message) || (error.cause !== undefined && isLost(error.cause))
}

/** True if a host has answered nothing for the time that a connection may take. */
function isSilent(error: unknown): boolean {
  return error instanceof Error && /connection timeout|timeout exceeded when trying to connect/.test(error.message)
}

/** True if the server has undone the transaction for the sake of another one. */
function isRolledBack(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

/**
 * The meaning of a connection that could not be made: no such host, no password, a certificate that nobody vouches for. Waiting
 * mends none of it: `unsent` (11).
 */
export function unreachable(error: unknown, store: string): Failure {
  const why = error instanceof Error && error.message !== '' ? error.message : codeOf(error)
  return new FailureBeforeSending('unsent', `${store} cannot be reached: ${why}`, {
    hints: [
      hint`See PAYDESK_STORE, or the store of the profile; the password stands in the file that PGPASSFILE names, readable by you alone, and the authority of the server's certificate may be named by NODE_EXTRA_CA_CERTS.`,
    ],
  })
}

/** The meaning of an error of the server: a store that cannot be reached or written is `unsent` (11). Others pass through. */
export function serverFault(error: unknown, title: string, place: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error
  // Out of disk or memory, read-only, a lock that was not given in time.
  const isOfServer = /^(?:53...|25006|55P03|28...|3D000|57014)$/.test(codeOf(error))
  if (!isLost(error) && !isOfServer) return error
  const why = error.message === '' ? codeOf(error) : error.message
  return new FailureBeforeSending('unsent', `${title} ${place} cannot be written: ${why}`, {
    hints: [hint`Run it again when the database of the team answers.`],
  })
}

/** Milliseconds, where no --timeout says otherwise. */
export const usualPatience = 60_000

const pauses = { base: 20, longest: 1_000 }

interface Waiting {
  /** Milliseconds, after which the last fault is told. */
  readonly patience: number
  readonly clock: Pick<Clock, 'sleep'>
  /** Ends the pauses at once. */
  readonly signal?: AbortSignal | undefined
  /** As in the settings of a store (store.ts). */
  readonly away?: (() => () => void) | undefined
}

/** Milliseconds until a server that does not answer is away. */
export const connectTimeout = 10_000

/** Waiting for a server that is away: what did not reach it, or was undone, is done again after a pause. */
export async function retryWhileAway<Result>(work: () => Promise<Result>, waiting: Waiting): Promise<Result> {
  const { patience, clock, signal, away } = waiting
  let over: (() => void) | undefined
  try {
    for (let waited = 0, tries = 0; ; tries += 1) {
      const pause = doublingPause(tries, pauses)
      try {
        return await work()
      } catch (error) {
        if (isSilent(error)) waited += connectTimeout
        if (!(isLost(error) || isRolledBack(error)) || waited + pause > patience || signal?.aborted) throw error
        if (isLost(error)) over ??= away?.()
      }
      await clock.sleep(pause, signal).catch(() => undefined)
      waited += pause
    }
  } finally {
    over?.()
  }
}

/** Reads something again and again until it is final. The caller says what is read, and what its ends mean. */
import type { End } from '../../contract/status.ts'
import { Failure, type FailureFacts } from '../../failure.ts'
import { timeLeft } from '../../journal/moment.ts'
import type { Desk, Reference } from '../desk.ts'

const firstPause = 500
const longestPause = 5_000

export interface Watched<Read extends { readonly status: string }> {
  /** The thing that is waited for. */
  readonly subject: Reference
  read(deadline: number): Promise<Read>
  /** The end of the thing in this status; null while it has not ended. */
  end(status: string): End
  /** Makes the failure for an end without a payment. */
  ended(read: Read): Failure
  /** The time is up. */
  notFinal(read: Read): Failure
  /** The time is up, and nothing was ever read: why not, the last time. */
  neverRead(last: Failure | null): Failure
  /** The service refuses to show it: that says nothing about how it ended. */
  unreadable(refused: Failure): Failure
  stopped(): Failure
}

/** True if a failed reading may be followed by another one before the time is up. */
function isPassing(error: unknown): error is Failure {
  return (
    error instanceof Failure && (error.kind === 'unknown' || error.kind === 'unsent') && error.retry !== 'after-fix'
  )
}

/** The failure where nothing was read. A question that never left this machine is told apart from one without an answer. */
export function neverRead(last: Failure | null, facts: FailureFacts): Failure {
  if (last?.kind !== 'unsent') {
    const why = last === null ? 'asking moved nothing' : `at last, ${last.message}`
    const told = `the status could not be read before the time was up; ${why}`
    return new Failure('unknown', told, { ...facts, service: last?.facts.service ?? null })
  }
  return new Failure('unsent', last.message, facts)
}

/** The failure where the reading failed for a reason that may pass. */
async function readIfPossible<Read extends { readonly status: string }>(
  desk: Desk,
  watched: Watched<Read>,
  deadline: number,
): Promise<Read | Failure> {
  try {
    return await watched.read(deadline)
  } catch (error) {
    if (desk.signal.aborted) throw watched.stopped()
    if (isPassing(error)) return error
    if (error instanceof Failure && error.kind === 'refused') throw watched.unreadable(error)
    throw error
  }
}

/** Resolves when it was paid. Throws what the watched thing says: ended (5), notFinal (8), neverRead (9; 11 if no question left). */
export async function waitUntilFinal<Read extends { readonly status: string }>(
  desk: Desk,
  watched: Watched<Read>,
  deadline: number,
): Promise<Read> {
  const left = timeLeft(desk.clock, deadline)
  let last: Read | null = null
  let failed = null as Failure | null
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    const read = await readIfPossible(desk, watched, deadline)
    // A question that was sent and not answered outweighs one that never left.
    if (read instanceof Failure) failed = failed?.kind === 'unknown' ? failed : read
    else last = read
    const end = last ? watched.end(last.status) : null
    if (last && end === 'paid') return last
    if (last && end === 'not-paid') throw watched.ended(last)
    if (left() <= pause) throw last ? watched.notFinal(last) : watched.neverRead(failed)
    const rested = desk.tell.rest({ ...watched.subject, status: last?.status ?? null })
    const sleep = desk.clock.sleep(pause, desk.signal).finally(rested)
    await sleep.catch((error: unknown) => {
      throw desk.signal.aborted ? watched.stopped() : error
    })
  }
}

/** Reading something again and again until it is final. What it is, and what its ends mean, the caller says. */
import type { End } from '../contract/status.ts'
import { Failure } from '../failure.ts'
import type { Desk } from './desk.ts'

const firstPause = 500
const longestPause = 5_000

export interface Watched<Read extends { readonly status: string }> {
  read(deadline: number): Promise<Read>
  /** How something of this status ended; null while it has not. */
  end(status: string): End
  /** It ended without being paid. */
  ended(read: Read): Failure
  /** The time is up. */
  notFinal(read: Read): Failure
  /** The time is up, and nothing was ever read. */
  neverRead(): Failure
  /** The service refuses to show it: that says nothing about how it ended. */
  unreadable(refused: Failure): Failure
  stopped(): Failure
}

/** Whether a failed reading may be followed by another one before the time is up. */
function isPassing(error: unknown): boolean {
  return error instanceof Failure && (error.kind === 'unknown' || error.kind === 'unsent')
}

/** Null where the reading failed for a reason that may pass. */
async function readIfPossible<Read extends { readonly status: string }>(
  desk: Desk,
  watched: Watched<Read>,
  deadline: number,
): Promise<Read | null> {
  try {
    return await watched.read(deadline)
  } catch (error) {
    if (desk.signal.aborted) throw watched.stopped()
    if (isPassing(error)) return null
    if (error instanceof Failure && error.kind === 'refused') throw watched.unreadable(error)
    throw error
  }
}

/** Resolves when it was paid. Throws what the watched thing says: ended (5), notFinal (8), neverRead (9). */
export async function waitUntilFinal<Read extends { readonly status: string }>(
  desk: Desk,
  watched: Watched<Read>,
  deadline: number,
): Promise<Read> {
  let last: Read | null = null
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * 2)) {
    last = (await readIfPossible(desk, watched, deadline)) ?? last
    const end = last ? watched.end(last.status) : null
    if (last && end === 'paid') return last
    if (last && end === 'not-paid') throw watched.ended(last)
    if (desk.clock.now() + pause >= deadline) throw last ? watched.notFinal(last) : watched.neverRead()
    desk.tell.say(`${last?.status ?? 'no answer yet'}; looking again in ${pause / 1000} s`)
    await desk.clock.sleep(pause, desk.signal).catch((error: unknown) => {
      throw desk.signal.aborted ? watched.stopped() : error
    })
  }
}

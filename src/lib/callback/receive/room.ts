/** A full disk passes: what a listener has to note waits for room, and nothing that it did is done again. */
import type { Clock } from '../../edge.ts'
import { Failure } from '../../failure.ts'

/** Milliseconds until it looks again. */
const pause = 1_000

/** Does the work, again and again while the store cannot be written; throws as it does for anything else, and when the signal has fired. */
export async function whenThereIsRoom<Result>(
  work: () => Promise<Result>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure) || error.kind !== 'unsent') throw error
      await clock.sleep(pause, signal).catch(() => undefined)
    }
  }
}

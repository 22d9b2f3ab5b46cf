/** A document that is written piece by piece, in whole lines; at a terminal it moves nothing. */
import { once } from 'node:events'
import { visibleLines } from '../../visible.ts'
import type { Invocation } from '../invocation.ts'

/** Waits for a reader that is slower; one that has gone away wants no more. */
export function toStdout({ edge: { stdout }, output }: Pick<Invocation, 'edge' | 'output'>) {
  return async (text: string): Promise<void> => {
    if (output.unread.aborted || stdout.write(stdout.isTTY ? visibleLines(text) : text)) return
    await once(stdout, 'drain', { signal: output.unread }).catch((error: unknown) => {
      if (!output.unread.aborted) throw error
    })
  }
}

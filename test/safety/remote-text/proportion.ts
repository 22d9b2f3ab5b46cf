/**
 * The work of a reader of texts that others write: user time of this process, whatever else the machine does; the
 * work of the machine to find memory is not the reader's.
 */
import { endings, pieces, repeated } from './letters.ts'
import type { Feed } from './parsers.ts'

/** Milliseconds. */
export async function workOf(feed: Feed, text: string): Promise<number> {
  const before = process.cpuUsage()
  try {
    await feed(text)
  } catch {
    // Refusing a text is as good as reading it.
  }
  return process.cpuUsage(before).user / 1000
}

export interface Letters {
  readonly piece: string
  readonly ending: string
}

/** The letters that take longest on a text of so many bytes. */
export async function worstLetters(feed: Feed, bytes: number): Promise<Letters> {
  let worst = { piece: '', ending: '', work: -1 }
  for (const piece of pieces) {
    for (const ending of endings) {
      const work = await workOf(feed, repeated(piece, bytes) + ending)
      if (work > worst.work) worst = { piece, ending, work }
    }
  }
  return worst
}

export const textOf = ({ piece, ending }: Letters, bytes: number) => repeated(piece, bytes) + ending
export const nameOf = ({ piece, ending }: Letters) => JSON.stringify(`${piece}…${ending}`)

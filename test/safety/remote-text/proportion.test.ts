/**
 * No text that others write may stop the program: every reader is fed its worst letters, found by trying them all on a small
 * text, up to 1 MiB, and twice the text may take at most three times the time, held over two doublings: collecting garbage is
 * too uneven for one. Time is the work of this process, whatever else the machine does, and the least of several runs.
 */
import { expect, test } from 'vitest'
import { turn } from '../../kit/run/whole.ts'
import { endings, pieces, repeated } from './letters.ts'
import { type Parser, parsers } from './parsers.ts'

/** Bytes: on so few the letters are chosen, on more of them they may not take too long, on the most the proportion is held. */
const [tiny, small, largest] = [8 * 1024, 64 * 1024, 1024 * 1024]
/** Milliseconds. A shorter time is within the noise of the collections of garbage, which grow with the text. */
const floor = 60
/** Milliseconds that a small text may take, whatever it is made of. */
const bound = 1500
const rounds = 20

async function workIn(feed: Parser[1], text: string): Promise<number> {
  const before = process.cpuUsage()
  try {
    await feed(text)
  } catch {
    // Refusing a text is as good as reading it.
  }
  // The work of the machine to find memory is none of the reader's.
  return process.cpuUsage(before).user / 1000
}

interface Letters {
  readonly piece: string
  readonly ending: string
}

/** The letters that take longest on a tiny text. */
async function worstLetters(feed: Parser[1]): Promise<Letters> {
  let worst = { piece: '', ending: '', work: -1 }
  for (const piece of pieces) {
    for (const ending of endings) {
      const work = await workIn(feed, repeated(piece, tiny) + ending)
      if (work > worst.work) worst = { piece, ending, work }
    }
  }
  return worst
}

test.each(turn(parsers, 4, 0, 2))(
  'twice the letters take at most three times the time: %s',
  { timeout: 180_000 },
  async (_, feed) => {
    const { piece, ending } = await worstLetters(feed)
    const fed = (size: number) => workIn(feed, repeated(piece, size) + ending)
    const named = JSON.stringify(`${piece}…${ending}`)
    expect(await fed(small), `${small} bytes of ${named}`).toBeLessThan(bound)
    let [quarter, whole] = [await fed(largest / 4), await fed(largest)]
    const most = () => 3 * 3 * Math.max(quarter, floor)
    // A busy machine or a garbage collection: the least of some runs is the work itself.
    for (let round = 1; round < rounds && whole > most(); round += 1) {
      quarter = Math.min(quarter, await fed(largest / 4))
      whole = Math.min(whole, await fed(largest))
    }
    expect(whole, `1 MiB of ${named}; a quarter of it took ${quarter} ms`).toBeLessThanOrEqual(most())
  },
)

/**
 * Twice the text takes a reader at most three times the work, up to 1 MiB of its worst letters, held over two
 * doublings: collecting garbage is too uneven for one.
 */
import { expect, test } from 'vitest'
import { parsers } from './parsers.ts'
import { nameOf, textOf, workOf, worstLetters } from './proportion.ts'

/** Bytes: on so few the letters are chosen, on the most the proportion is held. */
const [tiny, largest] = [8 * 1024, 1024 * 1024]
/** Milliseconds. A shorter time is within the noise of the collections of garbage, which grow with the text. */
const floor = 60
const rounds = 20

test.each(parsers)(
  '%s, 1 MiB of its worst letters: twice the letters take at most three times the work',
  { timeout: 300_000 },
  async (_, feed) => {
    const worst = await worstLetters(feed, tiny)
    const fed = (size: number) => workOf(feed, textOf(worst, size))
    let [quarter, whole] = [await fed(largest / 4), await fed(largest)]
    const most = () => 3 * 3 * Math.max(quarter, floor)
    // A busy machine or a garbage collection: the least of some runs is the work itself.
    for (let round = 1; round < rounds && whole > most(); round += 1) {
      quarter = Math.min(quarter, await fed(largest / 4))
      whole = Math.min(whole, await fed(largest))
    }
    expect(whole, `1 MiB of ${nameOf(worst)}; a quarter of it took ${quarter} ms`).toBeLessThanOrEqual(most())
  },
)

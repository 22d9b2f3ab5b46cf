/**
 * No text that others write may stop the program: every reader is fed the letters that are worst for it, found by
 * trying all on a small text.
 */
import { expect, test } from 'vitest'
import { parsers } from './parsers.ts'
import { nameOf, textOf, workOf, worstLetters } from './proportion.ts'

/** Bytes: on so few the letters are chosen, and so many of them are fed. */
const [tiny, large] = [2 * 1024, 256 * 1024]
/** Milliseconds. A reader that is right takes less than a tenth of it. */
const limit = 5_000

test.each(parsers)(
  '%s: 256 KiB of its worst letters are read or refused without work that grows with their square',
  { timeout: 60_000 }, // A reader that is wrong is to fail by the limit.
  async (_, feed) => {
    const worst = await worstLetters(feed, tiny)
    expect(await workOf(feed, textOf(worst, large)), nameOf(worst)).toBeLessThan(limit)
  },
)

/** The crash matrix: the built program crashes at a boundary of a write, and everything it says afterwards is true. */
import { expect, test } from 'vitest'
import { cells, titleOf } from './cells.ts'
import { share } from './share.ts'
import { tellCell } from './story.ts'

test.concurrent.each(share('single writes', cells, titleOf))('%s', { timeout: 120_000 }, async (_title, cell) => {
  const lines = await tellCell(cell)
  expect(lines.length, `\n${lines.join('\n')}\n`).toBe(0)
})

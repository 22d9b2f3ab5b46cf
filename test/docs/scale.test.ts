/** docs/internals/scale.md has tables of a run, and the play behind it keeps to what can be reckoned by hand. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { played } from '../../scripts/bench/scale/model.mts'
import { root } from './typed/page.ts'

test.each(['measured', 'played'])('the page has the table of a run: %s', (name) => {
  const page = readFileSync(join(root, 'docs/internals/scale.md'), 'utf8')
  const [, table = ''] = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*)<!-- end of ${name} -->`).exec(page) ?? []
  expect(table.match(/^\| \d/gm)?.length, table).toBeGreaterThan(4)
})

const free = { perCommit: 0.1, perWrite: 0, ways: 1 }

test('where commits cost next to nothing, the service is what is waited for', () => {
  const rate = played(free, { workers: 3, concurrency: 4, late: 50, away: 0 })
  expect(rate).toBeGreaterThan(220)
  expect(rate).toBeLessThanOrEqual((3 * 4 * 1000) / 50)
})

test('where the row is held all the time, more workers bring no more', () => {
  const costs = { perCommit: 2, perWrite: 1, ways: 1 }
  const [some = 0, many = 0] = [50, 100].map((workers) => played(costs, { workers, concurrency: 4, late: 20, away: 0 }))
  // Eight writes in a commit at most: 10 ms of it for four rows.
  expect(some).toBeGreaterThan(250)
  expect(some).toBeLessThanOrEqual(400)
  expect(Math.abs(many - some) / some).toBeLessThan(0.1)
})

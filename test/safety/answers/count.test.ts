/** The README counts the fault table as it is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answers } from './answers.ts'
import { writes } from './writes.ts'

test('the README says how many answers and writes the fault table has, and each bears its own name', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8')
  const pairs = (answers.length * writes.length).toLocaleString('en')
  expect(readme).toContain(`${answers.length} answers × ${writes.length} writes, ${pairs} pairs`)
  expect(new Set(answers.map(({ name }) => name)).size).toBe(answers.length)
  expect(new Set(writes.map(({ name }) => name)).size).toBe(writes.length)
})

/** A fixed sample of the fault table: every answer with two writes. The whole table is `npm run test:deep answers`. */
import { expect, test } from 'vitest'
import { diagonal } from '../../kit/tools.ts'
import { answers } from './answers.ts'
import { testTable } from './table.ts'
import { writes } from './writes.ts'

const sample = diagonal(answers, writes, 2 * answers.length)

testTable(writes.map((write) => [write, sample.filter(([, of]) => of === write).map(([answer]) => answer)]))

test('fault table: every answer and every write has a name of its own, and every write is in the sample', () => {
  expect(new Set(answers.map(({ name }) => name)).size).toBe(answers.length)
  expect(new Set(writes.map(({ name }) => name)).size).toBe(writes.length)
  expect(new Set(sample.map(([, write]) => write)).size).toBe(writes.length)
  expect(new Set(sample.map(([answer]) => answer)).size).toBe(answers.length)
})

/** The fault table as tests: answers of a hostile service to a write, executed or not, and what comes of repeating it. */
import { expect, test } from 'vitest'
import type { Answer } from './answer.ts'
import { hurried } from './program.ts'
import { tellPair } from './story.ts'
import type { Write } from './writes.ts'

/** So many stories are told at once: most of their time they wait. */
const lanes = 6

async function tellAll(write: Write, answers: readonly Answer[]): Promise<readonly string[]> {
  const waiting = [...answers]
  const lines: string[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) lines.push(...(await tellPair(write, next, hurried)))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return lines
}

/** A test for each write with its answers. A whole row of the table takes minutes on a busy machine. */
export function testTable(rows: readonly (readonly [Write, readonly Answer[]])[]): void {
  test.each(rows.map(([write, answers]) => [write.name, answers.length, write, answers] as const))(
    'fault table: %s with %i hostile answers is never paid twice, lost or misreported',
    { timeout: 900_000 },
    async (_name, _count, write, answers) => {
      const lines = await tellAll(write, answers)
      expect(lines.length, `\n${lines.join('\n')}\n`).toBe(0)
    },
  )
}

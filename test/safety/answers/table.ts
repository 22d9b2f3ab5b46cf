/** The fault table as tests: a slice of it, another one each time, and all of it with `npm run faults`. */
import { env, stdout } from 'node:process'
import { expect, test } from 'vitest'
import { daily } from '../../figures.ts'
import { many, round } from '../../kit/run/whole.ts'
import type { Answer } from './answer.ts'
import { answers } from './answers.ts'
import { hurried } from './program.ts'
import { tellPair } from './story.ts'
import { type Write, writes } from './writes.ts'

const oneIn = env.PAYDESK_FAULTS === 'all' ? 1 : many(...daily.faultShare)

/** A part of the answers, another one for each write, and each time. */
function ofToday(write: Write): readonly Answer[] {
  const turn = (round + writes.indexOf(write) * 3) % oneIn
  return answers.filter((_, at) => at % oneIn === turn)
}

/** So many stories are told at once: most of their time they wait. */
const lanes = 6

async function tellAll(write: Write, chosen: readonly Answer[]): Promise<readonly string[]> {
  const waiting = [...chosen]
  const lines: string[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) lines.push(...(await tellPair(write, next, hurried)))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return lines
}

/** A test for each of these writes. */
export function testTable(names: readonly Write['name'][]): void {
  stdout.write(`fault table: one answer in ${oneIn}, those of round ${round}\n`)
  const chosen = writes.filter(({ name }) => names.includes(name))
  test.each(chosen.map((write) => [write.name, write] as const))(
    '%s: every answer, executed or not, and its repeats',
    async (_name, write) => {
      const lines = await tellAll(write, ofToday(write))
      expect(lines.length, `\n${lines.join('\n')}\n`).toBe(0)
    },
    900_000,
  )
}

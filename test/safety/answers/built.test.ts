/** Some pairs of the fault table on the built program. */
import { expect, test } from 'vitest'
import { answers } from './answers.ts'
import { built } from './program.ts'
import { tellPair } from './story.ts'
import { type WriteName, writes } from './writes.ts'

const pairs: readonly (readonly [answer: string, write: WriteName])[] = [
  ['JSON cut short', 'payout create'],
  ['303', 'order create'],
  ['a refusing code among the members of a success', 'charge of a saved card'],
  ['a success with the status SUCCESS', 'order cancel'],
  ['a success with the status REFUNDED_FAILED', 'order refund'],
  ['503 with Retry-After', 'order complete'],
  ['a success with the status ALREADY_FINALISED', 'wallet finalize'],
  ['a refusal of the arguments (5042; 6053, group 1)', 'wallet create'],
]

// Several programs, each with its own pauses and timeouts in real time.
test.concurrent.each(pairs)(
  'built program: after "%s" to %s nothing is paid twice, lost or misreported',
  { timeout: 120_000 },
  async (name, title) => {
    const answer = answers.find((each) => each.name === name)
    const write = writes.find((each) => each.name === title)
    if (!answer || !write) throw new Error(`the table has no ${name} × ${title}`)
    const lines = await tellPair(write, answer, built)
    expect(lines.length, `\n${lines.join('\n')}\n`).toBe(0)
  },
)

/** The terminal that the README shows is what the program prints at a terminal now. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drawn, textOf } from '../../scripts/recording/draw.mts'
import { record, width } from '../../scripts/recording/record.mts'
import { isMissingProgram } from '../kit/process.ts'
import { root } from './typed/page.ts'
import { steady } from './typed/player.ts'

/** How often the payout is tried is left to chance. */
const shown = (text: string) =>
  text
    .split('\n')
    .map(steady)
    .filter((line) => !/^(read ECONNRESET; next attempt|status )/.test(line))

const noTerminal = isMissingProgram('tmux', ['-V'], 'that the recorded terminal is what the program prints')

test.skipIf(noTerminal)(
  'docs/pictures/lost-answer.svg: the program prints the same at a terminal, or npm run recording was forgotten',
  { timeout: 120_000 },
  async () => {
    const picture = readFileSync(join(root, 'docs/pictures/lost-answer.svg'), 'utf8')
    expect(shown(textOf(picture))).toEqual(shown(textOf(drawn(await record(), width, ''))))
    expect(textOf(picture)).toMatch(/GEL 20\.00 +(?:INITIAL|PENDING) +1 /)
  },
)

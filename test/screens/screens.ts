/** Stories at real terminals, compared with what was drawn; `npm run screens` draws all anew. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isMissingProgram } from '../kit/process.ts'
import { type Story, screensOf } from './story.ts'

export const looks = [40, 80, 200].flatMap((width) => [true, false].map((hasColours) => ({ width, hasColours })))

const noTmux = isMissingProgram('tmux', ['-V'], 'that people see at a terminal what the screens show')

export function testScreens(pairs: readonly (readonly [Story, (typeof looks)[number]])[]): void {
  describe.skipIf(noTmux)('screens', () => {
    // A story is played in real time, keystroke by keystroke.
    test.each(
      pairs.map(
        ([story, look]) =>
          [story.name, look.width, look.hasColours ? 'in colours' : 'without colours', look, story] as const,
      ),
    )(
      'the %s story at a terminal of %i columns, %s, looks as it was drawn',
      { timeout: 600_000 },
      async (name, _width, _colours, look, story) => {
        const screens = await screensOf(story, look)
        const file = `${name}-${look.width}${look.hasColours ? '-colours' : ''}.txt`
        if (!look.hasColours) expect(screens).not.toMatch(/‹/)
        await expect(screens).toMatchFileSnapshot(join(import.meta.dirname, 'drawn', file))
      },
    )
  })
}

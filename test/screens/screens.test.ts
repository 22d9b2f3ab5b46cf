/**
 * Three stories at real terminals, as people see them; `npm run screens` draws them anew. Every day one of the looks is played,
 * another one with each seed; all of them in continuous integration.
 */
import { join } from 'node:path'
import { env } from 'node:process'
import { describe, expect, test } from 'vitest'
import { isMissingProgram } from '../kit/program/missing.ts'
import { seedVariable } from '../kit/run/seed.ts'
import { isWhole } from '../kit/run/whole.ts'
import { stories } from '../kit/screen/stories.ts'
import { screensOf } from '../kit/screen/story.ts'

const looks = [40, 80, 200].flatMap((width) => [true, false].map((hasColours) => ({ width, hasColours })))
const isAll = isWhole || env.PAYDESK_SCREENS === 'all'
const ofToday = isAll ? looks : looks.filter((_, at) => at === Number(env[seedVariable]) % looks.length)

const noTmux = isMissingProgram('tmux', ['-V'], 'that people see at a terminal what the screens show')

describe.skipIf(noTmux)('screens', () => {
  test.each(stories.flatMap((story) => ofToday.map((look) => [story.name, look, story] as const)))(
    '%s %o',
    { timeout: 600_000 },
    async (name, look, story) => {
      const screens = await screensOf(story, look)
      const file = `${name}-${look.width}${look.hasColours ? '-colours' : ''}.txt`
      if (!look.hasColours) expect(screens).not.toMatch(/‹/)
      await expect(screens).toMatchFileSnapshot(join(import.meta.dirname, 'drawn', file))
    },
  )
})

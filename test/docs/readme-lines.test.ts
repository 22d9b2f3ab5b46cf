/**
 * Every command line of the README is typed, and ends and prints as the README says. A packed program is typed into bash, line by
 * line; where the clone is tried, lines that are nothing but a command run in this process.
 */
import { expect, test, vi } from 'vitest'
import { isMissingProgram } from '../kit/process.ts'
import { PagePlayer } from './typed/player.ts'

vi.setConfig({ testTimeout: 120_000 })

const first = 'npm ci && npm run build && node bin/run.js'

test('README.md: every line is typed, and ends and prints as it says', async () => {
  const player = new PagePlayer('README.md', {
    set: async () => ({ [first]: 'paydesk' }),
    lines: {
      // By the very run that this is a part of.
      'npm ci && npm test': { isSkipped: true },
      "paydesk token --header | curl --silent -H @- 'http://127.0.0.1:4010/api/distributor/balance/check?currency=GEL'":
        { isSkipped: isMissingProgram('curl', ['--version'], 'that the line for curl is answered') },
    },
  })
  expect(await player.run()).toBeGreaterThan(12)
})

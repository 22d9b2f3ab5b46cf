import { expect, test } from 'vitest'
import type { UnderWay } from '../../../../src/lib/batch/run/departures.ts'
import { openInWords, openParts } from '../../../../src/lib/cli/batch/progress.ts'

const nothing: UnderWay = { open: 0, pausing: 0, atService: 0, holdsBack: false, isEnding: false, closedFor: 0 }

test.each([
  [{}, ''],
  [{ atService: 4 }, ''],
  [{ atService: 4, isEnding: true }, 'no more rows are sent'],
  [{ isEnding: true }, 'no more rows are sent; the store is waited for'],
  [{ open: 1, pausing: 1, isEnding: true }, 'no more rows are sent; 1 row has no answer yet and is sent once more'],
  [{ closedFor: 900 }, ''],
  [{ closedFor: 20_400 }, 'the service asks for 21 s more'],
  [
    { open: 2, pausing: 2, isEnding: true, closedFor: 60_000 },
    'no more rows are sent; 2 rows have no answer yet and are sent once more; the service asks for 1 min more',
  ],
] as const)('the rows under way %o in words', (more, words) => {
  expect(openInWords({ ...nothing, ...more })).toBe(words)
})

test('a bar says that a run ends, and for how long the service asks', () => {
  const parts = openParts({ ...nothing, open: 2, isEnding: true, closedFor: 5_000 })
  expect(parts.map(([, text]) => text).filter((text) => text !== '')).toEqual([
    'no answer yet 2',
    'asked to wait 5 s',
    'ending',
  ])
})

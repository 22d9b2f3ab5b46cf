import { expect, test } from 'vitest'
import type { RowsUnderWay } from '../../../../src/lib/batch/scheduler.ts'
import { openInWords, openParts } from '../../../../src/lib/cli/batch/progress.ts'

const nothing: RowsUnderWay = { open: 0, pausing: 0, atService: 0, holdsBack: false, isEnding: false, pausedFor: 0 }

test.each([
  [{}, ''],
  [{ atService: 4 }, ''],
  [{ atService: 4, isEnding: true }, 'no more rows are sent'],
  [{ isEnding: true }, 'no more rows are sent; waiting for the store'],
  [{ open: 1, pausing: 1, isEnding: true }, 'no more rows are sent; 1 row has no answer yet and is sent again'],
  [{ pausedFor: 900 }, ''],
  [{ pausedFor: 20_400 }, 'the service asks to wait 21 s more'],
  [
    { open: 2, pausing: 2, isEnding: true, pausedFor: 60_000 },
    'no more rows are sent; 2 rows have no answer yet and are sent again; the service asks to wait 1 min more',
  ],
] as const)('the rows under way %o in words', (more, words) => {
  expect(openInWords({ ...nothing, ...more })).toBe(words)
})

test('a bar says that a run ends, and for how long the service asks', () => {
  const parts = openParts({ ...nothing, open: 2, isEnding: true, pausedFor: 5_000 })
  expect(parts.map(([, text]) => text).filter((text) => text !== '')).toEqual([
    'no answer yet 2',
    'asked to wait 5 s',
    'ending',
  ])
})

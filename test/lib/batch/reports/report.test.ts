import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Timeline } from '../../../../src/lib/batch/reports/report.ts'
import { resultFileNames } from '../../../../src/lib/batch/row-state.ts'

const start = Date.parse('2026-11-23T08:00:00Z')

test('every row stands in the step of its moment, however long the whole took', () => {
  const row = fc.record({
    after: fc.integer({ min: 0, max: 3 * 365 * 86_400_000 }),
    paper: fc.constantFrom(...resultFileNames),
  })
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 50 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (rows, scale) => {
        const timeline = new Timeline()
        const moments = rows.map(({ after }) => start + Math.floor(after / scale))
        for (const [at, { paper }] of rows.entries()) timeline.add(moments[at] ?? 0, paper)
        const { steps, length } = timeline
        expect(steps.length).toBeLessThanOrEqual(60)
        for (const name of resultFileNames) {
          for (const { from, counts } of steps) {
            const own = rows.filter(
              ({ paper }, at) => paper === name && Math.floor((moments[at] ?? 0) / length) * length === from,
            )
            expect(counts[name]).toBe(own.length)
          }
        }
      },
    ),
  )
})

test('nothing has no steps', () => {
  expect(new Timeline().steps).toEqual([])
})

/** The counts that the bar of a run shows are those of its result and of `batch status`. */
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { employees, type HandPayroll, plannedPayroll } from '../../kit/batch.ts'
import type { Surroundings } from '../../kit/program.ts'
import { type Answering, json } from '../../kit/service.ts'

const rows = 12

const planned = async (answering: Answering): Promise<HandPayroll> => {
  const payroll = await plannedPayroll(employees(rows, { amount: '1' }), (seen, count) =>
    seen.path === '/api/distributor' ? answering(seen, count) : undefined,
  )
  return payroll
}

/** A run at a terminal: what its bar showed, without the bar, and how it ended. */
async function drawn(
  payroll: HandPayroll,
  command: 'run' | 'resume',
  more: readonly string[] = [],
  { see, ...around }: Partial<Surroundings> & { readonly see?: (screen: string) => void } = {},
) {
  let screen = ''
  const line = ['batch', command, payroll.planId, '--confirm', `GEL ${rows}`, '--output', 'table', ...more]
  const ended = await payroll.run(line, {
    terminal: true,
    columns: 160,
    dialogue: (seen) => {
      screen = seen
      see?.(seen)
    },
    ...around,
  })
  const shown = stripVTControlCharacters(screen)
    .split('\r')
    .map((each) => each.replace(/^[░█]+/, '').trim())
  return {
    ended,
    result: stripVTControlCharacters(ended.stdout),
    bars: shown.filter((each) => each.startsWith(`${/^\d+/.exec(each)?.[0]}/${rows}`)),
  }
}

test('batch run: the bar counts unknown rows as not done, and rows that only exist as accepted with that remark', async () => {
  let isLost = true
  const known = json({ statusCode: 5017, message: 'duplicate' }, 400)
  const payroll = await planned(() => (isLost ? 'reset' : known))
  const first = await payroll.batch('run', '--confirm', `GEL ${rows}`, '--timeout', '1s', '--concurrency', String(rows))
  expect(first.json).toMatchObject({ unknown: rows })
  const status = () => payroll.batch('status', '--watch', '--output', 'table')
  expect((await status()).stdout).toContain(`0 of ${rows} rows: accepted 0 (GEL 0.00), unknown ${rows}`)
  isLost = false
  const { ended, bars, result } = await drawn(payroll, 'resume')
  expect(ended.code, ended.stderr).toBe(0)
  expect(result).toMatch(new RegExp(`exists +${rows}\n`))
  expect(bars[0]).toBe(`0/${rows} accepted 0 unknown ${rows}`)
  expect(bars.at(-1)).toMatch(
    new RegExp(`^${rows}/${rows} .*accepted ${rows}, of which ${rows} only exist \\(GEL ${rows}\\.00\\)$`),
  )
  expect((await status()).stdout).toContain(
    `${rows} of ${rows} rows: accepted ${rows} (GEL ${rows}.00, of which ${rows} only exist)`,
  )
})

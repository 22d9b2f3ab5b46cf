/** The counts that the bar of a run shows are those of its result and of `batch status`. */
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { employees, type HandPayroll, handPayroll } from '../../kit/batch.ts'
import type { Surroundings } from '../../kit/program.ts'
import { type Answering, json } from '../../kit/service.ts'
import { until } from '../../kit/tools.ts'

const rows = 12

const planned = async (answering: Answering): Promise<HandPayroll> => {
  const payroll = await handPayroll(employees(rows, { amount: '1' }), (seen, count) =>
    seen.path === '/api/distributor' ? answering(seen, count) : undefined,
  )
  await payroll.plan()
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
  const first = await payroll.run([
    'batch',
    'run',
    payroll.planId,
    '--confirm',
    `GEL ${rows}`,
    '--timeout',
    '1s',
    '--concurrency',
    String(rows),
  ])
  expect(first.json).toMatchObject({ unknown: rows })
  const status = () => payroll.run(['batch', 'status', payroll.planId, '--watch', '--output', 'table'])
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

test('batch run: the bar counts rows that were turned away as not done (10)', async () => {
  const payroll = await planned(() => ({ status: 429, headers: { 'retry-after': '1' }, body: '' }))
  const { ended, bars } = await drawn(payroll, 'run')
  expect(ended.code, ended.stderr).toBe(10)
  expect(bars.at(-1)).toMatch(new RegExp(`^0/${rows} .*accepted 0 turned away \\d+$`))
  expect(bars.filter((each) => !each.startsWith('0/'))).toEqual([])
})

test('batch run: after ^C the bar counts unsent rows as not done and shows no time left (130)', async () => {
  let send: (signal: 'SIGINT') => void = () => undefined
  let screen = ''
  const payroll = await planned(async (_, count) => {
    if (count === 4) send('SIGINT')
    if (count >= 4) await until('the bar says that the run is ending', () => screen.includes('ending'))
    return undefined
  })
  const { ended, bars, result } = await drawn(payroll, 'run', ['--concurrency', '2'], {
    see: (seen) => {
      screen = seen
    },
    signals: (to) => {
      send = to
    },
  })
  expect(ended.code, ended.stderr).toBe(130)
  const taken = Number(/accepted +(\d+)/.exec(result)?.[1])
  expect(taken).toBeLessThan(rows)
  expect(bars.at(-1)).toMatch(new RegExp(`^${taken}/${rows} ending .*accepted ${taken}\\b`))
  expect(bars.filter((each) => each.includes('ending') && each.includes('left'))).toEqual([])
})

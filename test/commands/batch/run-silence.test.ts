/**
 * A run whose rows have no answer, or whose service asks for a pause, tells what it waits for: at a signal, every ten
 * seconds off a terminal, and in its bar.
 */

import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { employees, plannedPayroll } from '../../kit/batch.ts'
import { succeeds } from '../../kit/program.ts'
import { signalLine, until } from '../../kit/tools.ts'
import { SteppedClock } from './stepped.ts'

/** Rows at the service at once. */
const atOnce = 16
/** Seconds that the service asks for. */
const pause = 45

interface More {
  readonly columns?: number
  /** The status of first answers: those to all rows are lost, or that to one of them asks for a pause. */
  readonly first?: 503 | 429
}

/** A run in the pause before the rows without an answer are sent once more. */
async function silent({ columns, first = 503 }: More = {}) {
  const many = first === 429 ? 1 : atOnce
  const seen = new Map<string, number>()
  const payroll = await plannedPayroll(employees(24, { amount: '1' }), async ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { uniqueId } = JSON.parse(body)
    seen.set(uniqueId, (seen.get(uniqueId) ?? 0) + 1)
    const isFirst = seen.get(uniqueId) === 1 && seen.size <= many
    // Ten rows without an answer hold back the others: no answer is lost before all sixteen are at the service.
    if (isFirst) await until('all are at the service', () => seen.size >= many)
    return isFirst ? { status: first, headers: { 'retry-after': String(pause) }, body: '' } : undefined
  })
  const clock = new SteppedClock()
  let screen = ''
  const { send, signals } = signalLine()
  const line = ['batch', 'run', payroll.planId, '--confirm', 'GEL 24', '--concurrency', String(atOnce)]
  const running = payroll.run([...line, '--output', 'table'], {
    ...{ clock, every: clock.every },
    signals,
    dialogue: (all) => {
      screen = all
    },
    ...(columns === undefined ? {} : { terminal: true, columns }),
  })
  await clock.asleep(many, (pause - 1) * 1_000)
  return {
    ...{ clock, seen },
    send: (signal: 'SIGINT' | 'SIGTERM') => send(signal),
    /** What was drawn so far. */
    drawn: () => screen.split(/[\r\n]/).map((text) => stripVTControlCharacters(text).trim()),
    /** The rest of the run, in which no time is spent on a pause. */
    end: () => {
      clock.flow()
      return running
    },
  }
}

test.each([
  ['SIGINT', '^C', 130],
  ['SIGTERM', 'SIGTERM', 143],
] as const)('batch run: %s while rows have no answer tells what is resolved', async (signal, name, code) => {
  const { send, drawn, end, seen } = await silent()
  send(signal)
  // No time passes until it was said.
  await until('it says what it waits for', () => drawn().some((line) => line.includes(`${name}: `)))
  const ended = await end()
  expect(ended.stderr).toContain(
    `${name}: no more rows are sent; 16 rows without an answer are sent once more under the same id; ` +
      'each may take 2 min (--timeout); ' +
      `a second ${name} ends at once, and unknown rows can be resolved later.`,
  )
  expect(ended.code, ended.stderr).toBe(code)
  // Rows that may have been executed are resolved, and nothing else leaves.
  expect([...seen.values()]).toEqual(Array.from({ length: atOnce }, () => 2))
  expect(ended.stdout).toMatch(/accepted +16\n/)
  expect(ended.stdout).toMatch(/planned +\d+\n/)
})

test('batch run: off a terminal a line is written every ten seconds while no row ends', async () => {
  const { clock, drawn, end } = await silent()
  const lines = () => drawn().flatMap((line) => /0 of 24 rows: .*/.exec(line)?.[0] ?? [])
  await clock.pass(8_000)
  expect(lines()).toEqual([])
  await clock.pass(34_000)
  const line = '0 of 24 rows: accepted 0; 16 rows have no answer yet and are sent again; no new rows are sent'
  expect(lines()).toEqual([line, line, line, line])
  await succeeds(end())
})

test.each([40, 80, 200])('batch run: at %i columns the bar says that new rows wait', async (columns) => {
  const { clock, drawn, end } = await silent({ columns })
  await clock.pass(2_000)
  const waits = /\b0\/24 no answer yet 16 new rows wait\b/
  await until(`the bar shows it: ${drawn().join('\n')}`, () => drawn().some((line) => waits.test(line)))
  await succeeds(end())
  expect(drawn().some((line) => line.includes('24/24'))).toBe(true)
})

test('batch run: off a terminal the lines count down the pause that the service asks for', async () => {
  const { clock, drawn, end } = await silent({ first: 429 })
  await clock.pass(42_000)
  const asks = / rows: accepted \d+(?: \(GEL [\d.]+\))?; the service asks to wait (\d+) s more$/
  const left = drawn().flatMap((line) => asks.exec(line)?.[1] ?? [])
  expect(left, drawn().join('\n')).toEqual(['35', '25', '15', '5'])
  await succeeds(end())
})

test.each([40, 80, 200])('batch run: at %i columns the bar shows the pause of the service', async (columns) => {
  const { clock, drawn, end } = await silent({ columns, first: 429 })
  await clock.pass(2_000)
  const asked = () => drawn().filter((line) => line.includes('asked to wait'))
  const isTold = (line: string) => /\b\d+\/24 asked to wait \d{1,2} s\b/.test(line)
  await until(`the bar shows it: ${drawn().join('\n')}`, () => asked().some(isTold))
  await succeeds(end())
  expect(asked().filter((line) => /left|\/min|\d\/s/.test(line))).toEqual([])
  expect(drawn().at(-1)).not.toContain('asked')
})

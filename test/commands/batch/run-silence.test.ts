/** A run whose line loses every answer for a while, or whose service asks for a pause: it says what it waits for, at a signal, every ten seconds, and in its bar. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type Clock, realClock } from '../../../src/lib/edge.ts'
import { employees, handPayroll } from '../../kit/batch/payroll.ts'
import { until } from '../../kit/run/until.ts'

/** A clock on which so many times as much time passes. */
function fast(times: number): Clock {
  const start = Date.now()
  const at = () => start + (Date.now() - start) * times
  return {
    now: at,
    steady: () => ({ boot: 'fast', milliseconds: at() - start }),
    sleep: (milliseconds, signal) => realClock.sleep(milliseconds / times, signal),
  }
}

/** Rows at the service at once. */
const atOnce = 16

interface More {
  readonly columns?: number
  readonly signal?: 'SIGINT' | 'SIGTERM'
  /** The status of first answers: those to all rows are lost, or that to one of them asks for a pause. */
  readonly first?: 503 | 429
}

/** The first answer to each row is of no use, and its next turn is so many seconds later. */
async function silent(seconds: number, clock: Clock, { columns, signal, first = 503 }: More) {
  const seen = new Map<string, number>()
  const payroll = await handPayroll(employees(60, { amount: '1' }), ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { uniqueId } = JSON.parse(body)
    seen.set(uniqueId, (seen.get(uniqueId) ?? 0) + 1)
    const isFirst = seen.get(uniqueId) === 1 && seen.size <= (first === 429 ? 1 : atOnce)
    return isFirst ? { status: first, headers: { 'retry-after': String(seconds) }, body: '' } : undefined
  })
  await payroll.plan()
  const shown: { readonly at: number; readonly text: string }[] = []
  let length = 0
  let send: (signal: 'SIGINT' | 'SIGTERM') => void = () => undefined
  const line = ['batch', 'run', payroll.planId, '--confirm', 'GEL 60', '--concurrency', String(atOnce)]
  const running = payroll.run([...line, '--output', 'table'], {
    clock,
    signals: (to) => {
      send = to
    },
    dialogue: (screen) => {
      shown.push({ at: performance.now(), text: screen.slice(length) })
      length = screen.length
    },
    ...(columns === undefined ? {} : { terminal: true, columns }),
  })
  let sentAt = Number.NaN
  if (signal !== undefined) {
    await until('the first answers are lost', () => seen.size === atOnce)
    await realClock.sleep(700)
    sentAt = performance.now()
    send(signal)
  }
  return { ended: await running, shown, sentAt, seen }
}

describe('the first signal in a silence says at once what is waited for, and how long', () => {
  test.each([
    ['SIGINT', '^C', 130],
    ['SIGTERM', 'SIGTERM', 143],
  ] as const)('%s', async (signal, name, code) => {
    const { ended, shown, sentAt, seen } = await silent(3, realClock, { signal })
    const words = shown.find(({ text }) => text.includes(`${name}: `))
    expect(ended.stderr).toContain(
      `${name}: no more rows are sent; 16 rows without an answer are sent once more under the same id; ` +
        'that takes 2 min for each at most (--timeout); ' +
        `a second ${name} ends at once, and what is unknown then can be resolved later.`,
    )
    expect(Number(words?.at) - sentAt).toBeLessThan(500)
    expect(ended.code, ended.stderr).toBe(code)
    // Rows that may have been executed are resolved, and nothing else leaves.
    expect([...seen.values()]).toEqual(Array.from({ length: atOnce }, () => 2))
    expect(ended.stdout).toMatch(/accepted +16\n/)
    expect(ended.stdout).toMatch(/planned +\d+\n/)
  })
})

test('off a terminal a line comes every ten seconds, though no row ends', async () => {
  const { ended } = await silent(45, fast(10), {})
  expect(ended.code, ended.stderr).toBe(0)
  const lines = ended.stderr.split('\n').filter((line) => line.startsWith('0 of 60 rows: '))
  expect(lines).toContain(
    '0 of 60 rows: accepted 0; 16 rows have no answer yet and are sent once more; no new row is sent meanwhile',
  )
  expect(lines.length).toBeGreaterThan(2)
  expect(lines.length).toBeLessThan(6)
})

describe('the bar says that new rows wait', () => {
  test.each([40, 80, 200])('%i columns', async (columns) => {
    const { ended, shown } = await silent(25, fast(10), { columns })
    expect(ended.code, ended.stderr).toBe(0)
    const drawn = shown.map(({ text }) => stripVTControlCharacters(text).trim())
    expect(
      drawn.filter((line) => /\b0\/60 no answer yet 16 new rows wait\b/.test(line)),
      drawn.join('\n'),
    ).not.toEqual([])
    expect(drawn.some((line) => line.includes('60/60'))).toBe(true)
  })
})

describe('a pause that the service asks for is told while it lasts, and then no more', () => {
  const asked = [...Array(45).keys()].map((left) => left + 1)

  test('off a terminal', async () => {
    const { ended } = await silent(45, fast(10), { first: 429 })
    expect(ended.code, ended.stderr).toBe(0)
    const lines = ended.stderr.split('\n').filter((line) => /^\d+ of 60 rows: .* asks for /.test(line))
    const told = lines.map((line) =>
      Number(/ rows: accepted \d+(?: \(GEL [\d.]+\))?; the service asks for (\d+) s more$/.exec(line)?.[1]),
    )
    expect(told.length, lines.join('\n')).toBeGreaterThan(2)
    for (const left of told) expect(asked).toContain(left)
  })

  test.each([40, 80, 200])('%i columns', async (columns) => {
    const { ended, shown } = await silent(25, fast(10), { columns, first: 429 })
    expect(ended.code, ended.stderr).toBe(0)
    const drawn = shown.map(({ text }) => stripVTControlCharacters(text).trim())
    const told = drawn.filter((line) => line.includes('asked to wait'))
    expect(
      told.filter((line) => /\b\d+\/60 asked to wait \d{1,2} s\b/.test(line)),
      drawn.join('\n'),
    ).not.toEqual([])
    expect(told.filter((line) => /left|\/min|\d\/s/.test(line))).toEqual([])
    expect(drawn.at(-1)).not.toContain('asked')
  })
})

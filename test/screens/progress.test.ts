/** The progress of a run at a real terminal, and what is told there when it is stopped: nothing of the bar is left, and nothing is cut. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { progressLine } from '../../src/lib/cli/batch/progress.ts'
import { employees, plannedPayroll } from '../kit/batch.ts'
import { isMissingProgram } from '../kit/process.ts'
import { until } from '../kit/tools.ts'
import { Terminal } from './terminal.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

const noTmux = isMissingProgram('tmux', ['-V'], 'that the bar of a run is gone before anything else is told')

/** Rows of a plan, and those that the service answers. */
const [rows, answered] = [40, 3]

describe.skipIf(noTmux).each([80, 40])('a run at a terminal of %i columns', (width) => {
  test('shows whole figures; its first ^C says what it waits for, its second ends it with a line to paste', async () => {
    const payroll = await plannedPayroll(employees(rows, { amount: '9751.72' }), ({ path }, count) =>
      path === '/api/distributor' && count > answered ? 'hang' : undefined,
    )
    const consent = 'GEL 390068.80'
    const terminal = new Terminal({ width, hasColours: false })
    onTestFinished(() => terminal.close())
    await terminal.untilPrompt(0)
    terminal.type(`clear; PAYDESK_HOME=${payroll.home} paydesk batch run ${payroll.planId} --confirm '${consent}'`)
    terminal.press('Enter')
    const shown = () => terminal.lines().map((line) => line.trimEnd())
    await terminal.until(() => shown().some((line) => line.includes(`${answered}/${rows}`)), 'the figures')
    const bar = shown().find((line) => line.includes(`${answered}/${rows}`)) ?? ''
    expect(bar.length).toBeLessThan(width)
    if (bar.includes('GEL')) expect(bar).toContain('(GEL 29255.16)')
    await until('all lanes are taken', () => payroll.service.creates.length === answered + 16)
    terminal.press('C-c')
    const words = () => shown().join(' ').replaceAll(/\s+/g, ' ')
    await terminal.until(() => words().includes('16 requests on their way are waited for'), 'the first ^C')
    expect(words()).toContain('a second ^C ends at once')
    terminal.press('C-c')
    await terminal.untilPrompt(2)
    // The terminal breaks the line, and its screen has no blanks at the end of one.
    const whole = shown().join('').replaceAll(/\s/g, '')
    expect(whole).toContain(`→\`paydeskbatchresume${payroll.planId}--confirm'GEL390068.80'\`continues`)
    expect(whole).toContain(`interrupted:stoppedwhilerowsof${payroll.planId}wereinflight,orjustafter`)
    expect(shown().join('\n')).not.toMatch(/[░█]/)
  })
})

test('a line leaves out whole parts, the least weighty first, and a bar where there is no room', () => {
  const parts = [
    [3, '12/s, 30 s left'],
    [2, 'accepted 39'],
    [1, '(GEL 9751.72 + USD 8123.00)'],
    [4, 'unknown 1'],
  ] as const
  const lines = [100, 79, 59, 39, 20, 8].map((columns) => progressLine(39, 400, parts, columns))
  expect(lines).toEqual([
    '█░░░░░░░░░░░░░░░░░░░ 39/400 12/s, 30 s left accepted 39 (GEL 9751.72 + USD 8123.00) unknown 1',
    '░░░░░░ 39/400 12/s, 30 s left accepted 39 (GEL 9751.72 + USD 8123.00) unknown 1',
    '█░░░░░░░░░░░░░ 39/400 12/s, 30 s left accepted 39 unknown 1',
    '░░░░░░ 39/400 12/s, 30 s left unknown 1',
    '39/400 unknown 1',
    '39/400',
  ])
  expect(progressLine(0, 40, [[3, '']], 39)).toBe(`${'░'.repeat(20)} 0/40`)
})

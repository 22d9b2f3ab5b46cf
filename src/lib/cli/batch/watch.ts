/**
 * The watch over a plan: in place at a terminal, elsewhere a line for each change, until nobody sends more of it; and the
 * status of a plan as figures for Prometheus.
 */
import { setMaxListeners } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { lookPauses } from '../../backoff.ts'
import { rowStates } from '../../batch/row-state.ts'
import { type PlanStatus, readStatus, type StatusParts, type StatusResult, statusResultOf } from '../../batch/status.ts'
import type { Edge } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { Metrics } from '../../fleet/metrics.ts'
import { hint, paste } from '../../hint.ts'
import { kindOf } from '../../signals.ts'
import type { Invocation } from '../invocation.ts'
import { terminalColumns } from '../output/terminal.ts'
import { statusLine, statusView } from './views.ts'

/** The cursor to the beginning of the line so many lines up, and everything below it cleared. */
const above = (lines: number) => `${lines === 0 ? '' : `\u001b[${lines}A`}\r\u001b[0J`

/** Draws a text over the one that it drew before. */
function drawerOver(stream: Edge['stdout']): (text: string) => void {
  let lines = 0
  return (text) => {
    const width = terminalColumns(stream) ?? 80
    stream.write(`${above(lines)}${text}\n`)
    const lengths = text.split('\n').map((line) => stripVTControlCharacters(line).length)
    lines = lengths.reduce((sum, length) => sum + Math.max(1, Math.ceil(length / width)), 0)
  }
}

/** The sums of money that are told. */
const sums = ['accepted', 'exists', 'sending', 'unknown', 'conflict', 'refused', 'left'] as const

/** The status of a plan as figures for Prometheus: a file for the collector of text files, or the body of a push. */
export function planFigures(told: StatusResult): Promise<string> {
  const { planId: plan, money, withWorkers, at, unknownSince, isOver } = told
  const figures = new Metrics()
  const rows = { ...told, 'turned-away': told.turnedAway }
  const counts = rowStates.map((state) => ({ labels: { plan, state }, value: rows[state] }))
  figures.gauge({ name: 'paydesk_plan_rows', help: 'Rows by state.', labels: ['plan', 'state'] }, () => counts)
  figures.gauge(
    { name: 'paydesk_plan_amount', help: 'Money by currency.', labels: ['plan', 'currency', 'state'] },
    () =>
      money.flatMap((of) =>
        sums.map((state) => ({ labels: { plan, currency: of.currency, state }, value: Number(String(of[state])) })),
      ),
  )
  const age = unknownSince === null ? 0 : (Date.parse(at) - Date.parse(unknownSince)) / 1000
  const single = (name: string, help: string, value: number) =>
    figures.gauge({ name, help, labels: ['plan'] }, () => [{ labels: { plan }, value: Math.max(0, value) }])
  single('paydesk_plan_oldest_unknown_seconds', 'Age of the oldest row without a definite answer; 0 without one.', age)
  single('paydesk_plan_workers', 'Workers that have rows of it in work.', withWorkers?.working ?? 0)
  single('paydesk_plan_over', '1 if nobody sends more of it by itself.', isOver ? 1 : 0)
  return figures.text()
}

/** Milliseconds between two looks, at least. */
const pause = 1_000

/** Milliseconds over which the rate is taken. */
const rateOver = 15_000

interface Sample {
  readonly at: number
  readonly done: number
}

/** Throws as the end of a run does; interrupted (130, 143) after a signal, pending (8) when `timeout` is over. */
export async function watchPlan(
  invocation: Invocation,
  parts: StatusParts,
  timeout: number | undefined,
): Promise<void> {
  const { edge, signal } = invocation
  const { plan } = parts
  const tell = printerOf(invocation)
  const until = timeout === undefined ? Number.POSITIVE_INFINITY : edge.clock.now() + timeout
  let samples: readonly Sample[] = []
  const pauseAfter = lookPauses(pause)
  setMaxListeners(0, signal)
  for (;;) {
    const began = edge.clock.now()
    const look = await readStatus(parts)
    const { count } = look
    samples = [...samples.filter(({ at }) => began - at <= rateOver), { at: began, done: count.ended }]
    await tell(statusResultOf(plan, look, rateOf(samples)))
    if (look.isOver) return await over(invocation, parts, look)
    const wait = pauseAfter(edge.clock.now() - began)
    if (signal.aborted) throw stopped(signal, plan.planId)
    if (edge.clock.now() + wait > until) throw late(plan.planId)
    await edge.clock.sleep(wait, signal).catch(() => undefined)
    if (signal.aborted) throw stopped(signal, plan.planId)
  }
}

/** Rows a second, to a tenth; null until there were two looks. */
function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || last.at <= first.at) return null
  return Math.round(((last.done - first.done) * 10_000) / (last.at - first.at)) / 10
}

async function over(
  invocation: Invocation,
  { plan }: StatusParts,
  { count, withWorkers, discardedAt }: PlanStatus,
): Promise<void> {
  const { endRun } = await import('./end.ts')
  const { stopOfWorkers } = await import('../../batch/stop.ts')
  try {
    const reason = withWorkers && stopOfWorkers(withWorkers)
    endRun(invocation, { ...plan, discardedAt }, count, { reason, last: null, hasSent: true, hasPaid: true })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // The last line has told the counts.
    const { document: _, ...facts } = error.facts
    throw new Failure(error.kind, error.message, facts)
  }
}

/** Tells what is new. */
function printerOf({ edge, output }: Invocation): (told: StatusResult) => Promise<void> {
  if (!output.machine && edge.stdout.isTTY) {
    const draw = drawerOver(edge.stdout)
    return async (told) => draw(output.drawView(statusView(told)))
  }
  let before = ''
  return async (told) => {
    // Time and rate go on by themselves: they are no change.
    const { at, rowsPerSecond: _, ...rest } = told
    const now = output.machine ? JSON.stringify(rest) : statusLine({ ...told, rowsPerSecond: null })
    if (now === before) return
    before = now
    await output.document(told, [{ kind: 'text', text: `${at.slice(0, 19)}Z ${statusLine(told)}` }])
  }
}

function stopped({ reason }: AbortSignal, planId: string): Failure {
  return new Failure(kindOf(reason), `stopped watching ${planId}; the run goes on`, {
    hints: [hint`\`${paste('batch status', planId, '--watch')}\` continues watching.`],
  })
}

function late(planId: string): Failure {
  return new Failure('pending', `${planId} did not end within --timeout`, {
    hints: [hint`\`${paste('batch status', planId, '--watch')}\` continues watching.`],
  })
}

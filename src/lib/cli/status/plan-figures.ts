/** The status of a plan as figures for Prometheus: a file for the collector of text files, or the body of a push. */
import { rowStates } from '../../batch/row-state.ts'
import type { StatusResult } from '../../batch/status.ts'
import { Metrics } from '../../fleet/metrics.ts'

/** The sums of money that are told. */
const sums = ['accepted', 'exists', 'sending', 'unknown', 'conflict', 'refused', 'left'] as const

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

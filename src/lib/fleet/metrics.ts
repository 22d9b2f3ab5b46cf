/** The metrics and the readiness of a worker: what `worker start --port` serves, as text for Prometheus (version 0.0.4). */

import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { rowStates } from '../batch/row-state.ts'
import type { RowEvent } from '../batch/run.ts'
import { fromMinorUnits } from '../contract/core/decimal.ts'
import type { ServicePlace } from '../contract/service.ts'
import { scopeOf } from '../desk/new-intent.ts'
import type { Clock } from '../edge.ts'
import type { Transport } from '../http/client.ts'
import type { Journal } from '../journal/journal.ts'
import { type OpenMoney, readOpenMoney } from '../journal/lease.ts'

/** Upper bounds of the latency, in seconds. */
const latencies = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Milliseconds after which a store that does not answer counts as down: who asks for metrics does not wait long. */
const promptly = 3_000

/** Milliseconds for which an answer of the store is reused. */
const fresh = 1_000

interface MetricParts {
  readonly journal: Pick<Journal, 'ask'>
  /** The client of the worker's profile. */
  readonly place: ServicePlace
  readonly clock: Clock
  /** Fires when the worker takes no more rows. */
  readonly signal: AbortSignal
}

export class WorkerMetrics {
  readonly #parts: MetricParts
  readonly #figures = new Metrics()
  readonly #count: (labels?: { readonly outcome: string }) => void
  readonly #took: (labels: { readonly answer: string }, seconds: number) => void
  #asked: { readonly at: number; readonly isAnswered: boolean; readonly answer: Promise<OpenMoney | null> } | null =
    null

  constructor(parts: MetricParts) {
    this.#parts = parts
    const outcomes = rowStates.filter((state) => state !== 'planned' && state !== 'sending')
    this.#count = this.#figures.counter(
      { name: 'paydesk_rows_total', help: 'Rows that went through this worker, by outcome.', labels: ['outcome'] },
      outcomes.map((outcome) => ({ outcome })),
    )
    this.#took = this.#figures.seconds(
      {
        name: 'paydesk_request_seconds',
        help: 'Time of requests to the service, until the answer was whole or its time was up.',
        labels: ['answer'],
      },
      latencies,
    )
    this.#ofStore()
  }

  /** A row has ended. */
  see({ row: { state } }: RowEvent): void {
    this.#count({ outcome: state })
  }

  /** The same transport; requests are timed. */
  timing(transport: Transport): Transport {
    const { clock } = this.#parts
    return async (...request) => {
      const began = clock.now()
      const sent = await transport(...request)
      const seconds = sent.kind === 'answered' ? sent.milliseconds / 1000 : Math.max(0, clock.now() - began) / 1000
      this.#took({ answer: sent.kind === 'answered' ? String(sent.answer.status) : sent.kind }, seconds)
      return sent
    }
  }

  text(): Promise<string> {
    return this.#figures.text()
  }

  /** Why the worker takes no rows, in words; null while it takes rows. */
  async unready(): Promise<string | null> {
    if (this.#parts.signal.aborted) return 'the worker is ending'
    return (await this.#open()) === null ? 'the team’s store does not answer' : null
  }

  #ofStore(): void {
    const figures = this.#figures
    const whereKnown = (values: (open: OpenMoney) => readonly MetricValue[]) => async () => {
      const open = await this.#open()
      return open === null ? [] : values(open)
    }
    const client = 'Of all payouts of its client in the store'
    figures.gauge({ name: 'paydesk_store_up', help: '1 if the store answers.' }, async () => [
      { value: (await this.#open()) === null ? 0 : 1 },
    ])
    figures.gauge(
      { name: 'paydesk_unknown', help: `${client}: those without a definite answer now.` },
      whereKnown(({ unknown }) => [{ value: unknown.payments }]),
    )
    figures.gauge(
      {
        name: 'paydesk_oldest_unknown_seconds',
        help: `${client}: the age of the oldest without a definite answer; 0 without one.`,
      },
      whereKnown(({ unknown: { oldest } }) => [{ value: (oldest ?? 0) / 1000 }]),
    )
    figures.gauge(
      {
        name: 'paydesk_unknown_amount',
        help: `${client}: the money of those without a definite answer.`,
        labels: ['currency'],
      },
      whereKnown(({ unknown }) => moneyValues(unknown.units)),
    )
    figures.gauge(
      {
        name: 'paydesk_in_flight_amount',
        help: 'Money of the payouts that this worker has on their way.',
        labels: ['currency'],
      },
      whereKnown(({ own }) => moneyValues(own)),
    )
  }

  /** Null if the store does not answer in time. Only one query runs at a time. */
  async #open(): Promise<OpenMoney | null> {
    const { clock, journal, place } = this.#parts
    const isOld = this.#asked === null || (this.#asked.isAnswered && clock.now() - this.#asked.at > fresh)
    if (isOld) {
      const answer = readOpenMoney(journal, scopeOf(place)).catch(() => null)
      const asked = { at: clock.now(), isAnswered: false, answer }
      void answer.then(() => {
        asked.isAnswered = true
      })
      this.#asked = asked
    }
    const waiting = new AbortController()
    const late = clock.sleep(promptly, waiting.signal).then(
      () => null,
      () => null,
    )
    try {
      return await Promise.race([this.#asked?.answer ?? null, late])
    } finally {
      waiting.abort()
    }
  }
}

/** Sums as the nearest numbers. */
function moneyValues(sums: ReadonlyMap<string, bigint>): readonly MetricValue[] {
  return [...sums].map(([currency, units]) => ({ labels: { currency }, value: Number(fromMinorUnits(units)) }))
}

// Metrics of a process or a store, as Prometheus reads them.

type MetricLabels = Readonly<Record<string, string>>

/** One value of a metric. */
interface MetricValue {
  readonly labels?: MetricLabels
  readonly value: number
}

interface MetricName {
  /** As Prometheus spells it, with the unit at the end: `paydesk_rows_total`. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** The content type of the text. */
export const metricsContentType = Registry.PROMETHEUS_CONTENT_TYPE

export class Metrics {
  readonly #registry = new Registry()

  /** A metric that goes up and down. `read` gives all of its values when they are asked for; none if they are unknown. */
  gauge(of: MetricName, read: () => Promise<readonly MetricValue[]> | readonly MetricValue[]): void {
    const gauge = new Gauge({
      ...this.#about(of),
      async collect() {
        const values = await read()
        gauge.reset()
        // Without this, a gauge without labels would show 0.
        if (values.length === 0 && !of.labels?.length) gauge.remove()
        for (const { labels = {}, value } of values) gauge.set({ ...labels }, value)
      },
    })
  }

  /** A counter. Gives the function that adds one. Each of `known` is 0 at first. */
  counter(of: MetricName, known: readonly MetricLabels[] = []): (labels?: MetricLabels) => void {
    const counter = new Counter(this.#about(of))
    for (const labels of known) counter.inc({ ...labels }, 0)
    return (labels = {}) => counter.inc({ ...labels })
  }

  /** A histogram of durations; `upTo`: its bounds in seconds. Gives the function that adds one. */
  seconds(of: MetricName, upTo: readonly number[]): (labels: MetricLabels, seconds: number) => void {
    const histogram = new Histogram({ ...this.#about(of), buckets: [...upTo] })
    return (labels, seconds) => histogram.observe({ ...labels }, seconds)
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }

  #about({ name, help, labels = [] }: MetricName) {
    return { name, help, labelNames: [...labels], registers: [this.#registry] }
  }
}

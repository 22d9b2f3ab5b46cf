/** Figures of a process or a store in the text form that Prometheus reads (version 0.0.4). */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export type FigureLabels = Readonly<Record<string, string>>

/** One value among those of a figure. */
export interface FigureValue {
  readonly labels?: FigureLabels
  readonly value: number
}

interface FigureName {
  /** In Prometheus' spelling, with its unit at the end: `paydesk_rows_total`. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** The content type of their text. */
export const figuresType = Registry.PROMETHEUS_CONTENT_TYPE

export class Figures {
  readonly #registry = new Registry()

  /** A figure that goes up and down: `read` gives all of its values when it is asked for, none where they are not known now. */
  gauge(of: FigureName, read: () => Promise<readonly FigureValue[]> | readonly FigureValue[]): void {
    const gauge = new Gauge({
      ...this.#about(of),
      async collect() {
        const values = await read()
        gauge.reset()
        // A gauge without labels would stand at 0 where its value is not known.
        if (values.length === 0 && !of.labels?.length) gauge.remove()
        for (const { labels = {}, value } of values) gauge.set({ ...labels }, value)
      },
    })
  }

  /** A count that only grows; gives what adds one. Each of `known` stands at 0 from the beginning. */
  counter(of: FigureName, known: readonly FigureLabels[] = []): (labels?: FigureLabels) => void {
    const counter = new Counter(this.#about(of))
    for (const labels of known) counter.inc({ ...labels }, 0)
    return (labels = {}) => counter.inc({ ...labels })
  }

  /** Times that something took; `upTo` are the bounds in seconds. Gives what adds one. */
  seconds(of: FigureName, upTo: readonly number[]): (labels: FigureLabels, seconds: number) => void {
    const histogram = new Histogram({ ...this.#about(of), buckets: [...upTo] })
    return (labels, seconds) => histogram.observe({ ...labels }, seconds)
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }

  #about({ name, help, labels = [] }: FigureName) {
    return { name, help, labelNames: [...labels], registers: [this.#registry] }
  }
}

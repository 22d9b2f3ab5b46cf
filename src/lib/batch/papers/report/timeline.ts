/** Rows over time, in steps that fit the time they took: whole seconds, minutes, hours or days. */
import { type PaperName, paperNames } from '../standing.ts'

/** Seconds of a step; each holds the one before it a whole number of times. */
const lengths = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 604_800, 2_419_200]
const mostSteps = 60

export interface Step {
  /** Milliseconds since 1970. */
  readonly from: number
  readonly counts: Readonly<Record<PaperName, number>>
}

type Counts = Record<PaperName, number>

const none = (): Counts => ({ ok: 0, refused: 0, unknown: 0, unsent: 0 })

export class Timeline {
  #at = 0
  #steps = new Map<number, Counts>()
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  /** Milliseconds of a step. */
  get length(): number {
    return (lengths[this.#at] ?? 1) * 1000
  }

  add(moment: number, paper: PaperName): void {
    const place = Math.floor(moment / this.length)
    const counts = this.#steps.get(place) ?? none()
    counts[paper] += 1
    this.#steps.set(place, counts)
    this.#first = Math.min(this.#first, place)
    this.#last = Math.max(this.#last, place)
    while (this.#last - this.#first >= mostSteps && this.#at < lengths.length - 1) this.#widen()
  }

  #widen(): void {
    const before = this.length
    this.#at += 1
    const wider = (place: number) => Math.floor((place * before) / this.length)
    const steps = new Map<number, Counts>()
    for (const [place, counts] of this.#steps) {
      const sum = steps.get(wider(place)) ?? none()
      for (const name of paperNames) sum[name] += counts[name]
      steps.set(wider(place), sum)
    }
    this.#steps = steps
    this.#first = wider(this.#first)
    this.#last = wider(this.#last)
  }

  /** From the first to the last, those without a row among them. */
  get steps(): readonly Step[] {
    if (this.#steps.size === 0) return []
    return Array.from({ length: this.#last - this.#first + 1 }, (_, at) => ({
      from: (this.#first + at) * this.length,
      counts: this.#steps.get(this.#first + at) ?? none(),
    }))
  }
}

/**
 * Many workers over one store, played from measured costs: the store's own row is held by one commit at a time, and each worker
 * gathers what its rows have to write while it waits for its turn.
 */
import { median } from '../judge.mts'
import type { Driven } from './drive.mts'
import type { Result } from './race.mts'

export interface Costs {
  /** Milliseconds that a commit holds the row, whatever it writes, and for each write of a row in it. */
  readonly perCommit: number
  readonly perWrite: number
  /** Ways to the store and back while it is held. */
  readonly ways: number
}

/** Each row is written twice: opened, and recorded. */
const writesPerRow = 2

/** Milliseconds for which a commit has had the row. */
const heldBy = ({ heldShare, seconds, commits }: Result) => (1000 * heldShare * seconds) / commits

/**
 * Milliseconds for which the row was held by each commit, against writes in one: of one worker, where nothing else wants the cores, and
 * of the store alone, where the row is always held.
 */
export function costsOf(results: readonly Result[], driven: readonly Driven[]): Costs {
  const alone = results.filter(({ storeLate, workers }) => storeLate === 0 && workers === 1)
  const fullest = driven.toSorted((a, b) => b.rate - a.rate).slice(0, 1)
  const points = [
    ...alone.map((each) => ({ held: heldBy(each), writes: (writesPerRow * each.rows) / each.commits })),
    ...fullest.map(({ rows, rate, commits }) => ({
      held: (1000 * rows) / rate / commits,
      writes: (writesPerRow * rows) / commits,
    })),
  ]
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length
  const [x, y] = [mean(points.map(({ writes }) => writes)), mean(points.map(({ held }) => held))]
  const covariance = mean(points.map(({ writes, held }) => (writes - x) * (held - y)))
  const variance = mean(points.map(({ writes }) => (writes - x) ** 2))
  // A fixed part that is less than nothing, or a slope that falls, is noise.
  const perWrite = Math.min(y / x, Math.max(0, variance === 0 ? 0 : covariance / variance))
  return { perCommit: Math.max(0.1, y - perWrite * x), perWrite, ways: waysOf(results) }
}

/** The time for which a commit has the row longer for each millisecond of the way to the store and back. */
function waysOf(results: readonly Result[]): number {
  const added = results.flatMap((one) => {
    const near = results.find(
      ({ storeLate, workers, late }) => storeLate === 0 && workers === one.workers && late === one.late,
    )
    return one.storeLate === 0 || !near ? [] : [(heldBy(one) - heldBy(near)) / (2 * one.storeLate)]
  })
  return Math.max(0, median(added))
}

export interface Wished {
  readonly workers: number
  readonly concurrency: number
  readonly late: number
  /** Milliseconds to the store and back. */
  readonly away: number
}

interface Worker {
  /** Writes that wait for its next commit: what is done when each is durable. */
  waiting: (() => void)[]
  isCommitting: boolean
  /** Requests that may still go to the service, and the rows that wait for that. */
  free: number
  ready: (() => void)[]
}

/** Milliseconds that are not counted, until all have had their first turns, and those that are. */
const settling = 10_000
const counting = 30_000

/** Events at their times, the next one at the end. */
class Course {
  now = 0
  readonly #events: { readonly at: number; readonly what: () => void }[] = []

  after(milliseconds: number, what: () => void): void {
    const at = this.now + milliseconds
    let low = 0
    for (let high = this.#events.length; low < high; ) {
      const middle = (low + high) >> 1
      if ((this.#events[middle]?.at ?? 0) > at) low = middle + 1
      else high = middle
    }
    this.#events.splice(low, 0, { at, what })
  }

  run(until: number): void {
    for (let next = this.#events.pop(); next && next.at <= until; next = this.#events.pop()) {
      this.now = next.at
      next.what()
    }
  }
}

/** Rows a second. */
export function played({ perCommit, perWrite, ways }: Costs, { workers, concurrency, late, away }: Wished): number {
  const course = new Course()
  const after = (milliseconds: number, what: () => void) => course.after(milliseconds, what)
  let isHeld = false
  let rows = 0
  const queue: (() => void)[] = []
  const commit = (worker: Worker) => {
    if (worker.isCommitting || worker.waiting.length === 0) return
    worker.isCommitting = true
    const held = () => {
      isHeld = true
      const group = worker.waiting.splice(0)
      after(perCommit + perWrite * group.length + ways * away, () => {
        isHeld = false
        worker.isCommitting = false
        for (const each of group) each()
        queue.shift()?.()
        commit(worker)
      })
    }
    // Its first statement has to get there before it can wait.
    after(away, () => (isHeld || queue.length > 0 ? queue.push(held) : held()))
  }
  const write = (worker: Worker, then: () => void) => {
    worker.waiting.push(then)
    after(0, () => commit(worker))
  }
  const asked = (worker: Worker, then: () => void) => {
    if (worker.free === 0) return void worker.ready.push(() => asked(worker, then))
    worker.free -= 1
    after(late, () => {
      worker.free += 1
      worker.ready.shift()?.()
      then()
    })
  }
  const recorded = () => {
    if (course.now > settling) rows += 1
  }
  const lane = (worker: Worker) =>
    write(worker, () =>
      asked(worker, () =>
        write(worker, () => {
          recorded()
          lane(worker)
        }),
      ),
    )
  for (let each = 0; each < workers; each += 1) {
    const worker: Worker = { waiting: [], isCommitting: false, free: concurrency, ready: [] }
    // As many rows again are being opened or recorded (src/lib/batch/run.ts).
    for (let line = 0; line < 2 * concurrency; line += 1) after(each * 0.37, () => lane(worker))
  }
  course.run(settling + counting)
  return rows / (counting / 1000)
}

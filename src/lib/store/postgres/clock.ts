/**
 * The clock of a database, for all that is counted from one machine to another: leases, and the windows of limits and guards. A
 * transaction asks for it in its first statement; until the next one it goes on by the time since this machine started, which no
 * setting of its clock moves. It is never behind the database's.
 */
import type { Clock, Steady } from '../../edge.ts'

/** A reading of the database's clock, and the moment here before it was asked for. */
interface Reading {
  readonly told: number
  readonly at: { readonly now: number; readonly steady: Steady | null }
}

/** Milliseconds that asking may take; a reading that came later is asked for once more. */
const promptly = 2_000

/** The milliseconds since 1970, UTC, of a database, as SQL. */
export const databaseTime = 'floor(extract(epoch from clock_timestamp()) * 1000)::float8'

export class DatabaseClock {
  readonly #machine: Clock
  #reading: Reading | null = null

  constructor(machine: Clock) {
    this.#machine = machine
  }

  /** Asks with `ask`, which gives the database's time. */
  async read<Row extends { readonly time: number }>(ask: () => Promise<Row>): Promise<Row> {
    for (let tries = 1; ; tries += 1) {
      const at = { now: this.#machine.now(), steady: this.#machine.steady() }
      const row = await ask()
      this.#reading = { told: row.time, at }
      if (this.#since(at) <= promptly || tries === 3) return row
    }
  }

  /** For a journal: it does not sleep by it, and the time since the start is that of this machine. */
  get clock(): Clock {
    return {
      now: () => this.#now(),
      steady: () => this.#machine.steady(),
      sleep: (milliseconds, signal) => this.#machine.sleep(milliseconds, signal),
    }
  }

  #now(): number {
    if (!this.#reading) throw new Error('the time of the database was not asked for')
    return this.#reading.told + this.#since(this.#reading.at)
  }

  /** Milliseconds since a moment here: by the steady time, where there is one. */
  #since({ now, steady }: Reading['at']): number {
    const present = this.#machine.steady()
    if (steady && present?.boot === steady.boot) return present.milliseconds - steady.milliseconds
    return this.#machine.now() - now
  }
}

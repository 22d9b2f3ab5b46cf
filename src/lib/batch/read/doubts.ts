/** Rows that keep every rule and look wrong all the same: warnings of `batch check` and of a plan. */
import { beforeMisreading, howMany } from '../../contract/core/text.ts'

/** Rows and dates that are told one by one. */
const mostTold = 10

const day = 24 * 60 * 60 * 1000

/** Days after which a date of execution says that the file is an old one: banks take dates of the last days. */
const longPast = 14

export class RowDoubts {
  readonly #now: number
  readonly #misread: string[] = []
  #misreadCount = 0
  readonly #dates = new Map<string, number>()

  constructor(now: number) {
    this.#now = now
  }

  /** `executionDate`: the ReqdExctnDt of a pain.001; null of other formats. */
  add(number: number, request: Readonly<Record<string, unknown>>, executionDate: string | null): void {
    for (const [field, text] of Object.entries(request)) {
      const meant = typeof text === 'string' ? beforeMisreading(text) : null
      if (meant === null) continue
      this.#misreadCount += 1
      if (this.#misread.length < mostTold) this.#misread.push(`row ${number} (${field}): "${text}", perhaps "${meant}"`)
    }
    const date = (executionDate ?? '').trim().slice(0, 10)
    if (date !== '' && daysBetween(date, this.#now) > longPast) this.#dates.set(date, (this.#dates.get(date) ?? 0) + 1)
  }

  get inWords(): readonly string[] {
    const dates = [...this.#dates].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const old = dates.slice(0, mostTold).map(([date, rows]) => {
      const asked = howMany(rows, 'row was asked for', 'rows were asked for')
      return `${asked} on ${date}, ${ago(daysBetween(date, this.#now))} (ReqdExctnDt): is this an old file?`
    })
    const texts = howMany(this.#misreadCount, 'text looks', 'texts look')
    const more =
      this.#misreadCount > this.#misread.length ? `; and ${this.#misreadCount - this.#misread.length} more` : ''
    const misread = `${texts} like UTF-8 that another program read as Windows-1252: ${this.#misread.join('; ')}${more}`
    return [...old, ...(this.#misreadCount > 0 ? [misread] : [])]
  }
}

function daysBetween(date: string, now: number): number {
  return Math.floor((now - Date.parse(date)) / day)
}

const relativeTime = new Intl.RelativeTimeFormat('en')

function ago(days: number): string {
  return days >= 365 ? relativeTime.format(-Math.floor(days / 365), 'year') : relativeTime.format(-days, 'day')
}

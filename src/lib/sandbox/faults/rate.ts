/**
 * A rate that a fault lets pass: so many requests in a window of time, on the sandbox's clock. A window begins with the first
 * request after the last one is over; what is turned away does not count.
 */
export interface Rate {
  readonly requests: number
  /** Milliseconds. */
  readonly window: number
}

const windows: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** The rate of a text such as "50/s", "100/m" or "1000/h"; null where it is none. */
export function readRate(text: string): Rate | null {
  const [, requests = '', unit = ''] = /^([1-9]\d{0,8})\/([smh])$/.exec(text.trim()) ?? []
  const window = windows[unit]
  return window === undefined ? null : { requests: Number(requests), window }
}

export function rateInWords({ requests, window }: Rate): string {
  const unit = Object.keys(windows).find((each) => windows[each] === window)
  return `${requests}/${unit}`
}

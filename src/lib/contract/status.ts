/** What is known of a status, and how a payment of it ended. */

/** Null while it has not ended, and for a status nobody knows. */
export type End = 'paid' | 'not-paid' | null

export interface StatusFacts {
  readonly means: string
  readonly end: End
}

export type Statuses = Readonly<Record<string, StatusFacts>>

export function endIn(statuses: Statuses, status: string): End {
  return Object.hasOwn(statuses, status) ? (statuses[status]?.end ?? null) : null
}

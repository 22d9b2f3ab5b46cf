/** The figures and rows that stand on the page: texts as they are, for the page to escape. */

export interface SeenBatch {
  readonly planId: string
  readonly file: string
  readonly profile: string
  readonly rows: number
  readonly accepted: number
  readonly refused: number
  readonly unknown: number
  readonly sending: number
  /** Rows that were not sent: planned, held, unsent, turned away. */
  readonly left: number
  /** "GEL 120.00 of 250.00" for each currency. */
  readonly money: readonly string[]
  /** "2 of 3 workers", "stopped: …", "over". */
  readonly standing: string
}

export interface SeenUnknown {
  readonly journalId: string
  readonly operation: string
  readonly sum: string
  readonly payee: string
  readonly profile: string
  readonly since: string
  /** "3m 20s". */
  readonly age: string
}

export interface SeenApproval {
  readonly approvalId: string
  readonly subject: string
  readonly sum: string
  readonly payee: string
  readonly maker: string
  readonly approved: string
  readonly expiresAt: string
}

export interface SeenStore {
  /** ISO text by the clock of the store. */
  readonly at: string
  readonly place: string
  /** "GEL 12.50 + USD 5.00", or "nothing". */
  readonly inFlight: string
  readonly unknownMoney: string
  readonly unknown: readonly SeenUnknown[]
  /** True where more are unknown than are listed. */
  readonly isMoreUnknown: boolean
  readonly batches: readonly SeenBatch[]
  /** Plans that are not listed: older ones. */
  readonly olderBatches: number
  readonly approvals: readonly SeenApproval[]
}

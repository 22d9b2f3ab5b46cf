/** The original facts of a pain.001 that its answer repeats, as they were written; null where an element was absent. */

export type PainVersion = 'pain.001.001.03' | 'pain.001.001.09'

/** The group header. */
export interface PainMessage {
  readonly version: PainVersion
  readonly messageId: string
  readonly createdAt: string
  readonly count: string
  readonly sum: string | null
}

/** A PmtInf, as far as it stands before its first payment; all payments of one block share the object. */
export interface PainBlock {
  /** From 1. */
  readonly number: number
  readonly paymentInformationId: string
  readonly count: string | null
  readonly sum: string | null
  /** yyyy-MM-dd, or a moment. */
  readonly executionDate: string
  /** Null where the account has no IBAN. */
  readonly debtorIban: string | null
}

export interface PainPayment {
  readonly message: PainMessage
  readonly block: PainBlock
  readonly instructionId: string | null
  readonly endToEndId: string
  readonly uetr: string | null
  readonly amount: string
  readonly currency: string
}

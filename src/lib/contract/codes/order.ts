/**
 * The codes of areas B, C and D as data (service.md#order-codes). Code and exception group decide, never the HTTP status
 * (money-safety.md#the-one-rule-for-answers).
 */
import type { FailureName } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { businessCodes, permissionCodes } from './business.ts'
import type { Code, CodeRows } from './code.ts'
import { fieldCodes } from './fields.ts'
import { missingCodes } from './missing.ts'
import { sumCodes } from './sums.ts'

/** Groups that refuse before anything is executed: validation, business rule, no permission, not found. */
export const refusingGroups: ReadonlySet<number> = new Set([1, 2, 3, 5])

const checkKeys = hint`Check the keys of the profile: \`${paste('envelope doctor')}\` says why an envelope does not open.`
const resume = hint`Run \`${paste('resume')}\`.`

/** The request did not open, so nothing was executed. */
const unopenedCodes: CodeRows = {
  6010: ['decrypt', 'the service could not open the sealed request', checkKeys],
  6011: ['parse', 'the service could not read what the sealed request holds', checkKeys],
  6013: ['AES decrypt', 'the service could not open the sealed request', checkKeys],
}

/** The answer may have failed to be sealed after the request was executed. */
const undecidedCodes: CodeRows = {
  6009: ['encrypt', 'the service could not seal its answer; the request may have been executed', resume],
  6014: ['AES encrypt', 'the service could not seal its answer; the request may have been executed', resume],
  6054: ['general failure', 'the service failed in an unknown place', resume],
}

/** Codes of inner services that come through: a bank did not answer as it should, and nobody knows what it did. */
const bankCodes: CodeRows = {
  2137: ['I/O error at a bank', 'the connection to a bank failed; the request may have been executed', resume],
  2252: ['bad gateway of a bank', 'a bank answered 502; the request may have been executed', resume],
}

/** A code that is mentioned, but whose meaning and group were never seen. */
const unexplainedCodes: CodeRows = {
  6012: ['meaning unknown', 'the service failed, and nobody has seen what this code means', resume],
}

/**
 * Only codes that depend on the body alone: of two attempts with the same body, both get them or neither does. Vague codes
 * (6049, 6095) are not among them.
 */
const dependsOnBodyAlone: ReadonlySet<number> = new Set([
  6021, 6024, 6034, 6058, 6059, 6060, 6061, 6062, 6066, 6068, 6097, 6098, 6113,
])

const exits: Readonly<Record<number, FailureName>> = {
  6004: 'credentials',
  6008: 'credentials',
  6044: 'credentials',
  6005: 'not-found',
  6045: 'not-found',
  6046: 'not-found',
  6075: 'not-found',
  6100: 'not-found',
  6112: 'not-found',
  6023: 'duplicate',
}

function toCodes(rows: CodeRows, group: number | null, ran: Code['ran']): Code[] {
  return Object.entries(rows).map(([key, [name, means, next]]) => {
    const code = Number(key)
    const exit = ran === 'unknown' ? 'unknown' : (exits[code] ?? 'refused')
    return { code, group, name, means, ran, bodyOnly: dependsOnBodyAlone.has(code), exit, next: hint`${next}` }
  })
}

export const orderCodes: ReadonlyMap<number, Code> = new Map(
  [
    ...toCodes(fieldCodes, 1, 'no'),
    ...toCodes(sumCodes, 1, 'no'),
    ...toCodes(businessCodes, 2, 'no'),
    ...toCodes(permissionCodes, 3, 'no'),
    ...toCodes(missingCodes, 5, 'no'),
    ...toCodes(bankCodes, 4, 'unknown'),
    ...toCodes(unopenedCodes, 6, 'no'),
    ...toCodes(undecidedCodes, 6, 'unknown'),
    ...toCodes(unexplainedCodes, null, 'unknown'),
  ]
    .toSorted((a, b) => a.code - b.code)
    .map((code) => [code.code, code]),
)

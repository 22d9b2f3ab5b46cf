/** The things to list, as support staff name them. */
import { fromMinorUnits, minorUnits } from '../contract/core/decimal.ts'
import { tidyIban } from '../contract/core/iban.ts'
import type { ListedSubject } from './kinds.ts'
import type { ListedRow } from './row.ts'

export interface ListWish {
  readonly subject: ListedSubject
  readonly profile: string | null
  /** ISO times, UTC. */
  readonly since: string | null
  readonly until: string | null
  /** A part of the beneficiary's name or of the account. */
  readonly payee: string | null
  /** Digits with two decimals. */
  readonly amount: string | null
  readonly currency: string | null
  /** Statuses of the service or states of the journal; empty for any. */
  readonly statuses: readonly string[]
  /** A key, or the beginning of several before a star. */
  readonly key: string | null
  readonly open: boolean
  readonly limit: number
}

/** The sum in "12.50", "GEL 12.50" or "12.50 GEL"; null where the text is none. */
export function sumTyped(text: string): Pick<ListWish, 'amount' | 'currency'> | null {
  const [, before, digits = '', behind] = /^([a-z]{3})? ?(\d[\d.]*) ?([a-z]{3})?$/i.exec(text.trim()) ?? []
  const units = minorUnits(digits)
  if (units === null || (before !== undefined && behind !== undefined)) return null
  return { amount: fromMinorUnits(units), currency: (before ?? behind)?.toUpperCase() ?? null }
}

/** Letters alike however they are typed. */
function folded(text: string): string {
  return text.normalize('NFKC').toLocaleLowerCase('en')
}

/** True if the text is a part of the name or, blanks aside, of the account. */
function isTo({ name, account }: ListedRow, payee: string): boolean {
  return folded(name ?? '').includes(folded(payee).trim()) || tidyIban(account).includes(tidyIban(payee))
}

export function bearsKey(key: string | null, wanted: string): boolean {
  return wanted.endsWith('*') ? (key ?? '').startsWith(wanted.slice(0, -1)) && key !== null : key === wanted
}

/** True if a row is one of those that were asked for, whatever has become of it. */
export function isMeant(row: ListedRow, { payee, amount, currency, key }: ListWish): boolean {
  if (payee !== null && !isTo(row, payee)) return false
  if (amount !== null && row.amount?.text !== amount) return false
  if (currency !== null && row.currency !== currency) return false
  return key === null || bearsKey(row.key, key)
}

/** True if it stands as was asked for. */
export function standsSo({ open, status, state }: ListedRow, wish: ListWish): boolean {
  if (wish.open && !open) return false
  const known = [folded(status ?? ''), state]
  return wish.statuses.length === 0 || wish.statuses.some((each) => known.includes(folded(each)))
}

/** True if a wish asks how a row stands: that is known once its status was read. */
export function asksForStanding({ open, statuses }: ListWish): boolean {
  return open || statuses.length > 0
}

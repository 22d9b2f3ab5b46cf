/** Rows of a list: a payout, an order or a wallet order, with all writes about it; and the query that selects them. */

import { walletLifetime } from '../contract/assumed.ts'
import { fromMinorUnits, JsonNumber, minorUnits } from '../contract/core/decimal.ts'
import { tidyIban } from '../contract/core/iban.ts'
import type { Subject, WriteOperation } from '../contract/operation.ts'
import { createOrder } from '../contract/order/order.ts'
import { orderPayment, orderStatuses } from '../contract/order/status.ts'
import { createPayout } from '../contract/payout/payout.ts'
import { payoutStatuses, payoutStatusFacts } from '../contract/payout/status.ts'
import type { End, PaymentReader } from '../contract/status.ts'
import { walletCreationStatuses, walletResults, walletStatuses, walletStatusFacts } from '../contract/wallet/status.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  currencyOfCreated,
  finalizeWalletOrder,
} from '../contract/wallet/wallet.ts'
import { moneyMovedOf } from '../desk/writes.ts'
import { type Intent, isOperation } from '../journal/intent.ts'
import { requestIn } from '../journal/payment-end.ts'
import { removedWord } from '../journal/row.ts'
import { intentStates, unmoved } from '../journal/verdict.ts'
import type { ResultOf } from '../result.ts'
import type { listedRowResult } from './result.ts'

export type ListedRow = ResultOf<typeof listedRowResult>

/** A payout, an order or a wallet order, and what is known of it. */
export interface ListedThing {
  readonly created: Intent
  /** All writes of this journal about it, its creation included. */
  readonly writes: readonly Intent[]
  /** The status that this run has read, and when (ISO, UTC). */
  readonly read: { readonly status: string; readonly at: string } | null
}

export function isExecutedHere({ state }: Pick<Intent, 'state'>): boolean {
  return state === 'accepted' || state === 'exists'
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** The write that decides on the status: a finalization or cancellation outweighs the creation. */
function decisiveWrite({ created, writes }: ListedThing): Intent {
  const done = [finalizeWalletOrder, cancelWalletOrder].map((each) =>
    writes.find((write) => isOperation(write, each) && isExecutedHere(write)),
  )
  return done.find(Boolean) ?? created
}

/** How its payment ended, by its status or its cancellation; null if it has not ended. */
function endOf(subject: ListedSubject, thing: ListedThing, status: string | null, now: number): End {
  const last = decisiveWrite(thing)
  if (!isExecutedHere(last)) return null
  const { facts } = kinds[subject]
  const end = status === null ? null : (facts(status, requestIn(thing.created.body), now)?.end ?? null)
  return end ?? (isOperation(last, cancelWalletOrder) ? 'not-paid' : null)
}

/** The amount of the creation; of a wallet order that of its finalization, else the amount that the service has fixed. */
function amountOf({ created, writes }: ListedThing): JsonNumber | null {
  const finalized = writes.find((write) => isOperation(write, finalizeWalletOrder) && !unmoved.has(write.state))
  const units = finalized?.amountMinor ?? created.amountMinor
  if (units !== null) return new JsonNumber(fromMinorUnits(BigInt(units)))
  const { amount } = requestIn(created.answer ?? 'null')
  const shown = amount instanceof JsonNumber ? minorUnits(amount.text) : null
  return shown === null ? null : new JsonNumber(fromMinorUnits(shown))
}

function findDoubt({ disputed, otherSum, answeredSum, isTaken, because }: Intent): string | null {
  return disputed ?? otherSum ?? answeredSum ?? (isTaken ? because : null)
}

/** True if its status is final, and nothing contradicts it. `now`: milliseconds since 1970. */
export function hasEnded(subject: ListedSubject, thing: ListedThing, now: number): boolean {
  const status = thing.read?.status ?? decisiveWrite(thing).status
  return endOf(subject, thing, status, now) !== null && thing.writes.every((write) => findDoubt(write) === null)
}

/** True if it can still change. A wallet order that was not finalized in time cannot. */
function isStillOpen(subject: ListedSubject, { created }: ListedThing, end: End, now: number): boolean {
  const { lifetime } = kinds[subject]
  const isOver = lifetime !== null && now - Date.parse(created.openedAt) > lifetime
  return isExecutedHere(created) && end === null && !isOver
}

/** `now`: milliseconds since 1970. */
export function listedRow(subject: ListedSubject, thing: ListedThing, now: number): ListedRow {
  const { created, writes, read } = thing
  const status = read?.status ?? decisiveWrite(thing).status
  const inDoubt = writes.map(findDoubt).find((doubt) => doubt !== null) ?? null
  const end = inDoubt === null ? endOf(subject, thing, status, now) : null
  const unresolved = writes.filter(({ state }) => state === 'unknown')
  return {
    journalId: created.journalId,
    openedAt: created.openedAt,
    name:
      created.removedAt !== null
        ? removedWord
        : (textOr(requestIn(created.body).beneficiaryName) ?? textOr(requestIn(created.answer ?? 'null').receiverName)),
    account: created.payee,
    amount: amountOf(thing),
    currency: created.currency ?? currencyOfCreated(created),
    state: created.state,
    status,
    statusDescription: read === null || read.status === created.status ? created.statusDescription : null,
    end,
    moneyMoved: moneyMovedOf(writes) ?? 'no',
    open:
      unresolved.length > 0 || inDoubt !== null || created.state === 'held' || isStillOpen(subject, thing, end, now),
    inDoubt,
    because: created.because,
    unresolved: unresolved.map(({ journalId, operation }) => ({ journalId, operation })),
    uniqueId: created.uniqueId,
    transactionId: created.transactionId,
    key: created.idempotencyKey,
    profile: created.profile,
    environment: created.environment,
    readAt: read?.at ?? null,
  }
}

// What is listed, each kind with the write that creates it.

export type ListedSubject = Extract<Subject, 'payout' | 'order' | 'wallet order'>

interface Kind {
  readonly creation: WriteOperation
  readonly facts: PaymentReader
  /** The statuses that the service is known to tell. */
  readonly statuses: readonly string[]
  /** Milliseconds after which it ends by itself if nothing is done; null for no end. */
  readonly lifetime: number | null
}

export const kinds: Readonly<Record<ListedSubject, Kind>> = {
  payout: {
    ...{ creation: createPayout, facts: payoutStatusFacts, lifetime: null },
    statuses: Object.keys(payoutStatuses),
  },
  order: { creation: createOrder, facts: orderPayment, lifetime: null, statuses: Object.keys(orderStatuses) },
  'wallet order': {
    ...{ creation: createWalletOrder, facts: walletStatusFacts, lifetime: walletLifetime * 1000 },
    statuses: Object.keys({ ...walletCreationStatuses, ...walletStatuses, ...walletResults }),
  },
}

/** The words of a query that are neither a status of its kind nor a state of the journal. */
export const strangeStatuses = ({ subject, statuses }: ListQuery): readonly string[] => {
  const known = [...kinds[subject].statuses, ...intentStates].map(foldCase)
  return statuses.filter((each) => !known.includes(foldCase(each)))
}

// The query of a list.

export interface ListQuery {
  readonly subject: ListedSubject
  readonly profile: string | null
  /** ISO times, UTC. */
  readonly since: string | null
  readonly until: string | null
  /** A part of the beneficiary's name or account. */
  readonly payee: string | null
  /** Digits with two decimals. */
  readonly amount: string | null
  readonly currency: string | null
  /** Statuses of the service or states of the journal; empty for all. */
  readonly statuses: readonly string[]
  /** A key, or the beginning of keys before a star. */
  readonly key: string | null
  readonly open: boolean
  readonly limit: number
}

/** Parses "12.50", "GEL 12.50" or "12.50 GEL". */
export function parseSum(text: string): Pick<ListQuery, 'amount' | 'currency'> | null {
  const [, before, digits = '', behind] = /^([a-z]{3})? ?(\d[\d.]*) ?([a-z]{3})?$/i.exec(text.trim()) ?? []
  const units = minorUnits(digits)
  if (units === null || (before !== undefined && behind !== undefined)) return null
  return { amount: fromMinorUnits(units), currency: (before ?? behind)?.toUpperCase() ?? null }
}

/** Ignores case and different forms of the same letters. */
function foldCase(text: string): string {
  return text.normalize('NFKC').toLocaleLowerCase('en')
}

/** True if the text is a part of the name or, without blanks, of the account. */
function isPaidTo({ name, account }: ListedRow, payee: string): boolean {
  return foldCase(name ?? '').includes(foldCase(payee).trim()) || tidyIban(account).includes(tidyIban(payee))
}

export function matchesKey(key: string | null, wanted: string): boolean {
  return wanted.endsWith('*') ? (key ?? '').startsWith(wanted.slice(0, -1)) && key !== null : key === wanted
}

/** True if the row matches the query, apart from its status. */
export function matches(row: ListedRow, { payee, amount, currency, key }: ListQuery): boolean {
  if (payee !== null && !isPaidTo(row, payee)) return false
  if (amount !== null && row.amount?.text !== amount) return false
  if (currency !== null && row.currency !== currency) return false
  return key === null || matchesKey(row.key, key)
}

/** True if the status of the row matches the query. */
export function matchesStatus({ open, status, state }: ListedRow, query: ListQuery): boolean {
  if (query.open && !open) return false
  const known = [foldCase(status ?? ''), state]
  return query.statuses.length === 0 || query.statuses.some((each) => known.includes(foldCase(each)))
}

/** True if the query depends on statuses: then they must be read first. */
export function dependsOnStatus({ open, statuses }: ListQuery): boolean {
  return open || statuses.length > 0
}

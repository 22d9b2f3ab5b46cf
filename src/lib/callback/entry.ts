/** A callback as commands show it: its facts, what it says with tokens masked, and where it was forwarded to. */
import { type CallbackKind, readCallback } from '../contract/callback.ts'
import { JsonNumber } from '../contract/core/decimal.ts'
import type { Members } from '../contract/core/members.ts'
import type { Scheme } from '../envelope/scheme.ts'
import { hint, hintInWords, type Naming, type PastedLine, paste } from '../hint.ts'
import { isRecord, readJson, writeJson } from '../json.ts'
import type { ResultOf } from '../result.ts'
import type { Listed, OpenedRow } from '../store/callbacks.ts'
import type { ForwardState } from './forward.ts'
import { hidingSecretsOf, maskedMembers } from './mask.ts'
import type { How, OpenedBody } from './open.ts'
import type { callbackEntryResult } from './result.ts'

export type CallbackEntry = ResultOf<typeof callbackEntryResult>

/**
 * The fields of an opened callback, tokens masked; null where it cannot be read: an earlier version opened some that are nested too
 * deep to be shown.
 */
export function fieldsIn(row: { readonly fields: string | null }): Members | null {
  if (row.fields === null) return null
  try {
    const value = readJson(row.fields)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

interface Opened {
  readonly how: How | null
  readonly why: string | null
}

/** The way in which a callback was opened, and what was odd about it. */
function opened({ fields, how, why }: Listed, isShown: boolean): Opened {
  if (fields === null || isShown) return { how: how as How | null, why }
  return { how: 'unreadable', why: 'it is nested too deep to be shown' }
}

/**
 * The command that reads the subject of a callback. Its sender is not known: only ids are taken that no command reads as a
 * flag and that change no screen.
 */
function nextRead({ order_id, subscription_id }: Listed): PastedLine | null {
  const safe = (id: string | null) => (id !== null && /^\w[\w-]*$/.test(id) ? id : null)
  const [order, subscription] = [safe(order_id), safe(subscription_id)]
  if (order) return paste('order status', order)
  return subscription ? paste('subscription history', subscription) : null
}

/** The callback came to a listener of its profile: its status is read as that one. */
function nextInWords(row: Listed, naming: Naming): string | null {
  const line = nextRead(row)
  return line && hintInWords(hint`${{ ...line, profile: row.profile }}`, naming)
}

export function callbackEntry(row: Listed, naming: Naming): CallbackEntry {
  const fields = fieldsIn(row)
  const { amount, initialCurrency } = fields ?? {}
  return {
    callbackId: row.id,
    receivedAt: row.received_at,
    profile: row.profile,
    ...opened(row, fields !== null),
    scheme: row.scheme as Scheme | null,
    kind: row.kind as CallbackKind | null,
    integratorOrderId: row.order_id,
    transactionId: row.transaction_id,
    subscriptionId: row.subscription_id,
    status: row.status,
    amount: amount instanceof JsonNumber ? amount : null,
    currency: typeof initialCurrency === 'string' ? initialCurrency : null,
    duplicateOf: row.duplicate_of,
    signature: row.signature,
    bytes: row.bytes,
    forward: row.forward as ForwardState | null,
    next: nextInWords(row, naming),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function odd(names: readonly string[]): string | null {
  return names.length > 0 ? `not what it should be: ${names.join(', ')}` : null
}

/** The row of an opened callback: of its content only the part that may be shown. */
export function openedRow(
  seq: number,
  openedAt: string,
  body: OpenedBody,
  signature: string | null,
): Omit<OpenedRow, 'duplicate_of'> {
  const nothing = { order_id: null, transaction_id: null, subscription_id: null, status: null, about: null }
  const common = { seq, opened_at: openedAt, how: body.how, scheme: null, signature }
  if (!('value' in body)) return { ...common, ...nothing, why: body.why, kind: 'unknown', fields: null }
  const hide = hidingSecretsOf(body.value)
  const read = readCallback(body.value)
  const { integratorOrderId, transactionId, subscriptionId, status } = read.fields
  const said = {
    why: odd(read.odd),
    order_id: textOf(integratorOrderId),
    transaction_id: textOf(transactionId),
    subscription_id: textOf(subscriptionId),
    status: textOf(status),
    about: read.about,
  }
  const masked = maskedMembers(read.fields, (fields) => fields)
  return {
    ...common,
    ...hide(said),
    scheme: 'sealed' in body ? body.sealed.scheme : null,
    kind: read.kind,
    fields: writeJson(hide(masked)),
  }
}

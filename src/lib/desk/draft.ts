/** The record of a request in the journal, and the ids that a business key stands for. */

import { createHash, hash } from 'node:crypto'
import { minorUnits, plainDecimal } from '../contract/core/decimal.ts'
import { type Field, fieldsOf } from '../contract/core/field.ts'
import type { Members } from '../contract/core/members.ts'
import { normalId } from '../contract/core/text.ts'
import type { WriteOperation } from '../contract/operation.ts'
import type { ServicePlace } from '../contract/service.ts'
import { Failure } from '../failure.ts'
import { FailureBeforeSending } from '../failure-before-sending.ts'
import { hint, paste } from '../hint.ts'
import type { Draft, Intent } from '../journal/intent.ts'
import { isRecord, writeJson } from '../json.ts'
import type { Profile } from '../profile/profile.ts'
import { isMasked, maskedRequest } from './receipt/mask.ts'

/** The fields of requests in the order of their names: found once for each. */
const sorted = new WeakMap<readonly Field[], readonly Field[]>()

function byName(fields: readonly Field[]): readonly Field[] {
  const known = sorted.get(fields) ?? fields.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  sorted.set(fields, known)
  return known
}

/** One order of the fields, one form of a number, whatever stands inside what. */
function canonical(fields: readonly Field[], values: Members): unknown {
  return byName(fields)
    .filter(({ name }) => values[name] !== undefined)
    .map((field) => [field.name, canonicalValue(field, values[field.name])] as const)
}

function canonicalValue({ json, members }: Field, value: unknown): unknown {
  if (json === 'number') return plainDecimal(String(value))
  if (!members) return value
  const one = (entry: unknown) => (isRecord(entry) ? canonical(fieldsOf(members), entry) : entry)
  if (json === 'list') return Array.isArray(value) ? value.map(one) : value
  if (json !== 'map' || !isRecord(value)) return one(value)
  return Object.entries(value)
    .map(([key, entry]) => [key, one(entry)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** The same meaning gives the same digest, whatever the order of the fields and the digits of a number ("12.5", "12.50"). */
export function digestOfRequest(operation: Pick<WriteOperation, 'request'>, request: Members): string {
  const fields = fieldsOf(operation.request)
  // A payload that is passed through has no fields: its text is its meaning.
  const meaning = fields.length > 0 ? JSON.stringify(canonical(fields, request)) : writeJson(request)
  return hash('sha256', meaning, 'base64url')
}

/** True if two requests mean the same, secrets aside: the journal keeps none. */
export function sameButForSecrets(operation: WriteOperation, one: Members, other: Members): boolean {
  return (
    digestOfRequest(operation, maskedRequest(operation, one)) ===
    digestOfRequest(operation, maskedRequest(operation, other))
  )
}

/** The service, and its client: the scope in which an id is unique. Two spellings of a client id are one client. */
export function scopeOf(profile: ServicePlace): ServicePlace {
  const { service, serviceId, environment, clientId } = profile
  return { service, serviceId, environment, clientId: clientId.toLowerCase() }
}

/** The record for the journal. `ownId` names a write whose request has no id of its own. */
export function draftOf(
  profile: ServicePlace & { readonly name: string },
  operation: WriteOperation,
  request: Members,
  { businessKey, ownId }: { readonly businessKey: string | null; readonly ownId: string },
): Draft {
  const { payee, amount, currency } = operation.moves(request)
  const units = amount === null ? null : minorUnits(amount)
  if (amount !== null && units === null) {
    throw new Failure('bug', `the amount ${amount} reached the journal unchecked`, { moneyMoved: 'no' })
  }
  const { idField } = operation
  return {
    operation: operation.name,
    profile: profile.name,
    ...scopeOf(profile),
    uniqueId: idField === null ? ownId : normalId(String(request[idField])),
    businessKey,
    body: writeJson(maskedRequest(operation, request)),
    bodyDigest: digestOfRequest(operation, request),
    payee,
    amountMinor: units?.toString() ?? null,
    currency,
  }
}

/**
 * Throws bug (1) for an intent that is held and whose request is not the one that its record tells of: what was looked at, or
 * approved, is that record.
 */
export function mustBeAsHeld(operation: WriteOperation, request: Members, intent: Intent): void {
  if (intent.state !== 'held' || isMasked(operation, request)) return
  const { uniqueId: ownId, businessKey, profile: name } = intent
  const told = draftOf({ ...intent, name }, operation, request, { businessKey, ownId })
  const columns = ['uniqueId', 'bodyDigest', 'payee', 'amountMinor', 'currency'] as const
  if (columns.every((column) => told[column] === intent[column])) return
  throw new FailureBeforeSending('bug', `the request of ${intent.journalId} is not the one that was kept`, {
    moneyMoved: 'no',
    hints: [hint`\`${paste('journal verify')}\` says what was changed outside paydesk.`],
  })
}

/**
 * The id that a business key stands for: a UUID, version 4 in form, of a hash over service, client and key. Two machines
 * with the same key send the same id, and the service pays once.
 */
export function idOfKey(profile: Pick<Profile, 'serviceId' | 'clientId'>, operation: string, key: string): string {
  const { serviceId, clientId } = profile
  const parts = JSON.stringify(['paydesk', serviceId, clientId.toLowerCase(), operation, key])
  const bytes = createHash('sha256').update(parts).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

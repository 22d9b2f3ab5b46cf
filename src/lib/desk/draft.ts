/** What the journal keeps of a request, and the ids that a business key stands for. */
import { createHash } from 'node:crypto'
import { minorUnits, plainDecimal } from '../contract/decimal.ts'
import { fieldsOf } from '../contract/field.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { Failure } from '../failure.ts'
import type { Draft } from '../journal/intent.ts'
import { writeJson } from '../json.ts'
import type { Profile } from '../profile/profile.ts'

/** The same meaning gives the same digest, whatever the order of the fields and the digits of a number ("12.5", "12.50"). */
function meaningOf(operation: WriteOperation, request: Readonly<Record<string, unknown>>): string {
  const entries = fieldsOf(operation.request)
    .filter(({ name }) => request[name] !== undefined)
    .map(({ name, json }) => [name, json === 'number' ? plainDecimal(String(request[name])) : request[name]])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(entries)).digest('base64url')
}

/** Which service, and which client of it: the scope in which an id is unique. Two spellings of a client id are one client. */
export function scopeOf(profile: Pick<Profile, 'service' | 'clientId'>): { service: string; clientId: string } {
  return { service: profile.service, clientId: profile.clientId.toLowerCase() }
}

export function draftOf(
  profile: Profile,
  operation: WriteOperation,
  request: Readonly<Record<string, unknown>>,
  businessKey: string | null,
): Draft {
  const { payee, amount, currency } = operation.moves(request)
  const units = minorUnits(amount)
  if (units === null)
    throw new Failure('bug', `the amount ${amount} reached the journal unchecked`, { moneyMoved: 'no' })
  return {
    operation: operation.name,
    profile: profile.name,
    environment: profile.environment,
    ...scopeOf(profile),
    uniqueId: String(request[operation.idField]).toLowerCase(),
    businessKey,
    body: writeJson(request),
    bodyDigest: meaningOf(operation, request),
    payee,
    amountMinor: units.toString(),
    currency,
  }
}

/** Two addresses of one service, with and without a prefix, are one service to a key. The sandbox has a name instead. */
function originOf(service: string): string {
  return service.startsWith('http') ? new URL(service).origin : service
}

/**
 * The id that a business key stands for: a UUID, version 4 in form, of a hash over service, client and key. Two machines
 * with the same key send the same id, and the service pays once.
 */
export function idOfKey(profile: Pick<Profile, 'service' | 'clientId'>, operation: string, key: string): string {
  const { service, clientId } = scopeOf(profile)
  const parts = JSON.stringify(['paydesk', originOf(service), clientId, operation, key])
  const bytes = createHash('sha256').update(parts).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

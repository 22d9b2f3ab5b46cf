/** The record of a request in the journal, the id under which a business key is sent, and the flags that name a write anew. */
import { createHash, hash } from 'node:crypto'
import { isMasked, maskedRequest } from '../client/mask.ts'
import { minorUnits, plainDecimal } from '../contract/core/decimal.ts'
import { type Field, fieldsOf } from '../contract/core/field.ts'
import type { Members } from '../contract/core/members.ts'
import { normalId } from '../contract/core/text.ts'
import type { WriteOperation } from '../contract/operation.ts'
import type { ServicePlace } from '../contract/service.ts'
import { Failure, FailureBeforeSending } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { factsOf, type Intent, type NewIntent } from '../journal/intent.ts'
import { isRecord, writeJson } from '../json.ts'
import type { Profile } from '../profile/profile.ts'
import { shellWord } from '../text.ts'
import type { Desk } from './desk.ts'

/** One order of the fields, one form of a number, whatever stands inside what. */
function canonical(fields: readonly Field[], values: Members): unknown {
  return fields
    .filter(({ name }) => values[name] !== undefined)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
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
export function newIntentOf(
  profile: ServicePlace & { readonly name: string },
  operation: WriteOperation,
  request: Members,
  { idempotencyKey, ownId }: { readonly idempotencyKey: string | null; readonly ownId: string },
): NewIntent {
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
    idempotencyKey,
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
  const { uniqueId: ownId, idempotencyKey, profile: name } = intent
  const told = newIntentOf({ ...intent, name }, operation, request, { idempotencyKey, ownId })
  const columns = ['uniqueId', 'bodyDigest', 'payee', 'amountMinor', 'currency'] as const
  if (columns.every((column) => told[column] === intent[column])) return
  throw new FailureBeforeSending('bug', `the stored request of ${intent.journalId} was changed`, {
    moneyMoved: 'no',
    hints: [hint`\`${paste('journal verify')}\` shows what was changed outside paydesk.`],
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

// --- The id of a business key

/**
 * The order in which intents of one key count: first those that may have been executed, then one that is kept to be sent under its
 * id. The others never were executed, and for them any id will do.
 */
const weight: Readonly<Record<Intent['state'], number>> = {
  accepted: 0,
  exists: 0,
  unknown: 1,
  'turned-away': 2,
  held: 3,
  refused: 4,
  unsent: 4,
}

/** The journal, and the client of a service whose keys they are. */
interface KeyOwner extends Pick<Desk, 'journal'> {
  readonly profile: ServicePlace
}

/** The id of a write whose request names none; '' for the others. */
export async function makeOwnId(
  desk: KeyOwner & Pick<Desk, 'random'>,
  operation: WriteOperation,
  idempotencyKey: string | null,
): Promise<string> {
  if (operation.idField !== null) return ''
  return idempotencyKey === null ? desk.random.uuid() : idForKey(desk, operation, idempotencyKey)
}

/** The intent that the journal has under the id of a draft; undefined for none. */
export async function findUnderId({ journal, profile }: KeyOwner, operation: WriteOperation, { uniqueId }: NewIntent) {
  const filter = { scope: scopeOf(profile), uniqueIds: [uniqueId], operations: [operation], limit: 1 }
  const [intent] = await journal.list(filter)
  return intent
}

export async function idForKey(desk: KeyOwner, operation: WriteOperation, key: string): Promise<string> {
  const ids = await idsForKeys(desk, operation, [key])
  return ids.get(key) ?? idOfKey(desk.profile, operation.name, key)
}

/** The ids of many keys, each as `idForKey` tells it. The journal is asked once, so no more than some hundred at a time. */
export async function idsForKeys(
  { journal, profile }: KeyOwner,
  operation: WriteOperation,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const known = await journal.list({ scope: scopeOf(profile), businessKeys: keys, operations: [operation] })
  const ids = new Map(keys.map((key) => [key, idOfKey(profile, operation.name, key)]))
  // The one that counts most is set last; of two alike the newest.
  for (const { idempotencyKey, state, uniqueId } of known
    .toReversed()
    .toSorted((a, b) => weight[b.state] - weight[a.state])) {
    if (idempotencyKey !== null && weight[state] < 4) ids.set(idempotencyKey, uniqueId)
  }
  return ids
}

// --- Bodies that are sent from the journal: one from which something was taken is another payment

/** Throws a Failure, usage (2), where a token stands masked in it. */
export function mustBeWhole(
  operation: WriteOperation,
  request: Members,
  { uniqueId, idempotencyKey }: NewIntent,
): void {
  if (!isMasked(operation, request)) return
  throw new Failure('usage', `${operation.name} ${uniqueId} has a card token, which the journal does not store`, {
    operation: operation.name,
    uniqueId,
    hints: [hint`Run its command again with the same ${idempotencyKey === null ? 'id' : '--key'} and the token.`],
  })
}

/** Throws a Failure, usage (2), where its personal data was removed. */
export function mustHaveAll(intent: Intent): void {
  const { journalId, idempotencyKey, removedAt } = intent
  if (removedAt === null) return
  throw new Failure('usage', `the personal data of ${journalId} was removed: it cannot be sent from the journal`, {
    ...factsOf(intent),
    hints: [
      hint`Run its command again with the same ${idempotencyKey === null ? 'id' : '--key'} and all of its fields.`,
    ],
  })
}

// --- The flag that gives a new write an id, and an old one its repeat

function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** "another --key", as the one before was named. */
export function anotherId(
  { idempotencyKey }: Pick<NewIntent, 'idempotencyKey'>,
  { idField }: Pick<WriteOperation, 'idField'> = { idField: 'uniqueId' },
): string {
  return idempotencyKey === null ? `another ${flagOf(idField ?? 'key')} (or none: one is made)` : 'another --key'
}

/** "the same --key"; null where the command takes no id by flag. */
export function sameIdFlag(
  { idField, request }: Pick<WriteOperation, 'idField' | 'request'>,
  { idempotencyKey, uniqueId }: Pick<NewIntent, 'idempotencyKey' | 'uniqueId'>,
): string | null {
  if (idempotencyKey !== null) return 'the same --key'
  const field = fieldsOf(request).find(({ name, made }) => name === idField && made)
  return field ? `${flagOf(field.name)} ${shellWord(uniqueId)}` : null
}

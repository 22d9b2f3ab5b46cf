/**
 * The request of a write: the fields of a file, the flags over them, what the command knows over both, and questions
 * for the rest; then checked as a whole, so that one answer names every violation.
 */
import type { z } from 'zod'
import { requestSecrets } from '../../client/mask.ts'
import { JsonNumber } from '../../contract/core/decimal.ts'
import { fieldsOf, overMembers } from '../../contract/core/field.ts'
import { isMembers, type Members } from '../../contract/core/members.ts'
import type { Permission } from '../../contract/core/permission.ts'
import { isUuid, normalId } from '../../contract/core/text.ts'
import {
  type Operation,
  type RequestOf,
  type Violation,
  violation,
  type WriteOperation,
} from '../../contract/operation.ts'
import { strangeIn } from '../../contract/payout/request.ts'
import { tidy, validate } from '../../contract/validate.ts'
import type { Desk } from '../../desk/desk.ts'
import { idForKey, idOfKey } from '../../desk/new-intent.ts'
import { Failure } from '../../failure.ts'
import { orMeant } from '../../nearest.ts'
import type { Profile } from '../../profile/profile.ts'
import { isNewJournal, journalOf } from '../desk/journal.ts'
import { contradictions, givenFields, mergeOverFile, refuse, repeatedMembers } from '../flags/fields.ts'
import type { SharedFlags } from '../flags/shared.ts'
import { requestFileOf } from '../input.ts'
import type { Invocation } from '../invocation.ts'
import { type Asker, askForMissing, terminalAsker, withWayBack } from '../prompts/ask.ts'
import { requireIdempotencyKey, type WriteFlags } from './flags.ts'

export type RequestFields = Members

/** A write as its command means it. */
export interface Write {
  readonly flags: WriteFlags & SharedFlags
  readonly profile: Profile
  /** Fields that the command has found out, such as the order that its argument names: they stand over file and flags. */
  readonly known?: RequestFields
  /** Asks for what is missing, at a terminal; field by field where the command has no way of its own. */
  readonly ask?: (asker: Asker, operation: WriteOperation, typed: RequestFields) => Promise<RequestFields>
  /** Throws a Failure for a request that can only fail. `desk`: null where the service must not be asked. */
  readonly check?: (request: RequestFields, desk: OpenDesk | null) => Promise<void>
  /** Lines that a person who is asked is told besides. */
  readonly remarksOn?: (request: RequestFields, desk: OpenDesk) => Promise<readonly string[]>
  /** The currency of its sum, where the request names none. */
  readonly currency?: string | null
  /** More lines of the question. */
  readonly details?: readonly string[]
  /** The sum of the order of which a part is moved, in words; null where it is not known. */
  readonly whole?: string | null
  /** True where a placeholder stands in the request for a secret that was not read. */
  readonly isUnread?: boolean
}

/** Opens the desk of the write; the same one whenever it is called. */
export type OpenDesk = () => Promise<Desk>

/** The checked request. Throws a Failure: usage (2), naming every violation by its flag. */
export async function requestOf<Op extends WriteOperation>(
  invocation: Invocation,
  operation: Op,
  write: Write,
): Promise<RequestOf<Op>> {
  const { edge, output } = invocation
  const { flags, profile } = write
  invocation.acts = true
  const misused = repeatedMembers(operation, flags as RequestFields)
  const { complete, isNew, contradicted } = await completed(invocation, operation, write, misused.length === 0)
  const unread = [
    ...contradicted,
    ...unreadIn(operation, complete),
    ...otherIdentities(operation, complete, profile),
    ...(await otherKinds(invocation, operation, flags)),
  ]
  if (unread.length > 0) throw refuse(operation, [...misused, ...unread])
  const { permits, orderType } = profile
  const now = (isNew ? null : await firstSent(invocation, operation, complete, flags)) ?? edge.clock.now()
  const checked = validate(operation, complete, { permits, orderType, now })
  if (!checked.ok) {
    const named = withStrange(operation, complete, checked.violations)
    throw refuse(operation, [...misused, ...(await suggestNames(operation, named))])
  }
  if (misused.length > 0) throw refuse(operation, misused)
  const { request } = checked
  for (const secret of requestSecrets(operation, request)) output.redactor.hide(secret)
  return request
}

/** A word in another encoding than UTF-8 has lost letters before this program sees it: damaged, it is not sent. */
function unreadIn(operation: WriteOperation, fields: RequestFields): readonly Violation[] {
  const isUnread = (value: unknown) => typeof value === 'string' && value.includes('\uFFFD')
  return Object.keys(fields)
    .filter((name) => isUnread(fields[name]))
    .map((name) => violation(name, 'holds a character that could not be read: use UTF-8', operation.breachCode))
}

/** The violations of a payout, each with the character in its value that nobody sees. */
function withStrange(operation: WriteOperation, given: RequestFields, violations: readonly Violation[]) {
  if (operation.about !== 'payout') return violations
  return violations.map((each) => ({ ...each, message: `${each.message}${strangeIn(each.field, given[each.field])}` }))
}

/**
 * The envelope is sealed in the name of the profile: the service refuses another identity inside it (6004, 6044).
 */
function otherIdentities(
  operation: WriteOperation,
  fields: RequestFields,
  { name, clientId }: Profile,
): readonly Violation[] {
  return fieldsOf(operation.request).flatMap((field) => {
    const [value, own] = [fields[field.name], field.filled?.(clientId)]
    if (own !== clientId || typeof value !== 'string' || !isUuid(value) || normalId(value) === normalId(own)) return []
    const why = `must be that of the profile ${name} (${own}), which seals the request; use another profile for another identity`
    return [violation(field.name, why, field.breachCode ?? operation.breachCode)]
  })
}

/**
 * Members of a JSON file that are texts, and were written in another kind: true and false are refused; a number passes as its
 * digits, with a warning, because its leading zeros are lost already. A flag stands over the file.
 */
async function otherKinds(
  invocation: Invocation,
  operation: WriteOperation,
  flags: WriteFlags,
): Promise<readonly Violation[]> {
  const given = givenFields(operation, flags as RequestFields)
  const written = Object.entries(await requestFileOf(invocation).kinds()).filter(
    ([name]) => given[name] === undefined || isMembers(given[name]),
  )
  const wrong: Violation[] = []
  const look = (schema: z.ZodObject, members: Members, within: readonly string[]): Members => {
    for (const field of fieldsOf(schema)) {
      const [value, at] = [members[field.name], [...within, field.name]]
      const isText = field.json === undefined || field.json === 'text'
      if (isText && typeof value === 'boolean') {
        const [first = '', ...inner] = at
        wrong.push(
          violation([first, ...inner], `is text: write "${value}" in quotes, or omit it`, operation.breachCode),
        )
      }
      if (isText && value instanceof JsonNumber) {
        const told = `--file: ${at.join(' ')} is text, and is a number there: it is sent as "${value.text}", without zeros before it`
        if (invocation.output.machine) invocation.warnings.add(told)
        else invocation.output.warn(told)
      }
      overMembers(field, value, (inner, entry) => look(inner, entry, at))
    }
    return members
  }
  look(operation.request, Object.fromEntries(written), [])
  return wrong
}

/** The fields of file and flags, and at a terminal the answers to what is missing. Nothing is asked for a wrong command line. */
async function completed(invocation: Invocation, operation: WriteOperation, write: Write, isFine: boolean) {
  const { flags, profile, known: found = {}, ask = askForMissing } = write
  // A payload without known fields is passed through as it is.
  const scalars = fieldsOf(operation.request).length > 0 ? 'text' : 'kinds'
  const file = await requestFileOf(invocation).fields(scalars, invocation.signal)
  const said = tidy(operation, mergeOverFile(operation, file, givenFields(operation, flags as RequestFields)))
  const known = tidy(operation, found)
  const source = flags.payee === undefined ? 'the command line' : `the payee ${flags.payee}`
  const contradicted = contradictions(operation, said, known, source)
  const given = { ...said, ...known }
  const typed = filled(operation, await identified(invocation, operation, given, flags, profile), profile)
  const isNew = flags.key === undefined && (operation.idField === null || given[operation.idField] === undefined)
  if (!invocation.canAsk || flags.file === '-' || !isFine || contradicted.length > 0) {
    return { complete: typed, isNew, contradicted }
  }
  const wrong = wrongAlready(operation, typed, profile)
  if (wrong.length > 0) throw refuse(operation, await suggestNames(operation, withStrange(operation, typed, wrong)))
  const asker = terminalAsker(invocation.edge, invocation.signal)
  const answered = await withWayBack(asker, (within) => ask(within, operation, typed))
  return { complete: tidy(operation, answered), isNew, contradicted }
}

/** The violations of fields that were given: no answer to a question mends them. */
function wrongAlready(operation: WriteOperation, typed: RequestFields, { permits, orderType }: Profile) {
  const checked = validate({ ...operation, rules: [] }, typed, { permits, orderType, now: 0 })
  return checked.ok ? [] : checked.violations.filter(({ field }) => typed[field] !== undefined)
}

/**
 * Throws a Failure: usage (2), where the flags of a payout are wrong whatever its profile may do. A script is refused in
 * half the time, because the sandbox is not opened for its profile. `requestOf` checks all the rest.
 */
export function refuseFlags({ edge, canAsk }: Invocation, operation: WriteOperation, flags: WriteFlags): void {
  const { idField, request } = operation
  const given = tidy(operation, givenFields(operation, flags as RequestFields))
  const depends = fieldsOf(request).some(({ name, permission }) => permission && given[name] !== undefined)
  if (canAsk || depends || idField === null || given[idField] !== undefined) return
  if (flags.file !== undefined || flags.key !== undefined || flags.payee !== undefined) return
  const anyProfile = { permits: new Set<Permission>(), orderType: null, now: edge.clock.now() }
  const checked = validate(operation, { [idField]: edge.random.uuid(), ...given }, anyProfile)
  const misused = repeatedMembers(operation, flags as RequestFields)
  if (!checked.ok) throw refuse(operation, [...misused, ...withStrange(operation, given, checked.violations)])
}

/**
 * The moment at which a write that the journal knows by its id was first sent: it was right then, and a repeat of it gets its
 * receipt or is resolved, whatever has expired since.
 */
async function firstSent(
  invocation: Invocation,
  operation: WriteOperation,
  request: RequestFields,
  flags: WriteFlags,
): Promise<number | null> {
  const id = operation.idField === null ? undefined : request[operation.idField]
  if (typeof id !== 'string' || isToStayNew(invocation, flags)) return null
  const [known] = await (await journalOf(invocation)).list({
    uniqueIds: [normalId(id)],
    operations: [operation],
    limit: 1,
  })
  return known && !['refused', 'unsent', 'held'].includes(known.state) ? Date.parse(known.openedAt) : null
}

/** True for a dry run where no journal was ever written: it makes none. */
function isToStayNew({ places }: Invocation, flags: WriteFlags): boolean {
  return Boolean(flags['dry-run'] || flags.curl) && isNewJournal(places)
}

async function identified(
  invocation: Invocation,
  operation: WriteOperation,
  typed: RequestFields,
  flags: WriteFlags,
  profile: Profile,
): Promise<RequestFields> {
  const { idField } = operation
  const { key } = flags
  const made = fieldsOf(operation.request).some((field) => field.name === idField && field.made)
  if (key === undefined)
    return made && idField !== null ? { [idField]: invocation.edge.random.uuid(), ...typed } : typed
  requireIdempotencyKey(key)
  // Without an id in the request the journal's own is derived from the key.
  if (idField === null) return typed
  if (typed[idField] !== undefined) {
    throw new Failure('usage', 'give --key or an id, not both: the id is made from the key')
  }
  const id = isToStayNew(invocation, flags)
    ? idOfKey(profile, operation.name, key)
    : await idForKey({ journal: await journalOf(invocation), profile }, operation, key)
  return { ...typed, [idField]: id }
}

function filled(operation: WriteOperation, typed: RequestFields, { clientId }: Profile): RequestFields {
  const known = fieldsOf(operation.request).flatMap(({ name, filled }) => (filled ? [[name, filled(clientId)]] : []))
  return { ...Object.fromEntries(known), ...typed }
}

/** The names that a member may have at the end of this way; steps into lists and maps have no names of their own. */
function namesAt(request: Operation['request'], way: readonly (string | number)[]): readonly string[] {
  const [first, ...rest] = way
  if (first === undefined) return fieldsOf(request).map(({ name }) => name)
  const inner = fieldsOf(request).find(({ name }) => name === first)?.members
  return namesAt(inner ?? request, rest)
}

/** Keys of a file that no field has: each complaint with the key that was meant, where one is near. */
export async function suggestNames(
  { request }: Operation,
  violations: readonly Violation[],
): Promise<readonly Violation[]> {
  const told = violations.map(async (each): Promise<Violation> => {
    const way = [each.field, ...each.within]
    const [said = '', listed] = each.message.split('; there are ')
    const isStrange = each.message.startsWith('is not a field of')
    const isListed = listed !== undefined && said.startsWith('is no ')
    const names = isListed ? listed.split(', ') : isStrange ? namesAt(request, way.slice(0, -1)) : []
    const meant = orMeant(String(way.at(-1)), names)
    return { ...each, message: `${each.message}${meant}` }
  })
  return Promise.all(told)
}

/**
 * The fields of an operation as flags: one kebab-case flag each, its help from the contract. Fields with members have
 * flags of their own (`--split BRANCH:<uuid>=10.50`); values are taken apart here and judged by the contract.
 */
import { Flags, type Interfaces } from '@oclif/core'
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import { isMembers, type Members } from '../../contract/core/members.ts'
import { type Operation, type Violation, violation, wrongWithin } from '../../contract/operation.ts'
import { Failure, nothingWasSent } from '../../failure.ts'
import { hint } from '../../hint.ts'

interface NestedFlags {
  /** The flag that complaints name. */
  readonly flag: string
  /** The form of its value. */
  readonly form: string
  /** The value that the flags hold; undefined where none of them was given. */
  readonly read: (given: Members) => unknown
  /** The members that are given more than once. The contract could not see it: one of two values is lost when they are read. */
  readonly repeated?: (given: Members) => readonly string[]
  /** The flags of single members, where they are not typed with `flag`. */
  readonly ofMembers?: Readonly<Record<string, string>>
}

const helpGroup = 'REQUEST'

function textFlag(description: string, helpValue?: string) {
  return Flags.string({ description, helpGroup, ...(helpValue ? { helpValue } : {}) })
}

/** A flag that may be given several times, a value each: a greedy one would swallow the arguments behind it. */
function repeatedFlag(description: string, helpValue: string) {
  return Flags.string({
    description: `${description}; repeatable`,
    helpGroup,
    helpValue,
    multiple: true,
    multipleNonGreedy: true,
  })
}

type NestedFlag = ReturnType<typeof textFlag> | ReturnType<typeof repeatedFlag>

function listOf(given: Members, flag: string): readonly string[] {
  const values = given[flag]
  return Array.isArray(values) ? values.map(String) : []
}

/** Text before this place and behind it; undefined where there is nothing. */
function cut(text: string, at: number): readonly [string | undefined, string | undefined] {
  const some = (part: string) => (part === '' ? undefined : part)
  return at < 0 ? [some(text), undefined] : [some(text.slice(0, at)), some(text.slice(at + 1))]
}

/** The members that are there. */
function present(members: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** BRANCH:<uuid>=10.50 */
function recipientIn(typed: string): Record<string, string> {
  const [who = '', amount] = cut(typed.trim(), typed.trim().lastIndexOf('='))
  const [receiverType, receiverIdentifier] = cut(who, who.indexOf(':'))
  return present({ receiverType: receiverType?.trim().toUpperCase(), receiverIdentifier, amount: amount?.trim() })
}

const recipientForm = 'BRANCH:<uuid>=10.50'

function recipients(flag: string): NestedFlags {
  return {
    flag,
    form: `${recipientForm}, USER:<uuid>=10.50 or IBAN:<iban>=10.50`,
    read: (given) => (given[flag] === undefined ? undefined : listOf(given, flag).map(recipientIn)),
  }
}

const propertyFlags = ['property', 'property-editable'] as const

function keyOf(typed: string): string {
  return (cut(typed, typed.indexOf('='))[0] ?? '').trim().toUpperCase()
}

/** PAYER_NAME=Nino Beridze */
function propertyIn(typed: string, editable: boolean): readonly [string, Record<string, string>] {
  const [, value] = cut(typed, typed.indexOf('='))
  return [keyOf(typed), present({ value, isEditable: editable ? 'true' : undefined })]
}

const properties: NestedFlags = {
  flag: 'property',
  form: 'PAYER_NAME="Nino Beridze"; with --property-editable the payer may change it',
  read: (given) => {
    const typed = propertyFlags.flatMap((flag) =>
      listOf(given, flag).map((each) => propertyIn(each, flag === 'property-editable')),
    )
    return typed.length === 0 ? undefined : Object.fromEntries(typed)
  },
  repeated: (given) => {
    const keys = propertyFlags.flatMap((flag) => listOf(given, flag).map(keyOf))
    return [...new Set(keys.filter((key, at) => keys.indexOf(key) !== at))]
  },
}

const planFlags = { startDate: 'plan-start-date', callbackUrl: 'plan-callback-url' } as const

/** monthly:2:15.00 */
function planIn(typed: string): Record<string, string> {
  const [interval, rest] = cut(typed, typed.indexOf(':'))
  const [intervalCount, amount] = rest === undefined ? [] : cut(rest, rest.indexOf(':'))
  return present({
    interval: interval?.trim().toUpperCase(),
    intervalCount: intervalCount?.trim(),
    amount: amount?.trim(),
  })
}

const plan: NestedFlags = {
  flag: 'plan',
  form: 'monthly:2:15.00 (every 2 months 15.00) or weekly:1:9.90',
  read: (given) => {
    const more = Object.entries(planFlags).flatMap(([member, flag]) =>
      typeof given[flag] === 'string' ? [[member, given[flag]] as const] : [],
    )
    if (typeof given.plan !== 'string' && more.length === 0) return undefined
    return { ...(typeof given.plan === 'string' ? planIn(given.plan) : {}), ...Object.fromEntries(more) }
  },
  ofMembers: planFlags,
}

/** By the name of the field. */
const nested: Readonly<Record<string, NestedFlags>> = {
  splitDetails: recipients('split'),
  refundDetails: recipients('refund-detail'),
  orderProperties: properties,
  subscriptionPlan: plan,
}

/** The flags of a field with members. A field without any is a defect. */
function nestedFlagsOf({ name }: Pick<Field, 'name'>): NestedFlags {
  const found = Object.hasOwn(nested, name) ? nested[name] : undefined
  if (!found) throw new Error(`the field ${name} has members and no flags for them`)
  return found
}

/** The flags themselves, for oclif. */
function flagsOfNested(field: Field): Record<string, NestedFlag> {
  const { flag } = nestedFlagsOf(field)
  if (flag === 'property') {
    return {
      property: repeatedFlag('a property that the order type demands or allows', 'PAYER_NAME="Nino Beridze"'),
      'property-editable': repeatedFlag('the same, and the payer may change it at checkout', 'PURPOSE="State fee"'),
    }
  }
  if (flag !== 'plan') return { [flag]: repeatedFlag(field.help, recipientForm) }
  return {
    plan: textFlag(`${field.help}; interval:count:amount`, 'monthly:2:15.00'),
    'plan-start-date': textFlag('day of the first payment of the plan; at once when not given', '2099-01-31'),
    'plan-callback-url': textFlag(
      "address called for every payment of the plan; the order's when not given",
      'https://example.com/subscription',
    ),
  }
}

/** "toIban" → "to-iban". */
export function flagName(field: string): string {
  return field.replace(/[A-Z]|_/g, (letter) => (letter === '_' ? '-' : `-${letter.toLowerCase()}`))
}

/** The flag that a complaint about a field names. */
function flagFor(field: Field): string {
  if (field.members) return nestedFlagsOf(field).flag
  return field.secret ? `${flagName(field.name)}-file` : flagName(field.name)
}

function description(field: Field): string {
  const words = field.options ?? (field.suggestions ? [...field.suggestions, '…'] : null)
  const required = field.required && !field.made && !field.filled
  return `${required ? '[required] ' : ''}${field.help}${words ? ` (${words.join(', ')})` : ''}`
}

function switchFlag(field: Field) {
  // A file may switch it on: then the flag must be able to switch it off.
  return Flags.boolean({ description: description({ ...field, options: null }), helpGroup: 'REQUEST', allowNo: true })
}

type FieldFlag = NestedFlag | ReturnType<typeof switchFlag>

// The values are not checked here: the contract does it, and names all violations in one answer.
function flagsOf(field: Field): Record<string, FieldFlag> {
  // A secret on the command line stands in the list of processes and in the shell's history.
  if (field.secret) return {}
  if (field.members) return flagsOfNested(field)
  const name = flagName(field.name)
  if (field.json === 'boolean') return { [name]: switchFlag(field) }
  const { example } = field
  return { [name]: textFlag(description(field), example?.includes(' ') ? `"${example}"` : example) }
}

/** `without` are fields that the command knows in another way, such as the id that is its argument. */
export function fieldFlags(operation: Operation, without: readonly string[] = []): Interfaces.FlagInput {
  const fields = fieldsOf(operation.request).filter(({ name }) => !without.includes(name))
  return Object.assign({}, ...fields.map(flagsOf))
}

function valueGivenTo(field: Field, flags: Members): unknown {
  if (field.secret) return undefined
  if (field.members) return nestedFlagsOf(field).read(flags)
  const value = flags[flagName(field.name)]
  return typeof value === 'boolean' ? String(value) : value
}

/** The fields that flags gave, by the names of the contract. */
export function givenFields(operation: Operation, flags: Members): Record<string, unknown> {
  const given = fieldsOf(operation.request).map((field) => [field.name, valueGivenTo(field, flags)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** The fields of a file with those of flags over them; of an object or a map member by member. */
export function mergeOverFile(operation: Operation, file: Members, given: Members): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...file, ...given }
  for (const { name, json } of fieldsOf(operation.request)) {
    const [under, over] = [file[name], given[name]]
    if ((json === 'object' || json === 'map') && isMembers(under) && isMembers(over)) {
      merged[name] = { ...under, ...over }
    }
  }
  return merged
}

/** The mistakes of the flags themselves, before the contract looks at their values. */
export function repeatedMembers(operation: Operation, flags: Members): readonly Violation[] {
  return fieldsOf(operation.request)
    .filter(({ members, secret }) => members && !secret)
    .flatMap((field) =>
      (nestedFlagsOf(field).repeated?.(flags) ?? []).map((key) =>
        violation([field.name, key], 'is given more than once', operation.breachCode),
      ),
    )
}

/** Fields that are given otherwise than `source` has them. What it has may be of more people than this error. */
export function contradictions(
  operation: Operation,
  given: Members,
  known: Members,
  source: string,
): readonly Violation[] {
  const isOther = ({ name, secret }: Field) =>
    !secret && typeof given[name] === 'string' && typeof known[name] === 'string' && given[name] !== known[name]
  return fieldsOf(operation.request)
    .filter(isOther)
    .map(({ name }) =>
      violation(name, `is ${given[name]}, but ${source} has another one: omit it`, operation.breachCode),
    )
}

/** A violation by the flag that people typed. */
function complaint(field: Field | undefined, broken: Violation): string {
  if (!field) return `"${broken.field}" ${wrongWithin(broken)}`
  const [member = '', ...within] = broken.within
  const own = field.members ? nestedFlagsOf(field).ofMembers?.[member] : undefined
  return own === undefined
    ? `--${flagFor(field)} ${wrongWithin(broken)}`
    : `--${own} ${wrongWithin({ ...broken, within })}`
}

/** All violations in one failure, each naming its flag (2). */
export function refuse(operation: Operation, violations: readonly Violation[]): Failure {
  const fields = new Map(fieldsOf(operation.request).map((field) => [field.name, field]))
  const lines = violations.map((each) => complaint(fields.get(each.field), each))
  const wrong = [...fields.values()].filter(
    ({ name, members }) => members && violations.some(({ field }) => field === name),
  )
  return new Failure('usage', lines.join(lines.length > 1 ? ';\n' : ''), {
    operation: operation.name,
    hints: [
      hint`${nothingWasSent} \`--help\` shows every field and its rule.`,
      ...wrong.map((field) => hint`--${nestedFlagsOf(field).flag} takes ${nestedFlagsOf(field).form}.`),
    ],
  })
}

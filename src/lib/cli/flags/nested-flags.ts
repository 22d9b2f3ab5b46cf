/**
 * Flags for fields that hold members: `--split BRANCH:<uuid>=10.50` instead of JSON on the command line. Values are taken
 * apart here and judged by the contract, so that what is missing is named together with every other violation.
 */
import { Flags } from '@oclif/core'
import type { Field } from '../../contract/core/field.ts'
import { isMembers, type Members } from '../../contract/core/members.ts'

/** The flags as a command parsed them. */
export type GivenMembers = Members

export interface NestedFlags {
  /** The flag that complaints name. */
  readonly flag: string
  /** The form of its value. */
  readonly form: string
  /** The value that the flags hold; undefined where none of them was given. */
  readonly read: (given: GivenMembers) => unknown
  /** The same as argv: what `read` reads. */
  readonly write: (value: unknown) => readonly string[]
  /** The members that are given more than once. The contract could not see it: one of two values is lost when they are read. */
  readonly repeated?: (given: GivenMembers) => readonly string[]
  /** The flags of single members, where they are not typed with `flag`. */
  readonly ofMembers?: Readonly<Record<string, string>>
}

const helpGroup = 'REQUEST'

export function textFlag(description: string, helpValue?: string) {
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

export type NestedFlag = ReturnType<typeof textFlag> | ReturnType<typeof repeatedFlag>

function listOf(given: GivenMembers, flag: string): readonly string[] {
  const values = given[flag]
  return Array.isArray(values) ? values.map(String) : []
}

/** Text before the first `mark` and after it; undefined where there is nothing. */
function cut(text: string, at: number): readonly [string | undefined, string | undefined] {
  const some = (part: string) => (part === '' ? undefined : part)
  return at < 0 ? [some(text), undefined] : [some(text.slice(0, at)), some(text.slice(at + 1))]
}

/** BRANCH:<uuid>=10.50 */
function recipientIn(typed: string): Record<string, string> {
  const [who = '', amount] = cut(typed.trim(), typed.trim().lastIndexOf('='))
  const [receiverType, receiverIdentifier] = cut(who, who.indexOf(':'))
  return {
    ...(receiverType === undefined ? {} : { receiverType: receiverType.trim().toUpperCase() }),
    ...(receiverIdentifier === undefined ? {} : { receiverIdentifier }),
    ...(amount === undefined ? {} : { amount: amount.trim() }),
  }
}

const recipientForm = 'BRANCH:<uuid>=10.50'

function recipients(flag: string): NestedFlags {
  return {
    flag,
    form: `${recipientForm}, USER:<uuid>=10.50 or IBAN:<iban>=10.50`,
    read: (given) => (given[flag] === undefined ? undefined : listOf(given, flag).map(recipientIn)),
    write: (value) =>
      (Array.isArray(value) ? value.filter(isMembers) : []).flatMap((entry) => [
        `--${flag}`,
        `${entry.receiverType}:${entry.receiverIdentifier}=${entry.amount}`,
      ]),
  }
}

const propertyFlags = ['property', 'property-editable'] as const

function keyOf(typed: string): string {
  return (cut(typed, typed.indexOf('='))[0] ?? '').trim().toUpperCase()
}

/** PAYER_NAME=Nino Beridze */
function propertyIn(typed: string, editable: boolean): readonly [string, Record<string, string>] {
  const [, value] = cut(typed, typed.indexOf('='))
  return [keyOf(typed), { ...(value === undefined ? {} : { value }), ...(editable ? { isEditable: 'true' } : {}) }]
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
  write: (value) =>
    Object.entries(isMembers(value) ? value : {}).flatMap(([key, property]) =>
      isMembers(property)
        ? [`--${property.isEditable === 'true' ? 'property-editable' : 'property'}`, `${key}=${property.value}`]
        : [],
    ),
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
  return {
    ...(interval === undefined ? {} : { interval: interval.trim().toUpperCase() }),
    ...(intervalCount === undefined ? {} : { intervalCount: intervalCount.trim() }),
    ...(amount === undefined ? {} : { amount: amount.trim() }),
  }
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
  write: (value) => {
    if (!isMembers(value)) return []
    const more = Object.entries(planFlags).flatMap(([member, flag]) =>
      value[member] === undefined ? [] : [`--${flag}`, String(value[member])],
    )
    return ['--plan', `${String(value.interval).toLowerCase()}:${value.intervalCount}:${value.amount}`, ...more]
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
export function nestedFlagsOf({ name }: Pick<Field, 'name'>): NestedFlags {
  const found = Object.hasOwn(nested, name) ? nested[name] : undefined
  if (!found) throw new Error(`the field ${name} has members and no flags for them`)
  return found
}

/** The flags themselves, for oclif. */
export function flagsOfNested(field: Field): Record<string, NestedFlag> {
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

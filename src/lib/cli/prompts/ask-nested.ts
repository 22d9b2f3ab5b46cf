/**
 * Questions for the parts of an order: the recipients with their parts, the properties of its type, the plan of a
 * subscription.
 */
import type { z } from 'zod'
import { fromMinorUnits } from '../../contract/core/decimal.ts'
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import { isMembers, type Members } from '../../contract/core/members.ts'
import { unitsOf } from '../../contract/core/rules.ts'
import type { OrderType } from '../../contract/operation.ts'
import {
  type OrderProperty,
  orderProperties,
  orderPropertyNames,
  propertiesFit,
} from '../../contract/order/property.ts'
import { sumOfParts } from '../../contract/order/split.ts'
import { type Asker, askField, ruleOf } from './ask.ts'

function membersOf(field: Field): z.ZodObject {
  if (!field.members) throw new Error(`${field.name} has no members to ask for`)
  return field.members
}

/** The members of an object, one after the other; `known` ones are not asked for. */
async function askMembers(asker: Asker, members: z.ZodObject, known: Members): Promise<Record<string, unknown>> {
  const complete: Record<string, unknown> = { ...known }
  for (const member of fieldsOf(members)) {
    if (complete[member.name] !== undefined) continue
    const typed = await askField(asker, member, ruleOf(members, member))
    if (typed !== undefined) complete[member.name] = typed
  }
  return complete
}

/** The rule of a part's member, in the light of what is known: the identifier is of the receiver's type, the sum is there. */
function ruleOfPart(members: z.ZodObject, field: Field, left: bigint, known: Members): z.ZodType {
  const rule = ruleOf(members, field)
  if (field.name === 'amount') {
    return rule.refine((typed) => (unitsOf(typed) ?? 0n) <= left, {
      error: `is more than the ${fromMinorUnits(left)} that are left`,
    })
  }
  if (field.name !== 'receiverIdentifier') return rule
  return rule.superRefine((typed, context) => {
    const whole = members.safeParse({ ...known, receiverIdentifier: typed, amount: '1' })
    const issue = whole.error?.issues.find(({ path }) => path[0] === field.name)
    if (issue) context.addIssue({ code: 'custom', message: issue.message })
  })
}

/** One recipient with its part, as far as it is not known yet. */
async function askPart(asker: Asker, members: z.ZodObject, left: bigint, known: Members): Promise<Members> {
  const part: Record<string, unknown> = { ...known }
  for (const field of fieldsOf(members).filter(({ name }) => known[name] === undefined)) {
    const whose = `the part of ${part.receiverType} ${part.receiverIdentifier}; ${fromMinorUnits(left)} are left`
    const help = field.name === 'amount' ? whose : field.help
    part[field.name] = await askField(asker, { ...field, help }, ruleOfPart(members, field, left, part))
  }
  return part
}

/**
 * The parts of a sum, one recipient after the other until nothing is left. The order's own receiver is among them
 * once, so it is asked for its part only.
 */
export async function askForParts(
  asker: Asker,
  field: Field,
  whole: bigint,
  own: string | null,
): Promise<readonly Members[]> {
  const members = membersOf(field)
  const parts: Members[] = []
  for (let left = whole; left > 0n; left = whole - (sumOfParts(parts) ?? whole)) {
    const known = own !== null && parts.length === 0 ? { receiverType: 'BRANCH', receiverIdentifier: own } : {}
    parts.push(await askPart(asker, members, left, known))
  }
  return parts
}

/** The rule of a content in the light of the other properties: a foreigner's number has any form. */
function ruleOfContent(members: z.ZodObject, content: Field, key: OrderProperty, others: Members): z.ZodType {
  return ruleOf(members, content).superRefine((value, context) => {
    const properties = { orderProperties: { ...others, [key]: { value } } }
    const wrong = propertiesFit(properties, { permits: new Set(), orderType: null, now: 0 })
    const about = wrong.find(({ within }) => within[0] === key)
    if (about) context.addIssue({ code: 'custom', message: about.message })
  })
}

/** One property of an order: its content, and whether the payer may change it. A hidden one cannot be changed. */
export async function askForProperty(
  asker: Asker,
  field: Field,
  key: OrderProperty,
  others: Members,
  why: string,
): Promise<Members> {
  const members = membersOf(field)
  const [content] = fieldsOf(members)
  if (!content) throw new Error(`${field.name} has no content to ask for`)
  const named = { ...content, name: key, help: why }
  const value =
    key === 'IS_FOREIGN'
      ? String((await asker.choice(`Is the payer a foreign citizen? (${key}; ${why})`, ['no', 'yes'])) === 'yes')
      : await askField(asker, named, ruleOfContent(members, content, key, others))
  if (orderProperties[key].hidden) return { value }
  const editable = await asker.choice(`May the payer change ${key} at checkout?`, ['no', 'yes'])
  return editable === 'yes' ? { value, isEditable: 'true' } : { value }
}

/** The mandatory properties, first whether the payer is a foreigner: it decides about the form of the personal number. */
function mandatory(orderType: OrderType): readonly OrderProperty[] {
  const keys = orderPropertyNames.filter((name) => orderProperties[name][orderType] === 'M')
  return keys.toSorted((a, b) => Number(b === 'IS_FOREIGN') - Number(a === 'IS_FOREIGN'))
}

/** The keys that the order type demands, as far as they are not given. */
export async function askForMandatory(
  asker: Asker,
  field: Field,
  given: unknown,
  orderType: OrderType | null,
): Promise<unknown> {
  if (orderType === null || (given !== undefined && !isMembers(given))) return given
  const properties: Record<string, unknown> = { ...given }
  for (const key of mandatory(orderType).filter((name) => !Object.hasOwn(properties, name))) {
    properties[key] = await askForProperty(asker, field, key, properties, `orders of type ${orderType} need it`)
  }
  return Object.keys(properties).length === 0 ? given : properties
}

/** The keys that an order of this type may have besides. */
export function optionalProperties(orderType: OrderType | null): readonly OrderProperty[] {
  return orderPropertyNames.filter((key) =>
    orderType === null ? true : ['O', '?'].includes(orderProperties[key][orderType]),
  )
}

/** Interval, count and price of a plan, and where it begins. */
export function askForPlan(asker: Asker, field: Field, known: unknown): Promise<Members> {
  return askMembers(asker, membersOf(field), isMembers(known) ? known : {})
}

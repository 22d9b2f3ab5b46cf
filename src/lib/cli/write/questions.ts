/**
 * Questions of writes that have more than plain fields: the parts of an order, the payee of a payout, the text of a
 * user.
 */
import type { z } from 'zod'
import { fromMinorUnits } from '../../contract/core/decimal.ts'
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import { accountInWords } from '../../contract/core/iban.ts'
import { isMembers, type Members } from '../../contract/core/members.ts'
import { unitsOf } from '../../contract/core/rules.ts'
import type { Operation, OrderType } from '../../contract/operation.ts'
import {
  type OrderProperty,
  orderProperties,
  orderPropertyNames,
  propertiesFit,
} from '../../contract/order/property.ts'
import { providerFields } from '../../contract/order/request.ts'
import { sumOfParts } from '../../contract/order/split.ts'
import { membersOf, type NamedAccount } from '../../contract/payout/payee.ts'
import { Failure } from '../../failure.ts'
import { contradictions, refuse } from '../flags/fields.ts'
import { fieldsInText } from '../input.ts'
import { type Asker, type Asking, askField, askForMissing, type MenuChoice, ruleOf } from '../prompts/ask.ts'

function memberFieldsOf(field: Field): z.ZodObject {
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
      error: `is more than the ${fromMinorUnits(left)} that is left`,
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
async function askForParts(asker: Asker, field: Field, whole: bigint, own: string | null): Promise<readonly Members[]> {
  const members = memberFieldsOf(field)
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
  const members = memberFieldsOf(field)
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
async function askForMandatory(
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
function optionalProperties(orderType: OrderType | null): readonly OrderProperty[] {
  return orderPropertyNames.filter((key) =>
    orderType === null ? true : ['O', '?'].includes(orderProperties[key][orderType]),
  )
}

/** Interval, count and price of a plan, and where it begins. */
function askForPlan(asker: Asker, field: Field, known: unknown): Promise<Members> {
  return askMembers(asker, memberFieldsOf(field), isMembers(known) ? known : {})
}

const nothingMore = 'no, that is all'
const property = 'property '

/** The sum that is split: with a plan its price. */
function wholeOf({ amount, subscriptionPlan }: Members): bigint {
  return unitsOf(isMembers(subscriptionPlan) ? subscriptionPlan.amount : amount) ?? 0n
}

/** `receivers`: those to choose from; another one is typed. */
interface KnownOfOrders {
  readonly orderType: OrderType | null
  readonly receivers: readonly MenuChoice[]
}

class OrderQuestions {
  readonly #asker: Asker
  readonly #operation: Operation
  readonly #orderType: OrderType | null
  readonly #fields: ReadonlyMap<string, Field>
  readonly #receivers: readonly MenuChoice[]

  constructor(asker: Asker, operation: Operation, { orderType, receivers }: KnownOfOrders) {
    this.#asker = asker
    this.#operation = operation
    this.#orderType = orderType
    this.#receivers = receivers
    this.#fields = new Map(fieldsOf(operation.request).map((field) => [field.name, field]))
  }

  async complete(given: Members): Promise<Record<string, unknown>> {
    const needed = await this.#needed(given)
    const asked = Object.keys(needed).some((name) => given[name] === undefined)
    return asked ? this.#more(needed) : needed
  }

  async #needed(given: Members): Promise<Record<string, unknown>> {
    const asking: Record<string, Asking> = { receiverId: { offers: this.#receivers } }
    const complete = await askForMissing(this.#asker, this.#operation, given, asking)
    const known = complete.orderProperties
    const properties = await askForMandatory(this.#asker, this.#field('orderProperties'), known, this.#orderType)
    return properties === undefined ? complete : { ...complete, orderProperties: properties }
  }

  async #more(needed: Record<string, unknown>): Promise<Record<string, unknown>> {
    let order = needed
    for (;;) {
      const name = await this.#asker.choice('Anything more?', [nothingMore, ...this.#offers(order)])
      if (name === nothingMore) return order
      // A choice may demand something else: an installment names the payer, a saved card a bank.
      order = await askForMissing(this.#asker, this.#operation, { ...order, ...(await this.#one(name, order)) })
    }
  }

  /** The fields that may still be added. */
  #offers(order: Members): readonly MenuChoice[] {
    const providers: readonly string[] = providerFields
    const hasProvider = providers.some((name) => order[name] !== undefined)
    const fields = [...this.#fields.values()].filter(
      ({ name, secret, made, json }) =>
        order[name] === undefined &&
        !secret &&
        !made &&
        json !== 'map' &&
        !(hasProvider && providers.includes(name)) &&
        !(name === 'splitDetails' && wholeOf(order) === 0n),
    )
    const given = isMembers(order.orderProperties) ? order.orderProperties : {}
    const keys = optionalProperties(this.#orderType).filter((key) => !Object.hasOwn(given, key))
    return [
      ...fields.map(({ name, help }) => ({ value: name, description: help })),
      ...keys.map((key) => ({ value: `${property}${key}`, description: 'a property of the order' })),
    ]
  }

  async #one(name: string, order: Members): Promise<Members> {
    if (name.startsWith(property)) return this.#property(name.slice(property.length) as OrderProperty, order)
    const field = this.#field(name)
    if (name === 'splitDetails') {
      return { [name]: await askForParts(this.#asker, field, wholeOf(order), String(order.receiverId)) }
    }
    // The plan charges the saved card, so without saving there is none.
    if (name === 'subscriptionPlan')
      return { saveCard: 'true', [name]: await askForPlan(this.#asker, field, undefined) }
    return { [name]: await askField(this.#asker, field, ruleOf(this.#operation.request, field)) }
  }

  async #property(key: OrderProperty, order: Members): Promise<Members> {
    const given = isMembers(order.orderProperties) ? order.orderProperties : {}
    const content = await askForProperty(this.#asker, this.#field('orderProperties'), key, given, 'optional')
    return { orderProperties: { ...given, [key]: content } }
  }

  #field(name: string): Field {
    const field = this.#fields.get(name)
    if (!field) throw new Error(`${this.#operation.name} has no field ${name}`)
    return field
  }
}

/** The order with what a person answered. Asks for what is missing only. */
export function askForOrder(
  asker: Asker,
  operation: Operation,
  given: Members,
  known: KnownOfOrders,
): Promise<Record<string, unknown>> {
  return new OrderQuestions(asker, operation, known).complete(given)
}

const somebodyElse = 'somebody else'

/** `known`: asked for only where nothing that is given names the beneficiary. */
export async function askForPayout(
  asker: Asker,
  operation: Operation,
  given: Members,
  known: () => Promise<readonly NamedAccount[]>,
): Promise<Record<string, unknown>> {
  const isNamed = ['beneficiaryName', 'toIban', 'receiverId', 'receiverType'].some((name) => given[name] !== undefined)
  const payees = isNamed ? [] : await known()
  if (payees.length === 0) return askForMissing(asker, operation, given)
  const labels = payees.map(({ name, account }) => `${name}, ${accountInWords(account)}`)
  const chosen = await asker.choice('Who is paid?', [...labels, somebodyElse])
  const payee = payees[labels.indexOf(chosen)]
  const members = payee ? membersOf(payee) : {}
  const otherwise = contradictions(operation, given, members, 'the list of payees')
  if (otherwise.length > 0) throw refuse(operation, otherwise)
  return askForMissing(asker, operation, { ...given, ...members })
}

// The Georgian words are more than politeness: they show whoever guesses the encoding of the text that it is UTF-8.
const start = `# The user to register: YAML or JSON, one member in each line. Save and close to go on; leave nothing, and nothing is sent.
# Texts in any language (სახელი და გვარი), numbers, true, false, null; quote a personal number. For example:
# name: Nino Beridze
# personalNumber: "01001000001"
# Your agreement with the service says which members there are.
`

/** Throws a Failure: declined (3) where nothing was left. */
export async function askForUser(asker: Asker): Promise<Record<string, unknown>> {
  const isEmpty = (text: string) => text.split('\n').every((line) => line.trim() === '' || line.trim().startsWith('#'))
  const wrong = async (text: string) => {
    if (isEmpty(text)) return null
    const read = await fieldsInText(text, 'the text', 'kinds').catch((error: unknown) => error)
    return read instanceof Failure ? read.message.replace('--file: ', '') : null
  }
  const text = await asker.document({
    message: 'Who is the user?',
    start,
    ending: '.yaml',
    validate: async (typed) => (await wrong(typed)) ?? true,
  })
  if (isEmpty(text)) throw new Failure('declined', 'nothing was written; nothing was sent')
  return fieldsInText(text, 'the text', 'kinds')
}

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
import {
  type Asker,
  askField,
  askForMissing,
  fieldInWords,
  type MenuChoice,
  payeeQuestions,
  ruleOf,
} from '../prompts/ask.ts'

function memberFieldsOf(field: Field): z.ZodObject {
  if (!field.members) throw new Error(`${field.name} has no members to ask for`)
  return field.members
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
  operation: Operation,
  given: unknown,
  orderType: OrderType | null,
): Promise<unknown> {
  if (orderType === null || (given !== undefined && !isMembers(given))) return given
  const field = fieldNamed(operation, 'orderProperties')
  const properties: Record<string, unknown> = { ...given }
  for (const key of mandatory(orderType).filter((name) => !Object.hasOwn(properties, name))) {
    properties[key] = await askForProperty(asker, field, key, properties, `orders of type ${orderType} need it`)
  }
  return Object.keys(properties).length === 0 ? given : properties
}

function optionalProperties(orderType: OrderType | null): readonly OrderProperty[] {
  return orderPropertyNames.filter((key) =>
    orderType === null ? true : ['O', '?'].includes(orderProperties[key][orderType]),
  )
}

async function askForPlan(asker: Asker, { name, members }: Field): Promise<Members> {
  if (!members) throw new Error(`${name} has no members to ask for`)
  const plan: Record<string, unknown> = {}
  for (const member of fieldsOf(members)) {
    const typed = await askField(asker, member, ruleOf(members, member))
    if (typed !== undefined) plan[member.name] = typed
  }
  return plan
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

export async function askForOrder(
  asker: Asker,
  operation: Operation,
  given: Members,
  { orderType, receivers }: KnownOfOrders,
): Promise<Members> {
  const complete = await askForMissing(asker, operation, given, { receiverId: { offers: receivers } })
  const properties = await askForMandatory(asker, operation, complete.orderProperties, orderType)
  let order: Members = properties === undefined ? complete : { ...complete, orderProperties: properties }
  if (Object.keys(order).every((name) => given[name] !== undefined)) return order
  for (;;) {
    const name = await asker.choice('Anything more?', [nothingMore, ...offersFor(operation, order, orderType)])
    if (name === nothingMore) return order
    // A choice may demand something else: an installment names the payer, a saved card a bank.
    order = await askForMissing(asker, operation, { ...order, ...(await askForOne(asker, operation, name, order)) })
  }
}

const propertiesOf = ({ orderProperties: given }: Members): Members => (isMembers(given) ? given : {})

function offersFor(operation: Operation, order: Members, orderType: OrderType | null): readonly MenuChoice[] {
  const providers: readonly string[] = providerFields
  const hasProvider = providers.some((name) => order[name] !== undefined)
  const isOpen = ({ name, secret, made, json }: Field) => {
    if (order[name] !== undefined || secret || made || json === 'map') return false
    return !(hasProvider && providers.includes(name)) && !(name === 'splitDetails' && wholeOf(order) === 0n)
  }
  const fields = fieldsOf(operation.request).filter(isOpen)
  const keys = optionalProperties(orderType).filter((key) => !Object.hasOwn(propertiesOf(order), key))
  return [
    ...fields.map(({ name, help }) => ({ value: name, name: fieldInWords(name), description: help })),
    ...keys.map((key) => ({ value: `${property}${key}`, description: 'a property of the order' })),
  ]
}

async function askForOne(asker: Asker, operation: Operation, name: string, order: Members): Promise<Members> {
  if (name.startsWith(property)) {
    const [key, given] = [name.slice(property.length) as OrderProperty, propertiesOf(order)]
    const content = await askForProperty(asker, fieldNamed(operation, 'orderProperties'), key, given, 'optional')
    return { orderProperties: { ...given, [key]: content } }
  }
  const field = fieldNamed(operation, name)
  if (name === 'splitDetails') {
    return { [name]: await askForParts(asker, field, wholeOf(order), String(order.receiverId)) }
  }
  // The plan charges the saved card, so without saving there is none; the price is the plan's, and the amount of the order is 0.
  if (name === 'subscriptionPlan') return { saveCard: 'true', amount: '0', [name]: await askForPlan(asker, field) }
  return { [name]: await askField(asker, field, ruleOf(operation.request, field)) }
}

function fieldNamed(operation: Operation, name: string): Field {
  const field = fieldsOf(operation.request).find((each) => each.name === name)
  if (!field) throw new Error(`${operation.name} has no field ${name}`)
  return field
}

const somebodyElse: MenuChoice = { value: 'somebody else', description: '', stays: true }

const payeeFirst = ['beneficiaryName', 'toIban', 'receiverId', 'receiverType']

/** `known`: asked for only where nothing that is given names the beneficiary. */
export async function askForPayout(
  asker: Asker,
  operation: Operation,
  given: Members,
  known: () => Promise<readonly NamedAccount[]>,
): Promise<Record<string, unknown>> {
  const isNamed = ['beneficiaryName', 'toIban', 'receiverId', 'receiverType'].some((name) => given[name] !== undefined)
  const payees = isNamed ? [] : await known()
  if (payees.length === 0) return askForMissing(asker, operation, given, payeeQuestions, payeeFirst)
  const labels = payees.map(({ name, account }) => `${name}, ${accountInWords(account)}`)
  // First, so that Enter alone pays nobody who was not looked for.
  const chosen = await asker.choice('Who is paid? (type a part of the name or account)', [somebodyElse, ...labels])
  const payee = payees[labels.indexOf(chosen)]
  const members = payee ? membersOf(payee) : {}
  const contradicted = contradictions(operation, given, members, 'the list of payees')
  if (contradicted.length > 0) throw refuse(operation, contradicted)
  return askForMissing(asker, operation, { ...given, ...members }, payeeQuestions, payeeFirst)
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

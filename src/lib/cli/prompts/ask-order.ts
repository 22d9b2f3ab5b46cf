/**
 * A new order at a terminal: first the fields it needs, then, if anything was asked for at all, a list of its optional ones.
 * A person who gave all needed fields by flags is offered no list.
 */
import { type Field, fieldsOf } from '../../contract/core/field.ts'
import { isMembers, type Members } from '../../contract/core/members.ts'
import { unitsOf } from '../../contract/core/rules.ts'
import type { Operation, OrderType } from '../../contract/operation.ts'
import type { OrderProperty } from '../../contract/order/property.ts'
import { providerFields } from '../../contract/order/request.ts'
import { type Asker, type Asking, askField, askForMissing, type MenuChoice, ruleOf } from './ask.ts'
import { askForMandatory, askForParts, askForPlan, askForProperty, optionalProperties } from './ask-nested.ts'

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

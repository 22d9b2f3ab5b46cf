/** The payer's choices at the checkout page: kept with the order for the try they were made for. */
import type { OrderProperty } from '../../contract/order/property.ts'
import { readJson, writeJson } from '../../json.ts'
import type { OrderRow } from '../../store/sandbox/schema.ts'
import { orderRequest } from '../ledger/accepted.ts'

const methods = ['card', 'saved-card', 'open-banking', 'crypto', 'installment'] as const

export type Method = (typeof methods)[number]

export interface PayerChoice {
  readonly method: Method
  /** The chosen provider; null where none was. */
  readonly provider: string | null
  /** True if the card may be saved, where the order asks for it. */
  readonly keepsCard: boolean
  /** Contents of the editable properties as the payer left them. */
  readonly properties: Readonly<Partial<Record<OrderProperty, string>>>
}

export const writeChoice = (choice: PayerChoice): string => writeJson(choice)

/** Null where the last try was not made at the page. */
export function choiceOf({ checkout }: Pick<OrderRow, 'checkout'>): PayerChoice | null {
  return checkout === null ? null : (readJson(checkout) as PayerChoice)
}

/** The properties as they are sent on: the order's, with what the payer has changed. Hidden ones are among them. */
export function propertiesOf(order: Pick<OrderRow, 'request' | 'checkout'>): ReadonlyMap<OrderProperty, string> {
  const asked = Object.entries(orderRequest(order).orderProperties ?? {}) as [
    OrderProperty,
    { readonly value: string },
  ][]
  const changed = choiceOf(order)?.properties ?? {}
  return new Map(asked.map(([key, { value }]) => [key, changed[key] ?? value]))
}

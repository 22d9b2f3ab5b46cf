/**
 * Order properties (specification B1). The service sets the order type: where that is not known, nothing of the matrix is checked
 * (service.md#order-properties).
 */
import { z } from 'zod'
import { field, someTextForm } from '../core/field.ts'
import { isMembers, type Members } from '../core/members.ts'
import { isIdentityNumber, text, yesOrNo } from '../core/rules.ts'
import { type OrderType, type Rule, type Violation, violation } from '../operation.ts'

/** Mandatory, optional, not used, or not shown in the specification: passes in every type, with a remark. */
export type Need = 'M' | 'O' | '-' | '?'

export interface PropertyFacts extends Readonly<Record<OrderType, Need>> {
  /** Not shown to the payer, but sent all the same. */
  readonly hidden: boolean
}

function facts(DEFAULT: Need, TREASURY: Need, TRAFFIC_FINE: Need, hidden = false): PropertyFacts {
  return { DEFAULT, TREASURY, TRAFFIC_FINE, hidden }
}

export const orderProperties = {
  PERSONAL_NUMBER: facts('-', 'M', '-'),
  PAYER_NAME: facts('-', 'M', '-'),
  PURPOSE: facts('-', 'M', '-'),
  PERSONAL_NUMBER_OR_PASSPORT: facts('?', '?', '?'),
  IS_FOREIGN: facts('-', 'M', '-'),
  SERVICE_PROVIDER_CODE: facts('-', '-', 'M', true),
  SERVICE_CODE: facts('-', '-', 'M', true),
  ENTITY_IDENTIFIER: facts('-', '-', 'M'),
  CAR_IDENTIFIER: facts('-', '-', 'M'),
  INVOICE_NUMBER_LABEL: facts('O', '-', '-'),
  DESCRIPTION: facts('O', '-', '-'),
  INTEGRATOR_PRODUCT_NAME: facts('O', '-', '-', true),
  ABONENT_CODE: facts('?', '?', '?'),
} as const satisfies Record<string, PropertyFacts>

export type OrderProperty = keyof typeof orderProperties

export const orderPropertyNames = Object.keys(orderProperties) as OrderProperty[]

function factsOf(key: string): PropertyFacts | null {
  return Object.hasOwn(orderProperties, key) ? orderProperties[key as OrderProperty] : null
}

export const propertyMembers = z.strictObject({
  value: field(
    text.refine((value) => value.trim() !== '', { error: 'must not be empty' }),
    { help: 'content of the property', schema: someTextForm, breachCode: 6077 },
  ),
  isEditable: field(yesOrNo.optional(), {
    help: 'whether the payer may change it at checkout; false when not given',
    breachCode: 6077,
  }),
})

export const propertyMap = z.record(z.string(), propertyMembers, { error: 'must be a map from keys to { value }' })

const breach = (key: string, message: string, code: number) => violation(['orderProperties', key], message, code)

function contentOf(properties: Members, key: OrderProperty): string | null {
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined
  return isMembers(property) && typeof property.value === 'string' ? property.value : null
}

function keyBreaches(keys: readonly string[], type: OrderType | null): Violation[] {
  return keys.flatMap((key) => {
    const known = factsOf(key)
    if (!known) return [breach(key, `is no order property; there are ${orderPropertyNames.join(', ')}`, 6079)]
    return type && known[type] === '-' ? [breach(key, `is not used by orders of type ${type}`, 6079)] : []
  })
}

function missingBreaches(properties: Members, type: OrderType | null): Violation[] {
  if (!type) return []
  const mandatory = orderPropertyNames.filter((key) => orderProperties[key][type] === 'M')
  return mandatory
    .filter((key) => !Object.hasOwn(properties, key))
    .map((key) => breach(key, `is required for orders of type ${type}`, 6078))
}

function contentBreaches(properties: Members): Violation[] {
  const foreign = contentOf(properties, 'IS_FOREIGN')
  const number = contentOf(properties, 'PERSONAL_NUMBER')
  const unclear = foreign !== null && foreign !== 'true' && foreign !== 'false'
  const mistyped = number !== null && number.trim() !== '' && foreign !== 'true' && !isIdentityNumber(number)
  return [
    ...(mistyped ? [breach('PERSONAL_NUMBER', 'must be 9 or 11 digits, unless IS_FOREIGN is true', 6077)] : []),
    ...(unclear && foreign.trim() !== '' ? [breach('IS_FOREIGN', 'must be the text true or false', 6077)] : []),
  ]
}

/** Only keys of the order type, all that it demands, contents that can be right. */
export const propertiesFit: Rule = ({ orderProperties: given }, { orderType }) => {
  if (given === undefined) return missingBreaches({}, orderType)
  if (!isMembers(given)) return []
  const keys = Object.keys(given)
  if (keys.length === 0)
    return [violation('orderProperties', 'must be neither empty nor null: omit it if there is none', 6076)]
  return [...keyBreaches(keys, orderType), ...missingBreaches(given, orderType), ...contentBreaches(given)]
}

export function remarksOnProperties(given: unknown): readonly string[] {
  if (!isMembers(given)) return []
  return Object.keys(given)
    .filter((key) => factsOf(key)?.DEFAULT === '?')
    .map((key) => `orderProperties ${key}: the specification does not show which orders use it; it is sent as it is`)
}

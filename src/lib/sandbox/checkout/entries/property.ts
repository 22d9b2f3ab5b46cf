/**
 * Order properties at the checkout page. Hidden ones do not exist here; those that are not editable are read from the order,
 * whatever a form says; what the payer changed is judged by the contract's own rules.
 */

import { createOrder } from '../../../contract/order/order.ts'
import { type OrderProperty, orderProperties, orderPropertyNames } from '../../../contract/order/property.ts'
import { validate } from '../../../contract/validate.ts'
import type { OrderRow } from '../../../store/sandbox/schema.ts'
import { orderRequest } from '../../ledger/accepted.ts'
import { propertiesOf } from '../../orders/choice.ts'
import type { Integrator } from '../../world/integrator.ts'
import type { TextKey } from '../pages/texts/texts.ts'

/** The properties that a payer may see. */
export type VisibleProperty = Exclude<
  OrderProperty,
  'SERVICE_PROVIDER_CODE' | 'SERVICE_CODE' | 'INTEGRATOR_PRODUCT_NAME'
>

export interface ShownProperty {
  readonly key: VisibleProperty
  readonly value: string
  readonly editable: boolean
}

function isVisible(key: OrderProperty): key is VisibleProperty {
  return !orderProperties[key].hidden
}

export function shownProperties(order: OrderRow): readonly ShownProperty[] {
  const asked = orderRequest(order).orderProperties ?? {}
  const values = propertiesOf(order)
  return orderPropertyNames.filter(isVisible).flatMap((key) => {
    const value = values.get(key)
    return value === undefined ? [] : [{ key, value, editable: asked[key]?.isEditable === 'true' }]
  })
}

export const propertyField = (key: VisibleProperty) => `property-${key}`

export interface EnteredProperties {
  /** The editable properties as the payer has left them. */
  readonly properties: Readonly<Partial<Record<OrderProperty, string>>>
  readonly wrong: readonly { readonly key: VisibleProperty; readonly why: TextKey }[]
}

function whyWrong(key: VisibleProperty, value: string): TextKey {
  if (value === '') return key === 'IS_FOREIGN' ? 'wrongChoice' : 'empty'
  return key === 'PERSONAL_NUMBER' ? 'wrongIdentity' : 'wrongValue'
}

/** Reads the editable properties of a form. A field that it leaves out stays as it was. */
export function enteredProperties(order: OrderRow, integrator: Integrator, typed: URLSearchParams): EnteredProperties {
  const editable = shownProperties(order).filter((each) => each.editable)
  const values = new Map(editable.map(({ key, value }) => [key, (typed.get(propertyField(key)) ?? value).trim()]))
  const request = orderRequest(order)
  const asked = request.orderProperties ?? {}
  const changed = Object.entries(asked).map(([key, property]) => {
    return [key, { ...property, value: values.get(key as VisibleProperty) ?? property.value }]
  })
  if (changed.length === 0) return { properties: {}, wrong: [] }
  const { permissions, orderType } = integrator
  // As of the moment the order was made: its other fields were judged then.
  const circumstances = { permits: new Set(permissions), orderType, now: order.created }
  const judged = validate(createOrder, { ...request, orderProperties: Object.fromEntries(changed) }, circumstances)
  const complaints = judged.ok ? [] : judged.violations.filter(({ field }) => field === 'orderProperties')
  const wrong = editable.flatMap(({ key }) => {
    const about = complaints.some(({ within }) => within[0] === key)
    return about ? [{ key, why: whyWrong(key, values.get(key) ?? '') }] : []
  })
  const properties = Object.fromEntries(values)
  const [first] = editable
  // A value of the payer can make a field wrong that only the integrator may write: IS_FOREIGN and the number.
  if (complaints.length > 0 && wrong.length === 0 && first) {
    return { properties, wrong: [{ key: first.key, why: 'wrongValue' }] }
  }
  return { properties, wrong }
}

/** Terms of an order as it was accepted: those of the request, and those that follow from the integrator's configuration. */
import { unpaidOrderLifetime } from '../../contract/assumed.ts'
import { momentOfValidUntil } from '../../contract/date.ts'
import type { OrderRequest } from '../../contract/order/order.ts'
import type { OrderRow } from '../../store/sandbox/schema.ts'
import type { Integrator } from '../world/integrator.ts'
import type { Terms } from './money.ts'

export function termsOf(order: OrderRow): Terms {
  return {
    currency: order.currency,
    acquiringCurrency: order.acquiring_currency,
    distributionCurrency: order.distribution_currency,
    commissionType: order.commission_type,
  }
}

export interface Accepted extends Terms {
  readonly validUntil: number | null
  /** The time at which it expires if it is not paid. */
  readonly expires: number
}

/** The terms of the request, else those of the integrator's configuration. */
export function accepted(request: OrderRequest, { defaults }: Integrator, now: number): Accepted {
  const validUntil = request.validUntil === undefined ? null : momentOfValidUntil(request.validUntil)
  return {
    currency: request.currency ?? 'GEL',
    acquiringCurrency: request.acquiringCurrency ?? defaults.acquiringCurrency,
    distributionCurrency: request.distributionCurrency ?? defaults.distributionCurrency,
    commissionType: request.commissionType ?? defaults.commissionType,
    validUntil,
    expires: validUntil ?? now + unpaidOrderLifetime * 1000,
  }
}

/** The rules of the single fields of an order (specification B1), and the codes in use for providers (service.md#providers). */

import { orderSumCodes, sum } from '../core/money-rule.ts'
import { oneOf, text } from '../core/scalar.ts'
import { currencies } from '../payout/currencies.ts'
import { momentOfValidUntil } from './valid-until.ts'

/** 0 passes here: whether it must be 0 depends on the plan. */
export const orderAmount = sum(orderSumCodes, 'zero too')

export const orderCurrency = oneOf(currencies)
export const mainReceiverType = oneOf(['BRANCH'])
export const tipReceiverType = oneOf(['BRANCH', 'USER'])
export const language = oneOf(['EN', 'IT', 'KA'])
export const commissionType = oneOf(['SENDER', 'RECEIVER', 'BOTH'])

export const validUntil = text.refine((value) => momentOfValidUntil(value) !== null, {
  error: 'must be a moment of the calendar, yyyy-MM-dd HH:mm:ss in Tbilisi time, or ISO 8601 with a zone',
})

/** The four ways to pre-select how the payer pays: at most one of them is sent. */
export const providerFields = [
  'directLinkProvider',
  'openBankingLinkProvider',
  'cryptoPaymentProvider',
  'installmentPaymentProvider',
] as const

export type ProviderField = (typeof providerFields)[number]

/** Codes seen in use. The lists are the service's to change, so any other text passes. */
export const providersInUse = {
  directLinkProvider: ['BOG', 'TBC', 'CREDO', 'DEFAULT'],
  openBankingLinkProvider: ['TBC', 'BOG', 'CREDO', 'LB'],
  cryptoPaymentProvider: ['CITYPAY'],
  installmentPaymentProvider: ['CREDO'],
} as const satisfies Record<ProviderField, readonly string[]>

/**
 * The fields of a new order (specification B1), and pre-authorisation, which the specification does not name
 * (service.md#pre-authorisation).
 */
import { z } from 'zod'
import type { AskedSum } from '../answer.ts'
import { orderBreach } from '../assumed.ts'
import { field, oneOfForm, someTextForm, sumOrZeroForm } from '../core/field.ts'
import { isMembers, type Members } from '../core/members.ts'
import {
  freeText,
  isIdentityNumber,
  oneOf,
  orderSumCodes,
  sum,
  text,
  uuidV4,
  webAddress,
  yesOrNo,
} from '../core/rules.ts'
import { momentOfValidUntil, tidyValidUntil, validUntilForm } from '../date.ts'
import { type Rule, violation } from '../operation.ts'
import { currencies } from '../payout/request.ts'
import { amountFitsPlan, planMembers, planSavesCard, planStartsInTime } from './plan.ts'
import { orderPropertyNames, propertiesFit, propertyMap, propertyMembers, remarksOnProperties } from './property.ts'
import { recipient, splitFits, splitHasNoEmptyPart } from './split.ts'

/** Whether it must be 0 depends on the plan. */
export const orderAmount = sum(orderSumCodes, 'zero too')

export const orderCurrency = oneOf(currencies)
export const mainReceiverType = oneOf(['BRANCH'])
export const tipReceiverType = oneOf(['BRANCH', 'USER'])
export const language = oneOf(['EN', 'IT', 'KA'])
export const commissionType = oneOf(['SENDER', 'RECEIVER', 'BOTH'])

export const validUntil = text.refine((value) => momentOfValidUntil(value) !== null, {
  error: 'must be a moment of the calendar, yyyy-MM-dd HH:mm:ss in Tbilisi time, or ISO 8601 with a zone',
})

/** At most one of them is sent. */
export const providerFields = [
  'directLinkProvider',
  'openBankingLinkProvider',
  'cryptoPaymentProvider',
  'installmentPaymentProvider',
] as const

export type ProviderField = (typeof providerFields)[number]

/** Codes seen in use; any other text passes. */
export const providersInUse = {
  directLinkProvider: ['BOG', 'TBC', 'CREDO', 'DEFAULT'],
  openBankingLinkProvider: ['TBC', 'BOG', 'CREDO', 'LB'],
  cryptoPaymentProvider: ['CITYPAY'],
  installmentPaymentProvider: ['CREDO'],
} as const satisfies Record<ProviderField, readonly string[]>

const permitted = 'needs a permission of the service'
const parts = recipient(orderSumCodes, 'zero too')

export const integratorId = field(uuidV4, {
  help: 'your identity at the service; filled in from the profile',
  about: 'your identity at the service',
  filled: (identity) => identity,
})

export const newOrder = z.strictObject({
  amount: field(orderAmount, {
    help: 'how much, greater than 0 with up to 2 decimals; 0 with a subscription plan',
    question: 'How much is to be paid?',
    schema: sumOrZeroForm,
    example: '12.50',
  }),
  receiverId: field(uuidV4, {
    help: 'who is paid, a UUID given by the service',
    question: 'Which shop is paid? Its id, a UUID that the service gave.',
  }),
  receiverType: field(mainReceiverType, {
    help: 'kind of the receiver: BRANCH, filled in',
    about: 'kind of the receiver',
    breachCode: 6024,
    filled: () => 'BRANCH',
  }),
  integratorId,
  integratorOrderId: field(uuidV4, {
    help: 'your id of this order, a UUID v4; generated if omitted',
    about: 'your id of this order, a UUID v4',
    made: true,
  }),
  currency: field(orderCurrency.optional(), {
    help: 'currency shown to the payer; GEL when not given',
    breachCode: 6027,
    example: 'GEL',
  }),
  acquiringCurrency: field(orderCurrency.optional(), {
    help: `currency taken from the payer's card; ${permitted}`,
    breachCode: 6029,
    permission: 'currencies',
  }),
  distributionCurrency: field(orderCurrency.optional(), {
    help: `currency paid to the receiver; ${permitted}`,
    breachCode: 6028,
    permission: 'currencies',
  }),
  tipReceiverId: field(uuidV4.optional(), {
    help: `who gets the tip, a UUID given by the service; ${permitted}`,
    permission: 'additional',
  }),
  tipReceiverType: field(tipReceiverType.optional(), {
    help: `kind of the tip receiver; ${permitted}`,
    permission: 'additional',
  }),
  successRedirectUri: field(webAddress.optional(), {
    help: `where the payer is sent after success; ${permitted}`,
    permission: 'redirect',
    example: 'https://example.com/paid',
  }),
  failRedirectUri: field(webAddress.optional(), {
    help: `where the payer is sent after failure; ${permitted}`,
    permission: 'redirect',
    example: 'https://example.com/not-paid',
  }),
  callbackUri: field(webAddress.optional(), {
    help: `address the service calls when the payment completes; ${permitted}`,
    permission: 'callback',
    example: 'https://example.com/callback',
  }),
  directLinkProvider: field(freeText.optional(), {
    help: `pre-select card payment at this bank, or the receiver's own with DEFAULT; ${permitted}`,
    permission: 'provider',
    suggestions: providersInUse.directLinkProvider,
    asked: ({ saveCard }) => saveCard === 'true',
  }),
  openBankingLinkProvider: field(freeText.optional(), {
    help: `pre-select open banking at this bank; ${permitted}`,
    permission: 'provider',
    suggestions: providersInUse.openBankingLinkProvider,
  }),
  cryptoPaymentProvider: field(freeText.optional(), {
    help: `pre-select payment in cryptocurrency; ${permitted}`,
    permission: 'provider',
    suggestions: providersInUse.cryptoPaymentProvider,
  }),
  installmentPaymentProvider: field(freeText.optional(), {
    help: `pre-select payment by installments; ${permitted}`,
    permission: 'provider',
    suggestions: providersInUse.installmentPaymentProvider,
  }),
  personalNumber: field(freeText.optional(), {
    help: "payer's identification number, 9 or 11 digits for Georgian citizens; required with an installment provider",
    schema: someTextForm,
    asked: ({ installmentPaymentProvider }) => installmentPaymentProvider !== undefined,
    example: '01001000001',
  }),
  isForeign: field(yesOrNo.optional(), {
    help: 'whether the payer is a foreign citizen; required with an installment provider',
    asked: ({ installmentPaymentProvider }) => installmentPaymentProvider !== undefined,
  }),
  validUntil: field(validUntil.optional(), {
    help: `until when payment may be tried, yyyy-MM-dd HH:mm:ss in Tbilisi time, or ISO 8601 with a zone; ${permitted}`,
    permission: 'validUntil',
    tidy: tidyValidUntil,
    schema: validUntilForm,
    example: '2099-12-31 23:59:59',
  }),
  language: field(language.optional(), {
    help: "language of the checkout page; the receiver's own when not given",
  }),
  commissionType: field(commissionType.optional(), { help: 'who pays the commission' }),
  saveCard: field(yesOrNo.optional(), {
    help: `save the card after a successful payment; with a direct-link provider; ${permitted}`,
    permission: 'saveCard',
  }),
  cardToken: field(uuidV4.optional(), {
    help: `token of a saved card, which is charged at once; ${permitted}`,
    permission: 'cardToken',
    secret: true,
  }),
  subscriptionPlan: field(planMembers.optional(), {
    help: `schedule on which the saved card is charged; with amount 0 and a saved card; ${permitted}`,
    json: 'object',
    members: planMembers,
    permission: 'plan',
  }),
  splitDetails: field(parts.array().optional(), {
    help: `who gets which part, at least two recipients, the order's own receiver among them; ${permitted}`,
    json: 'list',
    members: parts,
    schema: { minItems: 2 },
    permission: 'split',
  }),
  orderProperties: field(propertyMap.optional(), {
    help: 'what the order type demands besides: a map from keys to { value, isEditable }',
    json: 'map',
    members: propertyMembers,
    schema: { minProperties: 1, propertyNames: oneOfForm(orderPropertyNames) },
    breachCode: 6077,
  }),
  payWithPreAuth: field(yesOrNo.optional(), {
    help: 'only block the amount until `order complete` captures it; not in the specification',
    about: 'block the amount only, until it is taken by a completion; not in the specification',
  }),
})

const existingId = field(uuidV4, { help: 'your id of the order, a UUID v4' })

export const oneOrder = z.strictObject({ integratorId, integratorOrderId: existingId })

export const completion = oneOrder.extend({
  amount: field(sum(orderSumCodes), {
    help: 'amount to capture, greater than 0 with up to 2 decimals',
    example: '12.50',
  }),
})

const oneProviderAtMost: Rule = (request) => {
  const [first, ...more] = providerFields.filter((name) => request[name] !== undefined)
  return more.map((name) => violation(name, `or ${first}: give one provider, not both`, 6034))
}

const savingNeedsCardPayment: Rule = ({ saveCard, directLinkProvider }) =>
  saveCard === 'true' && directLinkProvider === undefined
    ? [violation('directLinkProvider', 'is required to save the card', 6091)]
    : []

const installmentNamesPayer: Rule = ({ installmentPaymentProvider, personalNumber, isForeign }) => {
  if (installmentPaymentProvider === undefined) return []
  const why = 'is required together with an installment provider'
  return [
    ...(personalNumber === undefined ? [violation('personalNumber', why, 6070)] : []),
    ...(isForeign === undefined ? [violation('isForeign', why, orderBreach)] : []),
  ]
}

const georgianPersonalNumber: Rule = ({ personalNumber, isForeign }) =>
  typeof personalNumber !== 'string' ||
  personalNumber.trim() === '' ||
  isForeign === 'true' ||
  isIdentityNumber(personalNumber)
    ? []
    : [violation('personalNumber', 'must be 9 or 11 digits, unless isForeign is true', orderBreach)]

const validInFuture: Rule = ({ validUntil }, { now }) => {
  const until = typeof validUntil === 'string' ? momentOfValidUntil(validUntil) : null
  return until !== null && until <= now ? [violation('validUntil', 'must be in the future', 6035)] : []
}

export const orderRules: readonly Rule[] = [
  amountFitsPlan,
  oneProviderAtMost,
  savingNeedsCardPayment,
  installmentNamesPayer,
  georgianPersonalNumber,
  validInFuture,
  planSavesCard,
  planStartsInTime,
  splitHasNoEmptyPart,
  splitFits,
  propertiesFit,
]

function remarksOnProviders(request: Members): readonly string[] {
  return providerFields.flatMap((name) => {
    const code = request[name]
    const known: readonly string[] = providersInUse[name]
    if (typeof code !== 'string' || known.includes(code)) return []
    const notHere = `${name} ${code} is not among the codes known here (${known.join(', ')})`
    return [`${notHere}${ofOtherFields(code)}; it is sent as it is`]
  })
}

/** A bank offers open banking, and no page for cards. */
function ofOtherFields(code: string): string {
  const fields = providerFields.filter((name) => providersInUse[name].some((known) => known === code))
  return fields.length === 0 ? '' : `, but among those of ${fields.join(' and ')}`
}

/** The specification does not say that they belong together. */
function remarksOnTip({ tipReceiverId, tipReceiverType }: Members): readonly string[] {
  if ((tipReceiverId === undefined) === (tipReceiverType === undefined)) return []
  const [given, missing] =
    tipReceiverId === undefined ? ['tipReceiverType', 'tipReceiverId'] : ['tipReceiverId', 'tipReceiverType']
  return [`${given} is given without ${missing}: the service may not know who gets the tip`]
}

export function orderRemarks(request: Members): readonly string[] {
  return [...remarksOnTip(request), ...remarksOnProviders(request), ...remarksOnProperties(request.orderProperties)]
}

/** With a plan the amount is 0, and an answer may repeat either. */
function amountsOf({ amount, subscriptionPlan }: Members): readonly unknown[] {
  return isMembers(subscriptionPlan) ? [amount, subscriptionPlan.amount] : [amount]
}

/** A status names it in another member than a request. */
const inCurrency = (currency: unknown) => ({ currency: [currency], initialCurrency: [currency] })

export function sumOfOrder(request: Members): AskedSum {
  const { receiverId = null, cardToken = null } = request
  return {
    ...{ amount: amountsOf(request), ...inCurrency(request.currency ?? 'GEL') },
    ...(receiverId === null ? {} : { receiverId: [receiverId] }),
    ...(cardToken === null ? {} : { cardToken: [cardToken] }),
  }
}

/**
 * `acquiringAmount` is the service's to decide. A pre-authorised order may be completed with less, so its amount is not
 * compared either.
 */
export function sumOfOrderShown(request: Members): AskedSum {
  const { payWithPreAuth, currency } = request
  const amount = payWithPreAuth === 'true' ? {} : { amount: amountsOf(request) }
  return { ...amount, ...inCurrency(currency ?? 'GEL') }
}

/** The request names no currency: that of the order counts. */
export function sumOfPart({ amount, currency }: Members): AskedSum {
  return { amount: [amount], ...(currency ? inCurrency(currency) : {}) }
}

/** Any with a tip, which its payer names, and with a plan (null). */
export function paidSum({ amount, subscriptionPlan, tipReceiverId }: Members): unknown {
  return isMembers(subscriptionPlan) || tipReceiverId != null ? null : amount
}

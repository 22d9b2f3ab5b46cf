/**
 * The fields of a new order in the order of the specification (B1), and pre-authorisation, which it does not name
 * (service.md#pre-authorisation).
 */
import { z } from 'zod'
import { strictSplit } from '../assumed.ts'
import { field } from '../core/field.ts'
import { oneOfForm, someTextForm, sumForm, sumOrZeroForm, webForm } from '../core/form.ts'
import { orderSumCodes, sum } from '../core/money-rule.ts'
import { freeText, tidyUuid, trimmed, uuidV4, webAddress, yesOrNo } from '../core/scalar.ts'
import * as rule from './fields.ts'
import { planMembers } from './plan.ts'
import { orderPropertyNames, propertyMap, propertyMembers } from './property.ts'
import { recipient } from './split.ts'
import { tidyValidUntil, validUntilForm } from './valid-until.ts'

const permitted = 'needs a permission of the service'
const parts = recipient(orderSumCodes, 'zero too')

export const integratorId = field(uuidV4, {
  help: 'your identity at the service; filled in from the profile',
  about: 'your identity at the service',
  filled: (identity) => identity,
  tidy: tidyUuid,
})

export const newOrder = z.strictObject({
  amount: field(rule.orderAmount, {
    help: 'how much, greater than 0 with up to 2 decimals; 0 with a subscription plan',
    question: 'How much is to be paid? 0 with a subscription plan.',
    json: 'number',
    schema: sumOrZeroForm,
    example: '12.50',
  }),
  receiverId: field(uuidV4, {
    help: 'who is paid, a UUID given by the service',
    question: 'Who is paid? A UUID, given by the service.',
    tidy: tidyUuid,
  }),
  receiverType: field(rule.mainReceiverType, {
    help: 'kind of the receiver: BRANCH, filled in',
    about: 'kind of the receiver',
    breachCode: 6024,
    filled: () => 'BRANCH',
  }),
  integratorId,
  integratorOrderId: field(uuidV4, {
    help: 'your id of this order, a UUID v4; made when not given',
    about: 'your id of this order, a UUID v4',
    made: true,
    tidy: tidyUuid,
  }),
  currency: field(rule.orderCurrency.optional(), {
    help: 'currency shown to the payer; GEL when not given',
    breachCode: 6027,
    example: 'GEL',
  }),
  acquiringCurrency: field(rule.orderCurrency.optional(), {
    help: `currency taken from the payer's card; ${permitted}`,
    breachCode: 6029,
    permission: 'currencies',
  }),
  distributionCurrency: field(rule.orderCurrency.optional(), {
    help: `currency paid to the receiver; ${permitted}`,
    breachCode: 6028,
    permission: 'currencies',
  }),
  tipReceiverId: field(uuidV4.optional(), {
    help: `who gets the tip, a UUID given by the service; ${permitted}`,
    permission: 'additional',
    tidy: tidyUuid,
  }),
  tipReceiverType: field(rule.tipReceiverType.optional(), {
    help: `kind of the tip receiver; ${permitted}`,
    permission: 'additional',
  }),
  successRedirectUri: field(webAddress.optional(), {
    help: `where the payer is sent after success; ${permitted}`,
    permission: 'redirect',
    tidy: trimmed,
    schema: webForm,
    example: 'https://example.com/paid',
  }),
  failRedirectUri: field(webAddress.optional(), {
    help: `where the payer is sent after failure; ${permitted}`,
    permission: 'redirect',
    tidy: trimmed,
    schema: webForm,
    example: 'https://example.com/not-paid',
  }),
  callbackUri: field(webAddress.optional(), {
    help: `address the service calls when the payment completes; ${permitted}`,
    permission: 'callback',
    tidy: trimmed,
    schema: webForm,
    example: 'https://example.com/callback',
  }),
  directLinkProvider: field(freeText.optional(), {
    help: `pre-select card payment at this bank, or the receiver's own with DEFAULT; ${permitted}`,
    permission: 'provider',
    suggestions: rule.providersInUse.directLinkProvider,
    asked: ({ saveCard }) => saveCard === 'true',
  }),
  openBankingLinkProvider: field(freeText.optional(), {
    help: `pre-select open banking at this bank; ${permitted}`,
    permission: 'provider',
    suggestions: rule.providersInUse.openBankingLinkProvider,
  }),
  cryptoPaymentProvider: field(freeText.optional(), {
    help: `pre-select payment in cryptocurrency; ${permitted}`,
    permission: 'provider',
    suggestions: rule.providersInUse.cryptoPaymentProvider,
  }),
  installmentPaymentProvider: field(freeText.optional(), {
    help: `pre-select payment by installments; ${permitted}`,
    permission: 'provider',
    suggestions: rule.providersInUse.installmentPaymentProvider,
  }),
  personalNumber: field(freeText.optional(), {
    help: "payer's identification number, 9 or 11 digits for Georgian citizens; required with an installment provider",
    schema: someTextForm,
    asked: ({ installmentPaymentProvider }) => installmentPaymentProvider !== undefined,
    example: '01001000001',
  }),
  isForeign: field(yesOrNo.optional(), {
    help: 'whether the payer is a foreign citizen; required with an installment provider',
    json: 'boolean',
    asked: ({ installmentPaymentProvider }) => installmentPaymentProvider !== undefined,
  }),
  validUntil: field(rule.validUntil.optional(), {
    help: `until when payment may be tried, yyyy-MM-dd HH:mm:ss in Tbilisi time, or ISO 8601 with a zone; ${permitted}`,
    permission: 'validUntil',
    tidy: tidyValidUntil,
    schema: validUntilForm,
    example: '2099-12-31 23:59:59',
  }),
  language: field(rule.language.optional(), {
    help: "language of the checkout page; the receiver's own when not given",
  }),
  commissionType: field(rule.commissionType.optional(), { help: 'who pays the commission' }),
  saveCard: field(yesOrNo.optional(), {
    help: `save the card after a successful payment; with a direct-link provider; ${permitted}`,
    json: 'boolean',
    permission: 'saveCard',
  }),
  cardToken: field(uuidV4.optional(), {
    help: `token of a saved card, which is charged at once; ${permitted}`,
    permission: 'cardToken',
    secret: true,
    tidy: tidyUuid,
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
    schema: strictSplit ? { minItems: 2 } : { minItems: 1 },
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
    help: 'block the amount only, until `order complete` takes it; not in the specification',
    about: 'block the amount only, until it is taken by a completion; not in the specification',
    json: 'boolean',
  }),
})

const existingId = field(uuidV4, { help: 'your id of the order, a UUID v4', tidy: tidyUuid })

/** An order that is there already. */
export const oneOrder = z.strictObject({ integratorId, integratorOrderId: existingId })

export const completion = oneOrder.extend({
  amount: field(sum(orderSumCodes), {
    help: 'how much to take, greater than 0 with up to 2 decimals',
    json: 'number',
    schema: sumForm,
    example: '12.50',
  }),
})

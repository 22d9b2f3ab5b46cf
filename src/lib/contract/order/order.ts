/** Area B of the specification: orders. Create (B1), status (B2), cancel (B3); complete (service.md#pre-authorisation). */
import { z } from 'zod'
import { amountReceived, scalarReceived, textReceived } from '../answer.ts'
import { argumentBreach, completedStatus, orderBreach } from '../assumed.ts'
import { field } from '../core/field.ts'
import { orderSumCodes, sum } from '../core/money-rule.ts'
import { tidyUuid, uuidV4 } from '../core/scalar.ts'
import type { ReadOperation, WriteOperation } from '../operation.ts'
import { doneIn, usualProof } from '../proof.ts'
import { charge, lookFirst, never } from '../repeats.ts'
import { checkoutRemarks } from './checkout-address.ts'
import { planPrice } from './plan.ts'
import { integratorId, newOrder } from './request.ts'
import { orderRemarks, orderRules } from './rules.ts'
import { orderStatusFacts, orderStatusReceived } from './status.ts'

const integratorOrderId = field(uuidV4, { help: 'your id of the order, a UUID v4', tidy: tidyUuid })

const oneOrder = z.strictObject({ integratorId, integratorOrderId })

const changed = z.looseObject({ integratorOrderId: z.string(), status: orderStatusReceived })

export const createOrder = {
  name: 'order.create',
  area: 'B',
  section: 'B1',
  summary: 'create an order that a payer pays',
  effect: 'write',
  method: 'POST',
  path: '/api/integrator/order',
  carriedIn: 'body',
  wire: 'sealed',
  request: newOrder,
  rules: orderRules,
  breachCode: orderBreach,
  remarks: orderRemarks,
  permission: 'create',
  answer: z.looseObject({
    integratorOrderId: z.string(),
    urlForQR: textReceived,
    status: orderStatusReceived.nullish(),
  }),
  wrapped: false,
  idField: 'integratorOrderId',
  duplicateCode: 6023,
  repeats: ({ cardToken }) => (cardToken === undefined ? never : charge),
  proof: {
    ...usualProof,
    echoes: ['integratorOrderId'],
    // The documented answer has no status; a charge that was declined at once has made its order all the same.
    isDone: (status) => status === null || orderStatusFacts(status) !== null,
    remarks: ({ cardToken }, { urlForQR }) => checkoutRemarks(cardToken === undefined, urlForQR),
  },
  moves: ({ receiverId, amount, currency, cardToken, subscriptionPlan }) => ({
    // An order that a payer has yet to pay is no twin of a charge.
    payee: `BRANCH ${receiverId}${cardToken === undefined ? '' : ' by a saved card'}`,
    amount: String(amount),
    currency: currency === undefined ? 'GEL' : String(currency),
    price: planPrice({ currency, subscriptionPlan }),
    guarded: cardToken !== undefined,
  }),
} as const satisfies WriteOperation

export const orderStatus = {
  name: 'order.status',
  area: 'B',
  section: 'B2, service.md#orders',
  summary: 'read how far an order is',
  effect: 'read',
  showsPayment: true,
  method: 'GET',
  path: '/api/integrator/order/status',
  carriedIn: 'query',
  wire: 'sealed',
  request: oneOrder,
  rules: [],
  breachCode: argumentBreach,
  answer: z.looseObject({
    integratorOrderId: z.string(),
    status: orderStatusReceived,
    initialCurrency: z.string().nullish(),
    acquiringCurrency: z.string().nullish(),
    acquiringAmount: amountReceived.nullish(),
    transactionId: scalarReceived.nullish(),
  }),
  wrapped: false,
} as const satisfies ReadOperation

export const cancelOrder = {
  name: 'order.cancel',
  area: 'B',
  section: 'B3, service.md#orders',
  summary: 'cancel an order that is not paid yet',
  effect: 'write',
  method: 'DELETE',
  path: '/api/integrator/order/cancel',
  carriedIn: 'query',
  wire: 'sealed',
  request: oneOrder,
  rules: [],
  breachCode: argumentBreach,
  answer: changed,
  wrapped: false,
  idField: 'integratorOrderId',
  duplicateCode: null,
  repeats: () => lookFirst,
  proof: { ...usualProof, echoes: ['integratorOrderId'], isDone: doneIn('CANCELED'), askedAgain: 'read' },
  moves: (request) => ({ payee: `order ${request.integratorOrderId}`, amount: null, currency: null, guarded: false }),
} as const satisfies WriteOperation

export const completeOrder = {
  name: 'order.complete',
  area: 'B',
  section: 'service.md#pre-authorisation',
  summary: 'take the amount that a pre-authorised order has blocked',
  effect: 'write',
  method: 'POST',
  path: '/api/integrator/order/complete',
  carriedIn: 'body',
  wire: 'sealed',
  request: z.strictObject({
    integratorId,
    integratorOrderId,
    amount: field(sum(orderSumCodes), {
      help: 'how much to take, greater than 0 with up to 2 decimals',
      json: 'number',
      example: '12.50',
    }),
  }),
  rules: [],
  breachCode: argumentBreach,
  answer: changed,
  wrapped: false,
  idField: 'integratorOrderId',
  duplicateCode: null,
  repeats: () => never,
  proof: { ...usualProof, echoes: ['integratorOrderId'], isDone: doneIn(completedStatus) },
  moves: (request) => ({
    payee: `order ${request.integratorOrderId}`,
    amount: String(request.amount),
    currency: null,
    guarded: false,
  }),
} as const satisfies WriteOperation

export type OrderRequest = z.output<typeof newOrder>

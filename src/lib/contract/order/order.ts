/** Area B of the specification: orders. Create (B1), status (B2), cancel (B3); complete (service.md#pre-authorisation). */
import { z } from 'zod'
import { hint } from '../../hint.ts'
import { amountReceived, orderStatusReceived, scalarReceived, textReceived } from '../answer.ts'
import { argumentBreach, completedStatus, orderBreach } from '../assumed.ts'
import { always, oneOfForm, sometimes, sumForm, textForm, uuidForm, webForm, wholeForm } from '../core/field.ts'
import { usualEvidence } from '../evidence.ts'
import { doneIn, type ReadOperation, usualProof, type WriteOperation } from '../operation.ts'
import { currencies } from '../payout/request.ts'
import { charge, lookFirst, never } from '../repeats.ts'
import { sumOfOrder, sumOfOrderShown, sumOfPart } from './asked-sum.ts'
import { cancellationEvidence, completionEvidence, creationEvidence } from './evidence.ts'
import { planPrice } from './plan.ts'
import { completion, newOrder, oneOrder, orderRemarks, orderRules } from './request.ts'
import { notYetEndedRemark, orderPayment, orderStatusFacts, orderStatusForm } from './status.ts'

export const orderChangeReceived = z.looseObject({ integratorOrderId: z.string(), status: orderStatusReceived })

export const orderChangedForms = { integratorOrderId: always(uuidForm), status: always(orderStatusForm) }

export const orderReceived = z.looseObject({
  integratorOrderId: z.string(),
  status: orderStatusReceived,
  initialCurrency: z.string().nullish(),
  acquiringCurrency: z.string().nullish(),
  acquiringAmount: amountReceived.nullish(),
  transactionId: scalarReceived.nullish(),
})

/** All but the first two are recorded, and not documented. */
export const orderForms = {
  ...orderChangedForms,
  report: sometimes(textForm),
  initialCurrency: sometimes(oneOfForm(currencies)),
  acquiringCurrency: sometimes(oneOfForm(currencies)),
  acquiringAmount: sometimes(sumForm),
  transactionId: sometimes(wholeForm),
}

export const orderCreatedReceived = z.looseObject({
  integratorOrderId: z.string(),
  urlForQR: textReceived,
  status: orderStatusReceived.nullish(),
})

/** A charge that was recorded has no address; a status was not seen. */
export const orderCreatedForms = { integratorOrderId: always(uuidForm), urlForQR: sometimes(webForm) }

/** The checkout address of a new order: where its payer is sent. Only an address of the web is one. */
/** The address as it came, null where it is none of the web: opening any other text of the answer could start any program. */
export function checkoutAddress(urlForQR: unknown): string | null {
  if (typeof urlForQR !== 'string' || !URL.canParse(urlForQR)) return null
  return ['http:', 'https:'].includes(new URL(urlForQR).protocol) ? urlForQR : null
}

/** The remark on the address of an order that a payer is to pay; a charged card needs none. */
export function checkoutRemarks(hasPayer: boolean, urlForQR: unknown): readonly string[] {
  if (checkoutAddress(urlForQR) !== null) return []
  if (Array.isArray(urlForQR)) {
    return [`the answer names addresses for the payer that differ, and none is shown: ${JSON.stringify(urlForQR)}`]
  }
  if (typeof urlForQR === 'string' && urlForQR.trim() !== '') {
    return [`the answer names no web address for the payer, and it is not shown as one: ${JSON.stringify(urlForQR)}`]
  }
  return hasPayer ? ['the answer names no checkout address (urlForQR), so no payer can be sent to this order'] : []
}

export const orderStatus = {
  name: 'order.status',
  area: 'B',
  section: 'B2, service.md#orders',
  summary: 'read how far an order is',
  effect: 'read',
  showsPayment: true,
  thing: { about: 'order', id: 'integratorOrderId' },
  gives: null,
  unknownObject: { statusCode: 6005, http: null, words: null },
  echoes: { integratorOrderId: 'integratorOrderId' },
  method: 'GET',
  path: '/api/integrator/order/status',
  carriedIn: 'query',
  wire: 'sealed',
  request: oneOrder,
  rules: [],
  breachCode: argumentBreach,
  permission: null,
  answer: orderReceived,
  answerForms: orderForms,
  wrapped: false,
  emptyAnswer: false,
  statuses: orderStatusFacts,
} as const satisfies ReadOperation

/** The read that is the evidence of every write about an order. */
const byStatus = { ...usualEvidence, by: orderStatus } as const

export const createOrder = {
  name: 'order.create',
  area: 'B',
  section: 'B1',
  summary: 'create an order that a payer pays',
  effect: 'write',
  label: 'Order',
  done: 'created',
  about: 'order',
  listedBy: 'id',
  method: 'POST',
  path: '/api/integrator/order',
  carriedIn: 'body',
  wire: 'sealed',
  request: newOrder,
  rules: orderRules,
  breachCode: orderBreach,
  permission: 'create',
  answer: orderCreatedReceived,
  answerForms: orderCreatedForms,
  wrapped: false,
  emptyAnswer: false,
  statuses: orderStatusFacts,
  idField: 'integratorOrderId',
  duplicateCode: 6023,
  duplicate: null,
  onlyOnce: null,
  repeats: ({ cardToken }) => (cardToken === undefined ? never : charge),
  remarks: orderRemarks,
  proof: {
    ...usualProof,
    echoes: ['integratorOrderId'],
    sum: sumOfOrder,
    // The documented answer has no status; a charge that was declined at once has made its order all the same.
    isDone: (status) => status === null || orderStatusFacts(status) !== null,
    remarks: ({ cardToken }, { urlForQR }) => checkoutRemarks(cardToken === undefined, urlForQR),
  },
  evidence: { ...byStatus, ...creationEvidence, sum: sumOfOrderShown },
  payment: orderPayment,
  statusRemark: notYetEndedRemark,
  moves: ({ receiverId, amount, currency, cardToken, subscriptionPlan }) => ({
    // An order that a payer has yet to pay is no suspected duplicate of a charge.
    payee: `BRANCH ${receiverId}${cardToken === undefined ? '' : ' by a saved card'}`,
    amount: String(amount),
    currency: currency === undefined ? 'GEL' : String(currency),
    price: planPrice({ currency, subscriptionPlan }),
    guarded: cardToken !== undefined,
  }),
} as const satisfies WriteOperation

export const cancelOrder = {
  name: 'order.cancel',
  area: 'B',
  section: 'B3, service.md#orders',
  summary: 'cancel an order that is not paid yet',
  effect: 'write',
  label: 'Cancellation',
  done: 'cancelled',
  about: 'order',
  listedBy: 'payee',
  method: 'DELETE',
  path: '/api/integrator/order/cancel',
  carriedIn: 'query',
  wire: 'sealed',
  request: oneOrder,
  rules: [],
  breachCode: argumentBreach,
  permission: null,
  answer: orderChangeReceived,
  answerForms: orderChangedForms,
  wrapped: false,
  emptyAnswer: false,
  statuses: orderStatusFacts,
  idField: 'integratorOrderId',
  duplicateCode: null,
  duplicate: null,
  onlyOnce: null,
  repeats: () => lookFirst,
  remarks: () => [],
  proof: { ...usualProof, echoes: ['integratorOrderId'], isDone: doneIn('CANCELED'), askedAgain: 'read' },
  evidence: { ...byStatus, ...cancellationEvidence },
  payment: null,
  statusRemark: () => null,
  moves: (request) => ({
    payee: `order ${request.integratorOrderId}`,
    amount: null,
    currency: null,
    price: null,
    guarded: false,
  }),
} as const satisfies WriteOperation

export const completeOrder = {
  name: 'order.complete',
  area: 'B',
  section: 'service.md#pre-authorisation',
  summary: 'take the amount that a pre-authorised order has blocked',
  effect: 'write',
  label: 'Completion',
  done: 'completed',
  about: 'order',
  listedBy: 'payee',
  method: 'POST',
  path: '/api/integrator/order/complete',
  carriedIn: 'body',
  wire: 'sealed',
  request: completion,
  rules: [],
  breachCode: argumentBreach,
  permission: null,
  answer: orderChangeReceived,
  answerForms: orderChangedForms,
  wrapped: false,
  emptyAnswer: false,
  statuses: orderStatusFacts,
  idField: 'integratorOrderId',
  duplicateCode: null,
  duplicate: null,
  onlyOnce: hint`An order is completed only once.`,
  repeats: () => never,
  remarks: () => [],
  proof: { ...usualProof, echoes: ['integratorOrderId'], sum: sumOfPart, isDone: doneIn(completedStatus) },
  evidence: { ...byStatus, ...completionEvidence, sum: sumOfPart },
  payment: null,
  statusRemark: () => null,
  moves: (request) => ({
    payee: `order ${request.integratorOrderId}`,
    amount: String(request.amount),
    currency: null,
    price: null,
    guarded: false,
  }),
} as const satisfies WriteOperation

export const orderOperations = [createOrder, orderStatus, cancelOrder, completeOrder] as const

export type OrderRequest = z.output<typeof newOrder>

/** Orders (area B): create (B1), status (B2), cancel (B3), complete (service.md#pre-authorisation). */
import { z } from 'zod'
import { hint } from '../../hint.ts'
import { amountReceived, orderStatusReceived, scalarReceived, textReceived } from '../answer.ts'
import { argumentBreach, completedStatus, orderBreach } from '../assumed.ts'
import { always, oneOfForm, sometimes, sumForm, textForm, uuidForm, webForm, wholeForm } from '../core/field.ts'
import {
  doneIn,
  endpoint,
  movement,
  type ReadOperation,
  usualEvidence,
  usualProof,
  usualRead,
  usualWrite,
  type WriteOperation,
} from '../operation.ts'
import { currencies } from '../payout/request.ts'
import { charge, lookFirst, never } from '../retry-policy.ts'
import { planPrice } from './plan.ts'
import {
  completion,
  newOrder,
  oneOrder,
  orderRemarks,
  orderRules,
  sumOfOrder,
  sumOfOrderShown,
  sumOfPart,
} from './request.ts'
import {
  cancellationEvidence,
  completionEvidence,
  creationEvidence,
  notYetEndedRemark,
  orderPayment,
  orderStatusFacts,
  orderStatusForm,
} from './status.ts'

export const changed = z.looseObject({
  integratorOrderId: always(uuidForm, z.string()),
  status: always(orderStatusForm, orderStatusReceived),
})

/** The rest is recorded, and not documented. */
const status = changed.extend({
  report: sometimes(textForm, z.unknown().optional()),
  initialCurrency: sometimes(oneOfForm(currencies), z.string().nullish()),
  acquiringCurrency: sometimes(oneOfForm(currencies), z.string().nullish()),
  acquiringAmount: sometimes(sumForm, amountReceived.nullish()),
  transactionId: sometimes(wholeForm, scalarReceived.nullish()),
})

/** A charge that was recorded has no address; a status was not seen. */
const created = z.looseObject({
  integratorOrderId: always(uuidForm, z.string()),
  urlForQR: sometimes(webForm, textReceived),
  status: orderStatusReceived.nullish(),
})

/** Null where it is none of the web: opening any other text could start any program. */
export function checkoutAddress(urlForQR: unknown): string | null {
  if (typeof urlForQR !== 'string' || !URL.canParse(urlForQR)) return null
  return ['http:', 'https:'].includes(new URL(urlForQR).protocol) ? urlForQR : null
}

/** A charged card needs no address. */
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
  ...usualRead,
  name: 'order.status',
  ...endpoint('B', 'GET', '/api/integrator/order/status'),
  section: 'B2, service.md#orders',
  summary: 'read the status of an order',
  showsPayment: true,
  thing: { about: 'order', id: 'integratorOrderId' },
  unknownObject: { statusCode: 6005, http: null, words: null },
  echoes: { integratorOrderId: 'integratorOrderId' },
  request: oneOrder,
  breachCode: argumentBreach,
  answer: status,
  statuses: orderStatusFacts,
} as const satisfies ReadOperation

const byStatus = { ...usualEvidence, by: orderStatus } as const

export const createOrder = {
  ...usualWrite,
  name: 'order.create',
  ...endpoint('B', 'POST', '/api/integrator/order'),
  section: 'B1',
  summary: 'create an order that a payer pays',
  label: 'Order',
  done: 'created',
  about: 'order',
  listedBy: 'id',
  request: newOrder,
  rules: orderRules,
  breachCode: orderBreach,
  permission: 'create',
  answer: created,
  statuses: orderStatusFacts,
  idField: 'integratorOrderId',
  duplicateCode: 6023,
  retryPolicy: ({ cardToken }) => (cardToken === undefined ? never : charge),
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
  moves: ({ receiverId, amount, currency, cardToken, subscriptionPlan }) =>
    movement(`BRANCH ${receiverId}${cardToken === undefined ? '' : ' by a saved card'}`, {
      // An order that a payer has yet to pay is no suspected duplicate of a charge.
      amount: String(amount),
      currency: currency === undefined ? 'GEL' : String(currency),
      price: planPrice({ currency, subscriptionPlan }),
      guarded: cardToken !== undefined,
    }),
} as const satisfies WriteOperation

export const cancelOrder = {
  ...usualWrite,
  name: 'order.cancel',
  ...endpoint('B', 'DELETE', '/api/integrator/order/cancel'),
  section: 'B3, service.md#orders',
  summary: 'cancel an order that is not paid yet',
  label: 'Cancellation',
  done: 'cancelled',
  about: 'order',
  request: oneOrder,
  breachCode: argumentBreach,
  answer: changed,
  statuses: orderStatusFacts,
  idField: 'integratorOrderId',
  retryPolicy: () => lookFirst,
  proof: { ...usualProof, echoes: ['integratorOrderId'], isDone: doneIn('CANCELED'), askedAgain: 'read' },
  evidence: { ...byStatus, ...cancellationEvidence },
  moves: (request) => movement(`order ${request.integratorOrderId}`),
} as const satisfies WriteOperation

export const completeOrder = {
  ...usualWrite,
  name: 'order.complete',
  ...endpoint('B', 'POST', '/api/integrator/order/complete'),
  section: 'service.md#pre-authorisation',
  summary: 'capture the amount of a pre-authorised order',
  label: 'Completion',
  done: 'completed',
  about: 'order',
  request: completion,
  breachCode: argumentBreach,
  answer: changed,
  statuses: orderStatusFacts,
  idField: 'integratorOrderId',
  onlyOnce: hint`An order is completed only once.`,
  retryPolicy: () => never,
  proof: { ...usualProof, echoes: ['integratorOrderId'], sum: sumOfPart, isDone: doneIn(completedStatus) },
  evidence: { ...byStatus, ...completionEvidence, sum: sumOfPart },
  moves: (request) => movement(`order ${request.integratorOrderId}`, { amount: String(request.amount) }),
} as const satisfies WriteOperation

export const orderOperations = [createOrder, orderStatus, cancelOrder, completeOrder] as const

export type OrderRequest = z.output<typeof newOrder>

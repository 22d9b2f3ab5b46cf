/** Subscriptions that an order has set up: their payments, and the way to end them (service.md#subscriptions). */
import { z } from 'zod'
import { amountReceived, orderStatusReceived, scalarReceived, textReceived } from './answer.ts'
import { argumentBreach, revokedStatuses } from './assumed.ts'
import { always, field, oneOfForm, someTextForm, sometimes, sumForm, textForm } from './core/field.ts'
import type { Members } from './core/members.ts'
import { isMembers } from './core/members.ts'
import { freeText, trimmed } from './core/rules.ts'
import { type ReadOperation, usualProof, type WriteOperation } from './operation.ts'
import { subscriptionStatusFacts, subscriptionStatusForm } from './order/status.ts'
import { lookFirst } from './repeats.ts'

const request = z.strictObject({
  subscriptionId: field(freeText, {
    help: "the service's id of the subscription",
    schema: someTextForm,
    tidy: trimmed,
  }),
})

const payment = z.looseObject({
  time: scalarReceived.nullish(),
  status: orderStatusReceived,
  refundTime: scalarReceived.nullish(),
  refundedAmount: amountReceived.nullish(),
  failReason: textReceived,
})

/** The list itself, or the only list of an object that holds it: which of two it is nobody could tell. */
function listIn(answer: unknown): unknown {
  const [list, ...others] = isMembers(answer) ? Object.values(answer).filter(Array.isArray) : []
  return list !== undefined && others.length === 0 ? list : answer
}

export const subscriptionHistory = {
  name: 'subscription.history',
  area: 'B',
  section: 'service.md#subscriptions',
  summary: 'read the payments of a subscription',
  effect: 'read',
  showsPayment: false,
  thing: null,
  gives: null,
  unknownObject: { statusCode: 6100, http: null, words: null },
  echoes: {},
  method: 'POST',
  path: '/api/v1/integrator/subscription/history',
  carriedIn: 'body',
  wire: 'sealed',
  request,
  rules: [],
  breachCode: argumentBreach,
  permission: null,
  answer: z.preprocess(listIn, z.array(payment)),
  answerForms: {
    time: always(textForm),
    status: always(subscriptionStatusForm),
    refundTime: always({ type: ['string', 'null'] }),
    refundedAmount: always({ ...sumForm, type: ['number', 'null'] }),
    failReason: always({ type: ['string', 'null'] }),
  },
  wrapped: false,
  emptyAnswer: false,
  statuses: subscriptionStatusFacts,
} as const satisfies ReadOperation

const bareRevocation =
  'the service answered the revocation without an error, but its answer names neither the subscription nor a status'

/** The usual answer (assumed): a success with an empty body. */
function namesNothing({ subscriptionId, status }: Members): boolean {
  return (subscriptionId ?? null) === null && (status ?? null) === null
}

export const revokeSubscription = {
  name: 'subscription.revoke',
  area: 'B',
  section: 'service.md#subscriptions',
  summary: 'end a subscription',
  effect: 'write',
  label: 'Revocation',
  done: 'revoked',
  about: 'subscription',
  listedBy: 'payee',
  method: 'POST',
  path: '/api/v1/integrator/subscription/revoke',
  carriedIn: 'body',
  wire: 'sealed',
  request,
  rules: [],
  breachCode: argumentBreach,
  permission: null,
  answer: z.looseObject({ subscriptionId: textReceived, status: orderStatusReceived.nullish() }),
  answerForms: { subscriptionId: sometimes(textForm), status: sometimes(oneOfForm(revokedStatuses)) },
  wrapped: false,
  emptyAnswer: true,
  statuses: null,
  idField: 'subscriptionId',
  duplicateCode: null,
  duplicate: null,
  onlyOnce: null,
  repeats: () => lookFirst,
  remarks: () => [],
  proof: {
    ...usualProof,
    echoes: [],
    isDone: (status) => status === null || revokedStatuses.includes(status),
    nothingElse: true,
    askedAgain: 'read',
    remarks: (_request, answer) => (namesNothing(answer) ? [bareRevocation] : []),
  },
  // No read shows whether it is still revoked: the history has the payments only, of which none may be due yet.
  evidence: null,
  payment: null,
  statusRemark: () => null,
  moves: ({ subscriptionId }) => ({
    payee: `subscription ${subscriptionId}`,
    amount: null,
    currency: null,
    price: null,
    guarded: false,
  }),
} as const satisfies WriteOperation

export const subscriptionOperations = [subscriptionHistory, revokeSubscription] as const

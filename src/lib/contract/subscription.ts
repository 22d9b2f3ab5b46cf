/** Subscriptions that an order has set up: their payments, and the way to end them (service.md#subscriptions). */
import { z } from 'zod'
import { amountReceived, orderStatusReceived, scalarReceived, textReceived } from './answer.ts'
import { argumentBreach, revokedStatuses } from './assumed.ts'
import { always, field, oneOfForm, someTextForm, sometimes, sumForm, textForm } from './core/field.ts'
import { isMembers, type Members } from './core/members.ts'
import { freeText, trimmed } from './core/rules.ts'
import {
  endpoint,
  movement,
  type ReadOperation,
  usualProof,
  usualRead,
  usualWrite,
  type WriteOperation,
} from './operation.ts'
import { subscriptionStatusFacts, subscriptionStatusForm } from './order/status.ts'
import { lookFirst } from './retry-policy.ts'

const request = z.strictObject({
  subscriptionId: field(freeText, {
    help: "the service's id of the subscription",
    schema: someTextForm,
    tidy: trimmed,
  }),
})

const payment = z.looseObject({
  time: always(textForm, scalarReceived.nullish()),
  status: always(subscriptionStatusForm, orderStatusReceived),
  refundTime: always({ type: ['string', 'null'] }, scalarReceived.nullish()),
  refundedAmount: always({ ...sumForm, type: ['number', 'null'] }, amountReceived.nullish()),
  failReason: always({ type: ['string', 'null'] }, textReceived),
})

/** The list itself, or the only list of an object. */
function listIn(answer: unknown): unknown {
  const [list, ...others] = isMembers(answer) ? Object.values(answer).filter(Array.isArray) : []
  return list !== undefined && others.length === 0 ? list : answer
}

export const subscriptionHistory = {
  ...usualRead,
  name: 'subscription.history',
  ...endpoint('B', 'POST', '/api/v1/integrator/subscription/history'),
  section: 'service.md#subscriptions',
  summary: 'read the payments of a subscription',
  unknownObject: { statusCode: 6100, http: null, words: null },
  request,
  breachCode: argumentBreach,
  answer: z.preprocess(listIn, z.array(payment)),
  statuses: subscriptionStatusFacts,
} as const satisfies ReadOperation

const bareRevocation =
  'the service answered the revocation without an error, but its answer names neither the subscription nor a status'

function namesNothing({ subscriptionId, status }: Members): boolean {
  return (subscriptionId ?? null) === null && (status ?? null) === null
}

const revoked = z.looseObject({
  subscriptionId: sometimes(textForm, textReceived),
  status: sometimes(oneOfForm(revokedStatuses), orderStatusReceived.nullish()),
})

export const revokeSubscription = {
  ...usualWrite,
  name: 'subscription.revoke',
  ...endpoint('B', 'POST', '/api/v1/integrator/subscription/revoke'),
  section: 'service.md#subscriptions',
  summary: 'end a subscription',
  label: 'Revocation',
  done: 'revoked',
  about: 'subscription',
  request,
  breachCode: argumentBreach,
  answer: revoked,
  emptyAnswer: true,
  statuses: null,
  idField: 'subscriptionId',
  retryPolicy: () => lookFirst,
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
  moves: ({ subscriptionId }) => movement(`subscription ${subscriptionId}`),
} as const satisfies WriteOperation

export const subscriptionOperations = [subscriptionHistory, revokeSubscription] as const

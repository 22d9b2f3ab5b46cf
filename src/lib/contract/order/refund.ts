/** Refund of an order, version 2 (service.md#refunds; not in the specification). */
import { z } from 'zod'
import { field, sometimes } from '../core/field.ts'
import { entriesOf, isMembers } from '../core/members.ts'
import { oneCode, oneOf, sum, unitsOf, uuidV4 } from '../core/rules.ts'
import {
  doneIn,
  endpoint,
  movement,
  type Rule,
  usualEvidence,
  usualProof,
  usualWrite,
  violation,
  type WriteOperation,
} from '../operation.ts'
import { never } from '../retry-policy.ts'
import { changed, orderStatus } from './order.ts'
import { integratorId, sumOfPart } from './request.ts'
import { recipient, repeatedReceivers, sumOfParts } from './split.ts'
import { orderStatusFacts, refundEvidence, refundRan } from './status.ts'

const refundParameter = 6095
const refundDetail = 6096

const parts = recipient(oneCode(refundDetail))

const amount = sum(oneCode(refundParameter))

const request = z.strictObject({
  integratorId,
  integratorOrderId: field(uuidV4, {
    help: 'your id of the order, a UUID v4',
    question: 'Which order? Your id of it.',
  }),
  amount: field(amount, {
    help: 'amount to refund, greater than 0 with up to 2 decimals',
    question: 'How much should be refunded?',
    example: '12.50',
  }),
  refundInitiator: field(oneOf(['INTEGRATOR', 'OPERATOR']).optional(), { help: 'who wants the refund' }),
  refundDetails: field(parts.array().min(1, { error: 'must not be empty' }).optional(), {
    help: 'which recipient of a split order gives back which part; needed for a part of a split order',
    json: 'list',
    members: parts,
    schema: { minItems: 1 },
    breachCode: refundDetail,
  }),
})

/** The parts add up to the refund, and each recipient is named once. */
const detailsFit: Rule = ({ amount, refundDetails }) => {
  const entries = entriesOf(refundDetails)
  if (!Array.isArray(refundDetails) || entries.length === 0 || !refundDetails.every(isMembers)) return []
  const whole = unitsOf(amount)
  const added = sumOfParts(entries)
  const breach = (message: string, code: number) => violation('refundDetails', message, code)
  return [
    ...(repeatedReceivers(entries).length > 0 ? [breach('names the same receiver more than once', 6097)] : []),
    ...(whole !== null && added !== null && whole !== added
      ? [breach('must add up to the amount of the refund', refundDetail)]
      : []),
  ]
}

/**
 * "You can't refund order with status: …", in a success (service.md#refunds). Beside a status of a refund it may be the
 * second answer to one request.
 */
const refusedInWords = {
  member: 'errorMessage',
  isBelieved: (status: string) =>
    orderStatusFacts(status) !== null && !refundRan(status) && status !== 'REFUNDED_FAILED',
}

export const refundOrder = {
  ...usualWrite,
  name: 'order.refund',
  ...endpoint('B', 'POST', '/api/integrator/order/refund/v2'),
  section: 'service.md#refunds',
  summary: 'refund a paid order, or a part of it',
  label: 'Refund',
  done: 'refunded',
  about: 'order',
  request,
  rules: [detailsFit],
  breachCode: refundParameter,
  permission: 'refund',
  answer: changed,
  statuses: orderStatusFacts,
  // An order can be refunded in several parts, so its id does not name one of them.
  idField: null,
  retryPolicy: () => never,
  // The specification's answer has no sum. A sum that is there all the same must be that of the refund, because its meaning
  // is not known.
  proof: {
    ...usualProof,
    echoes: ['integratorOrderId'],
    sum: sumOfPart,
    isDone: doneIn('REFUND_REQUESTED'),
    refusedInWords,
  },
  evidence: { ...usualEvidence, ...refundEvidence, by: orderStatus, tried: ['REFUNDED_FAILED'] },
  moves: ({ integratorOrderId, amount }) =>
    movement(`order ${integratorOrderId}`, { amount: String(amount), guarded: true }),
} as const satisfies WriteOperation

/** The first version (service.md#refunds). The desk does not send it. */
export const refundOrderFirst = {
  ...refundOrder,
  path: '/api/integrator/order/refund',
  answer: changed.extend({ errorMessage: sometimes({ type: ['string', 'null'] }, z.unknown().optional()) }),
  request: request.extend({
    amount: field(amount.optional(), {
      help: 'amount to refund; default all that is left',
    }),
  }),
} as const satisfies WriteOperation

export const refundOperations = [refundOrder] as const

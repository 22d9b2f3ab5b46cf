/**
 * Area A of the specification: create a payout (A1), read it back (A2), and the balance it is paid from (service.md#payouts).
 */

import { z } from 'zod'
import { blank, fact, hint, paste } from '../../hint.ts'
import { type AskedSum, amountReceived, numericId, statusReceived, textReceived } from '../answer.ts'
import { generalBreach, unknownPayout } from '../assumed.ts'
import {
  always,
  field,
  ibanForm,
  localTimeForm,
  oneOfForm,
  sometimes,
  statusForm,
  sumForm,
  sumOrZeroForm,
  textForm,
  uuidForm,
  wholeForm,
} from '../core/field.ts'
import type { Members } from '../core/members.ts'
import { type ReadOperation, usualProof, type WriteOperation } from '../operation.ts'
import { repeatable } from '../repeats.ts'
import * as rule from './request.ts'
import { accountIn, currencies, newPayout, oneWayToTheBeneficiary } from './request.ts'
import { payoutRemark, payoutStatuses, payoutStatusFacts } from './status.ts'

const ofPayee = ['toIban', 'receiverId', 'receiverType', 'beneficiaryName'] as const

/** A member that the request does not name is not compared: of a registered receiver the service may tell the account. */
export function sumAndPayee(request: Members): AskedSum {
  const named = ofPayee.filter((name) => (request[name] ?? null) !== null)
  return {
    ...{ amount: [request.amount], currency: [request.currency] },
    ...Object.fromEntries(named.map((name) => [name, [request[name]]])),
  }
}

const created = z.looseObject({
  transactionId: numericId,
  status: statusReceived,
  statusDescription: textReceived,
  uniqueId: z.string(),
  createdAt: textReceived,
})

const createdForms = {
  transactionId: always(wholeForm),
  status: always(statusForm(payoutStatuses)),
  statusDescription: always(textForm),
  uniqueId: always(uuidForm),
  createdAt: always(localTimeForm),
}

export const createPayout = {
  name: 'payout.create',
  area: 'A',
  section: 'A1',
  summary: 'send funds to a beneficiary',
  effect: 'write',
  label: 'Payout',
  done: 'accepted',
  about: 'payout',
  listedBy: 'payee',
  method: 'POST',
  path: '/api/distributor',
  carriedIn: 'body',
  wire: 'bearer',
  request: newPayout,
  rules: [oneWayToTheBeneficiary],
  breachCode: generalBreach,
  permission: null,
  answer: created,
  // The last member is recorded only.
  answerForms: { ...createdForms, distributionFlow: sometimes(textForm) },
  wrapped: false,
  emptyAnswer: false,
  statuses: payoutStatusFacts,
  idField: 'uniqueId',
  duplicateCode: 5017,
  duplicate: {
    message:
      'the service has a payout with this uniqueId, and not from an attempt of this journal whose answer was lost',
    next: hint`If it is this very payment: \`${paste('payout reconcile', fact('uniqueId'), '--transaction-id', blank('<n>'))}\`.`,
  },
  onlyOnce: null,
  repeats: () => repeatable,
  remarks: () => [],
  // The list of statuses is not known, so any of them is a success: the transactionId says that the service has the payout.
  proof: {
    ...usualProof,
    echoes: ['uniqueId'],
    needs: ['transactionId'],
    sum: sumAndPayee,
    isDone: () => true,
    keeps: 'payout',
  },
  // The service cannot be asked for a uniqueId.
  evidence: null,
  payment: payoutStatusFacts,
  statusRemark: payoutRemark,
  moves: ({ amount, currency, beneficiaryName, ...way }) => ({
    payee: accountIn(way),
    payeeName: beneficiaryName === undefined ? null : String(beneficiaryName),
    amount: String(amount),
    currency: String(currency),
    price: null,
    guarded: true,
  }),
} as const satisfies WriteOperation

const details = z.looseObject({
  transactionId: numericId,
  status: statusReceived,
  statusDescription: textReceived,
  amount: amountReceived,
  toIban: textReceived,
  currency: z.string(),
  paymentDescription: textReceived,
  uniqueId: z.string(),
  createdAt: textReceived,
  commissionAmount: amountReceived.nullish(),
})

export const payoutDetails = {
  name: 'payout.get',
  area: 'A',
  section: 'A2',
  summary: 'read a payout back',
  effect: 'read',
  showsPayment: true,
  thing: { about: 'payout', id: 'uniqueId' },
  gives: null,
  unknownObject: { ...unknownPayout, words: 'no such payout' },
  echoes: { transactionId: 'transaction_id' },
  method: 'GET',
  path: '/api/distributor/details',
  carriedIn: 'query',
  wire: 'bearer',
  request: z.strictObject({
    transaction_id: field(rule.transactionId, {
      help: "the service's transaction identifier, a number",
      json: 'number',
      schema: { type: 'integer', minimum: 0 },
      breachCode: 5042,
    }),
  }),
  rules: [],
  breachCode: generalBreach,
  permission: null,
  answer: details,
  answerForms: {
    ...createdForms,
    amount: always(sumForm),
    toIban: sometimes(ibanForm),
    currency: always(oneOfForm(currencies)),
    paymentDescription: always(textForm),
    commissionAmount: sometimes(sumForm),
  },
  wrapped: true,
  emptyAnswer: false,
  statuses: payoutStatusFacts,
} as const satisfies ReadOperation

export const payoutBalance = {
  name: 'payout.balance',
  area: 'A',
  section: 'service.md#payouts',
  summary: 'read the balance that payouts are paid from',
  effect: 'read',
  showsPayment: false,
  thing: null,
  gives: null,
  // No account in this currency.
  unknownObject: { statusCode: 5015, http: null, words: null },
  echoes: { currency: 'currency' },
  method: 'GET',
  path: '/api/distributor/balance/check',
  carriedIn: 'query',
  wire: 'bearer',
  request: z.strictObject({
    currency: field(rule.currency, { help: 'currency of the balance', defaulted: true }),
  }),
  rules: [],
  breachCode: generalBreach,
  permission: null,
  answer: z.looseObject({ amount: amountReceived, currency: z.string() }),
  answerForms: { amount: always(sumOrZeroForm), currency: always(oneOfForm(currencies)) },
  wrapped: true,
  emptyAnswer: false,
  statuses: null,
} as const satisfies ReadOperation

export const payoutOperations = [createPayout, payoutDetails, payoutBalance] as const

export type PayoutRequest = z.output<typeof newPayout>
export type PayoutCreated = z.output<typeof created>
export type PayoutDetails = z.output<typeof details>

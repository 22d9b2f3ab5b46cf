/** Payouts (area A): create (A1), read back (A2), balance (service.md#payouts). */
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
import {
  endpoint,
  movement,
  type ReadOperation,
  usualProof,
  usualRead,
  usualWrite,
  type WriteOperation,
} from '../operation.ts'
import { repeatable } from '../retry-policy.ts'
import * as rule from './request.ts'
import { accountIn, currencies, newPayout, oneWayToTheBeneficiary } from './request.ts'
import { payoutRemark, payoutStatuses, payoutStatusFacts } from './status.ts'

const ofPayee = ['toIban', 'receiverId', 'receiverType', 'beneficiaryName'] as const

/** What the request does not name is not compared: of a registered receiver the service may tell the account. */
export function sumAndPayee(request: Members): AskedSum {
  const named = ofPayee.filter((name) => (request[name] ?? null) !== null)
  return {
    ...{ amount: [request.amount], currency: [request.currency] },
    ...Object.fromEntries(named.map((name) => [name, [request[name]]])),
  }
}

const created = z.looseObject({
  transactionId: always(wholeForm, numericId),
  status: always(statusForm(payoutStatuses), statusReceived),
  statusDescription: always(textForm, textReceived),
  uniqueId: always(uuidForm, z.string()),
  createdAt: always(localTimeForm, textReceived),
  // Recorded only.
  distributionFlow: sometimes(textForm, z.unknown().optional()),
})

export const createPayout = {
  ...usualWrite,
  name: 'payout.create',
  ...endpoint('A', 'POST', '/api/distributor'),
  section: 'A1',
  summary: 'send funds to a beneficiary',
  label: 'Payout',
  done: 'accepted',
  about: 'payout',
  request: newPayout,
  rules: [oneWayToTheBeneficiary],
  breachCode: generalBreach,
  answer: created,
  statuses: payoutStatusFacts,
  idField: 'uniqueId',
  duplicateCode: 5017,
  duplicate: {
    message:
      'the service has a payout with this uniqueId, and not from an attempt of this journal whose answer was lost',
    next: hint`If it is this very payment: \`${paste('payout reconcile', fact('uniqueId'), '--transaction-id', blank('<n>'))}\`.`,
  },
  retryPolicy: () => repeatable,
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
  moves: ({ amount, currency, beneficiaryName, ...way }) =>
    movement(accountIn(way), {
      payeeName: beneficiaryName === undefined ? null : String(beneficiaryName),
      amount: String(amount),
      currency: String(currency),
      guarded: true,
    }),
} as const satisfies WriteOperation

const details = created.omit({ distributionFlow: true }).extend({
  amount: always(sumForm, amountReceived),
  toIban: sometimes(ibanForm, textReceived),
  currency: always(oneOfForm(currencies), z.string()),
  paymentDescription: always(textForm, textReceived),
  commissionAmount: sometimes(sumForm, amountReceived.nullish()),
})

export const payoutDetails = {
  ...usualRead,
  name: 'payout.get',
  ...endpoint('A', 'GET', '/api/distributor/details'),
  section: 'A2',
  summary: 'read a payout',
  showsPayment: true,
  thing: { about: 'payout', id: 'uniqueId' },
  unknownObject: { ...unknownPayout, words: 'no such payout' },
  echoes: { transactionId: 'transaction_id' },
  request: z.strictObject({
    transaction_id: field(rule.transactionId, {
      help: "the service's transaction identifier, a number",
      json: 'number',
      schema: { type: 'integer', minimum: 0 },
      breachCode: 5042,
    }),
  }),
  breachCode: generalBreach,
  answer: details,
  wrapped: true,
  statuses: payoutStatusFacts,
} as const satisfies ReadOperation

const balance = z.looseObject({
  amount: always(sumOrZeroForm, amountReceived),
  currency: always(oneOfForm(currencies), z.string()),
})

export const payoutBalance = {
  ...usualRead,
  name: 'payout.balance',
  ...endpoint('A', 'GET', '/api/distributor/balance/check'),
  section: 'service.md#payouts',
  summary: 'read the balance that payouts are paid from',
  // No account in this currency.
  unknownObject: { statusCode: 5015, http: null, words: null },
  echoes: { currency: 'currency' },
  request: z.strictObject({
    currency: field(rule.currency, { help: 'currency of the balance', defaulted: true }),
  }),
  breachCode: generalBreach,
  answer: balance,
  wrapped: true,
} as const satisfies ReadOperation

export const payoutOperations = [createPayout, payoutDetails, payoutBalance] as const

export type PayoutRequest = z.output<typeof newPayout>
export type PayoutDetails = z.output<typeof details>

/** Area C of the specification, bank-wallet orders: create (C1), finalize (C2), cancel (C3), details (C4; service.md#wallet). */
import { hint } from '../../hint.ts'
import { argumentBreach, deletedWalletStatus } from '../assumed.ts'
import { usualEvidence } from '../evidence.ts'
import type { ReadOperation, WriteOperation } from '../operation.ts'
import { doneIn, usualProof } from '../proof.ts'
import { lookFirst, never, onceInTime } from '../repeats.ts'
import * as received from './answer.ts'
import { otherThanInAddress, sumFinalized, sumFinalizedShown } from './asked-sum.ts'
import {
  creationRefusals,
  deletionRefusals,
  deletionShown,
  finalizationRefusals,
  finalizationShown,
  walletCreationShown,
} from './evidence.ts'
import {
  createParameter,
  finalization,
  finalizeParameter,
  newWalletOrder,
  oneWalletOrder,
  payeeOf,
  uriNamesReceiver,
} from './request.ts'
import { overRemark, walletCreationFacts, walletResultFacts, walletStatusFacts } from './status.ts'

export const walletOrderDetails = {
  name: 'wallet.details',
  area: 'C',
  section: 'C4, service.md#wallet',
  summary: 'read how far a wallet order is',
  effect: 'read',
  ...{ showsPayment: true, thing: { about: 'wallet order', id: 'uniqueId' } },
  gives: null,
  unknownObject: { statusCode: 6045, http: null, words: null },
  echoes: { uniqueId: 'uniqueId' },
  method: 'GET',
  path: '/api/v1/third-party/order/details',
  carriedIn: 'query',
  wire: 'wallet',
  request: oneWalletOrder,
  rules: [],
  breachCode: argumentBreach,
  permission: null,
  answer: received.walletDetailsReceived,
  answerForms: received.walletDetailsForms,
  wrapped: false,
  emptyAnswer: false,
  statuses: walletStatusFacts,
} as const satisfies ReadOperation

/** The read that is the evidence of every write about a wallet order. */
const byDetails = { ...usualEvidence, by: walletOrderDetails } as const

export const createWalletOrder = {
  name: 'wallet.create',
  area: 'C',
  section: 'C1',
  summary: 'register an order from the address of a QR code',
  effect: 'write',
  label: 'Wallet order',
  done: 'registered',
  about: 'wallet order',
  listedBy: 'id',
  method: 'POST',
  path: '/api/v1/third-party/order/create',
  carriedIn: 'body',
  wire: 'wallet',
  request: newWalletOrder,
  rules: [uriNamesReceiver],
  breachCode: createParameter,
  permission: null,
  answer: received.walletCreatedReceived,
  answerForms: received.walletCreatedForms,
  wrapped: false,
  emptyAnswer: false,
  statuses: walletCreationFacts,
  idField: 'uniqueId',
  // 6109 says that the id exists, or that a field is missing.
  duplicateCode: null,
  duplicate: null,
  onlyOnce: null,
  repeats: () => never,
  remarks: () => [],
  proof: {
    ...usualProof,
    echoes: ['uniqueId'],
    isDone: doneIn('REGISTERED'),
    refused: { REJECTED: { bodyOnly: false, reason: 'rejectReason' } },
    remarks: ({ uri }, answer) => otherThanInAddress(uri, answer),
  },
  evidence: {
    ...byDetails,
    shows: walletCreationShown,
    refusals: creationRefusals,
  },
  payment: null,
  statusRemark: overRemark,
  moves: ({ uri }) => ({ payee: payeeOf(uri), amount: null, currency: null, price: null, guarded: false }),
} as const satisfies WriteOperation

export const finalizeWalletOrder = {
  name: 'wallet.finalize',
  area: 'C',
  section: 'C2',
  summary: 'have a registered wallet order executed, within 5 minutes of its creation',
  effect: 'write',
  label: 'Finalization',
  done: 'finalized',
  about: 'wallet order',
  listedBy: 'payee',
  method: 'PUT',
  path: '/api/v1/third-party/order/finalize',
  carriedIn: 'body',
  wire: 'wallet',
  request: finalization,
  rules: [],
  breachCode: finalizeParameter,
  permission: null,
  answer: received.walletChangeReceived,
  answerForms: received.walletFinalizedForms,
  wrapped: false,
  emptyAnswer: false,
  statuses: walletResultFacts,
  idField: 'uniqueId',
  duplicateCode: null,
  duplicate: null,
  onlyOnce: hint`A wallet order is finalized only once; another payment needs another order.`,
  repeats: () => onceInTime,
  remarks: () => [],
  proof: {
    ...usualProof,
    echoes: ['uniqueId'],
    sum: sumFinalized,
    isDone: doneIn('SUCCESS'),
    // The amounts were fixed when the order was created; a receiver's limit changes.
    refused: {
      WRONG_AMOUNT: { bodyOnly: true },
      AMOUNT_NOT_IN_RANGE: { bodyOnly: true },
      RECEIVER_REACHED_LIMIT: { bodyOnly: false },
      ORDER_NOT_FOUND: { bodyOnly: false, deniesAll: true },
    },
    doneBefore: ['ALREADY_FINALISED'],
  },
  evidence: {
    ...{ ...byDetails, shows: finalizationShown, refusals: finalizationRefusals },
    ...{ showsSum: true, sum: sumFinalizedShown },
  },
  payment: walletStatusFacts,
  statusRemark: () => null,
  moves: ({ uniqueId, amount }) => ({
    payee: `wallet order ${uniqueId}`,
    amount: String(amount),
    currency: null,
    price: null,
    guarded: false,
  }),
} as const satisfies WriteOperation

export const cancelWalletOrder = {
  name: 'wallet.cancel',
  area: 'C',
  section: 'C3, service.md#wallet',
  summary: 'delete a wallet order that is not finalized yet',
  effect: 'write',
  label: 'Deletion',
  done: 'deleted',
  about: 'wallet order',
  listedBy: 'payee',
  method: 'DELETE',
  path: '/api/v1/third-party/order/delete',
  carriedIn: 'query',
  wire: 'wallet',
  request: oneWalletOrder,
  rules: [],
  breachCode: argumentBreach,
  permission: null,
  answer: received.walletChangeReceived,
  answerForms: received.walletCanceledForms,
  wrapped: false,
  emptyAnswer: false,
  statuses: walletStatusFacts,
  idField: 'uniqueId',
  duplicateCode: null,
  duplicate: null,
  onlyOnce: null,
  repeats: () => lookFirst,
  remarks: () => [],
  proof: { ...usualProof, echoes: ['uniqueId'], isDone: doneIn(deletedWalletStatus), askedAgain: 'read' },
  evidence: {
    ...byDetails,
    shows: deletionShown,
    refusals: deletionRefusals,
  },
  payment: null,
  statusRemark: () => null,
  moves: ({ uniqueId }) => ({
    payee: `wallet order ${uniqueId}`,
    amount: null,
    currency: null,
    price: null,
    guarded: false,
  }),
} as const satisfies WriteOperation

export const walletOperations = [createWalletOrder, finalizeWalletOrder, cancelWalletOrder, walletOrderDetails] as const

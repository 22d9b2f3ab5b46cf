/**
 * Area C of the specification: bank-wallet orders. Create (C1), finalize (C2), cancel (C3), details (C4; service.md#wallet).
 */
import { z } from 'zod'
import { amountReceived, answerOf, textReceived } from '../answer.ts'
import { argumentBreach } from '../assumed.ts'
import { field } from '../core/field.ts'
import { oneCode, sum } from '../core/money-rule.ts'
import { anyUuid, freeText, oneOf, tidyUuid, trimmed, webAddress } from '../core/scalar.ts'
import type { ReadOperation, WriteOperation } from '../operation.ts'
import { doneIn, usualProof } from '../proof.ts'
import { lookFirst, never, onceInTime } from '../repeats.ts'
import { walletStatusReceived } from './status.ts'

const createParameter = 6109
const finalizeParameter = 6110

const identifier = field(anyUuid, {
  help: 'your identity at the service; filled in from the profile',
  filled: (identity) => identity,
  tidy: tidyUuid,
})

const oneOrder = z.strictObject({
  identifier,
  uniqueId: field(freeText, { help: 'your id of the wallet order', tidy: trimmed }),
})

/** Who is paid, as the address of the QR code tells; the address itself where it does not. */
function payeeOf(uri: unknown): string {
  const address = String(uri)
  const query = URL.canParse(address) ? new URL(address).searchParams : null
  const receiver = query?.get('receiverId')
  return receiver ? `${query?.get('receiverType') ?? 'receiver'} ${receiver}` : address
}

export const createWalletOrder = {
  name: 'wallet.create',
  area: 'C',
  section: 'C1',
  summary: 'register an order from the address of a QR code',
  effect: 'write',
  method: 'POST',
  path: '/api/v1/third-party/order/create',
  carriedIn: 'body',
  wire: 'wallet',
  request: z.strictObject({
    identifier,
    uniqueId: field(freeText, {
      help: 'your id of this order; a UUID is made when not given, and finalizing takes nothing else',
      made: true,
      tidy: trimmed,
    }),
    uri: field(webAddress, {
      help: 'the address read from the QR code, with its query',
      tidy: trimmed,
      example:
        'https://example.com/pay?qrType=DEFAULT&receiverType=USER&receiverId=f47ac10b-58cc-4372-a567-0e02b2c3d479',
    }),
  }),
  rules: [],
  breachCode: createParameter,
  answer: answerOf({
    uniqueId: z.string(),
    amount: amountReceived.nullish(),
    receiverName: textReceived,
    status: walletStatusReceived,
    minAmountAllowed: amountReceived.nullish(),
    maxAmountAllowed: amountReceived.nullish(),
    rejectReason: textReceived,
  }),
  wrapped: false,
  idField: 'uniqueId',
  // 6109 says that the id exists, but also that a field is missing.
  duplicateCode: null,
  repeats: () => never,
  proof: {
    ...usualProof,
    echoes: ['uniqueId'],
    isDone: doneIn('REGISTERED'),
    refused: { REJECTED: { bodyOnly: false, reason: 'rejectReason' } },
  },
  moves: ({ uri }) => ({ payee: payeeOf(uri), amount: null, currency: null, guarded: false }),
} as const satisfies WriteOperation

export const finalizeWalletOrder = {
  name: 'wallet.finalize',
  area: 'C',
  section: 'C2',
  summary: 'have a registered wallet order executed, within 5 minutes of its creation',
  effect: 'write',
  method: 'PUT',
  path: '/api/v1/third-party/order/finalize',
  carriedIn: 'body',
  wire: 'wallet',
  request: z.strictObject({
    identifier,
    uniqueId: field(anyUuid, { help: 'your id of the wallet order, a UUID', tidy: tidyUuid }),
    amount: field(sum(oneCode(finalizeParameter)), {
      help: 'how much to pay: the amount that was returned at creation, if one was',
      json: 'number',
      example: '12.50',
    }),
    finalStatus: field(oneOf(['SUCCESS']), { help: 'final status in your system; SUCCESS has the payment executed' }),
  }),
  rules: [],
  breachCode: finalizeParameter,
  answer: answerOf({ uniqueId: z.string(), status: walletStatusReceived }),
  wrapped: false,
  idField: 'uniqueId',
  duplicateCode: null,
  repeats: () => onceInTime,
  proof: {
    ...usualProof,
    echoes: ['uniqueId'],
    isDone: doneIn('SUCCESS'),
    // The amounts were fixed when the order was created; a receiver's limit changes.
    refused: {
      WRONG_AMOUNT: { bodyOnly: true },
      AMOUNT_NOT_IN_RANGE: { bodyOnly: true },
      RECEIVER_REACHED_LIMIT: { bodyOnly: false },
      ORDER_NOT_FOUND: { bodyOnly: false },
    },
    doneBefore: ['ALREADY_FINALISED'],
  },
  moves: ({ uniqueId, amount }) => ({
    payee: `wallet order ${uniqueId}`,
    amount: String(amount),
    currency: null,
    guarded: false,
  }),
} as const satisfies WriteOperation

export const cancelWalletOrder = {
  name: 'wallet.cancel',
  area: 'C',
  section: 'C3, service.md#wallet',
  summary: 'delete a wallet order that is not finalized yet',
  effect: 'write',
  method: 'DELETE',
  path: '/api/v1/third-party/order/delete',
  carriedIn: 'query',
  wire: 'wallet',
  request: oneOrder,
  rules: [],
  breachCode: argumentBreach,
  answer: answerOf({ uniqueId: z.string(), status: walletStatusReceived }),
  wrapped: false,
  idField: 'uniqueId',
  duplicateCode: null,
  repeats: () => lookFirst,
  proof: { ...usualProof, echoes: ['uniqueId'], isDone: doneIn('CANCELED'), askedAgain: 'read' },
  moves: ({ uniqueId }) => ({ payee: `wallet order ${uniqueId}`, amount: null, currency: null, guarded: false }),
} as const satisfies WriteOperation

export const walletOrderDetails = {
  name: 'wallet.details',
  area: 'C',
  section: 'C4, service.md#wallet',
  summary: 'read how far a wallet order is',
  effect: 'read',
  showsPayment: true,
  method: 'GET',
  path: '/api/v1/third-party/order/details',
  carriedIn: 'query',
  wire: 'wallet',
  request: oneOrder,
  rules: [],
  breachCode: argumentBreach,
  answer: answerOf({
    uniqueId: z.string(),
    amount: amountReceived.nullish(),
    status: walletStatusReceived,
    createdAt: textReceived,
    finalisedAt: textReceived,
  }),
  wrapped: false,
} as const satisfies ReadOperation

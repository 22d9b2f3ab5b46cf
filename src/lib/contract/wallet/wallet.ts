/** Bank-wallet orders (area C): create (C1), finalize (C2), cancel (C3), details (C4; service.md#wallet). */
import { z } from 'zod'
import { hint } from '../../hint.ts'
import { isRecord, readJson } from '../../json.ts'
import { type AskedSum, amountReceived, answerOf, differenceIn, textReceived } from '../answer.ts'
import { argumentBreach, deletedWalletStatus } from '../assumed.ts'
import { minorUnits } from '../core/decimal.ts'
import {
  always,
  field,
  oneOfForm,
  someTextForm,
  sometimes,
  statusForm,
  sumForm,
  sumOrZeroForm,
  textForm,
} from '../core/field.ts'
import type { Members } from '../core/members.ts'
import { anyUuid, freeText, oneCode, oneOf, sum, trimmed, webAddress } from '../core/rules.ts'
import {
  doneIn,
  endpoint,
  movement,
  type ReadOperation,
  type Rule,
  usualEvidence,
  usualProof,
  usualRead,
  usualWrite,
  violation,
  type WriteOperation,
} from '../operation.ts'
import { lookFirst, never, onceInTime } from '../retry-policy.ts'
import {
  creationEvidence,
  deletionEvidence,
  finalizationEvidence,
  finalizeParameter,
  overRemark,
  walletCreationFacts,
  walletCreationStatuses,
  walletResultFacts,
  walletResults,
  walletStatuses,
  walletStatusFacts,
  walletStatusReceived,
} from './status.ts'

const createParameter = 6109

const identifier = field(anyUuid, {
  help: 'your identity at the service; filled in from the profile',
  about: 'your identity at the service',
  filled: (identity) => identity,
})

const oneWalletOrder = z.strictObject({
  identifier,
  uniqueId: field(freeText, { help: 'your id of the wallet order', schema: someTextForm, tidy: trimmed }),
})

const newWalletOrder = z.strictObject({
  identifier,
  uniqueId: field(freeText, {
    help: 'your id of this order; a UUID is made when not given, and finalizing takes nothing else',
    about: 'your id of this order; a UUID, if it is to be finalized',
    schema: someTextForm,
    made: true,
    tidy: trimmed,
  }),
  uri: field(webAddress, {
    help: 'the address read from the QR code, with its query',
    question: 'Which address did the QR code have?',
    example: 'https://example.com/pay?qrType=DEFAULT&receiverType=USER&receiverId=f47ac10b-58cc-4372-a567-0e02b2c3d479',
  }),
})

export const finalization = z.strictObject({
  identifier,
  uniqueId: field(anyUuid, {
    help: 'your id of the wallet order, a UUID',
    question: 'Which wallet order? Your id of it.',
  }),
  amount: field(sum(oneCode(finalizeParameter)), {
    help: 'how much to pay: the amount that was returned at creation, if one was',
    question: 'How much is to be paid? The amount that was returned at creation.',
    example: '12.50',
  }),
  finalStatus: field(oneOf(['SUCCESS']), { help: 'final status in your system; SUCCESS has the payment executed' }),
})

function queryOf(uri: unknown): URLSearchParams | null {
  return URL.canParse(String(uri)) ? new URL(String(uri)).searchParams : null
}

/** The query of a QR code (C1; service.md#wallet). */
const qrQuery = ['qrType', 'receiverType', 'receiverId']

/** Else the service rejects it, and uses the uniqueId up. */
const uriNamesReceiver: Rule = ({ uri }) => {
  const query = queryOf(uri)
  const absent = query === null ? [] : qrQuery.filter((name) => !query.get(name)?.trim())
  if (absent.length === 0) return []
  const why = `has no ${absent.join(', no ')} in its query: give the whole address of the QR code, in quotes`
  return [violation('uri', why, createParameter)]
}

/** The address itself where it names none. */
export function payeeOf(uri: unknown): string {
  const query = queryOf(uri)
  const receiver = query?.get('receiverId')
  return receiver ? `${query?.get('receiverType') ?? 'receiver'} ${receiver}` : String(uri)
}

/** The request names no currency: that of the creation counts. */
function sumFinalized({ amount, currency }: Members): AskedSum {
  return { amount: [amount], ...(currency ? { currency: [currency] } : {}) }
}

/** Details may show no amount, or 0 for none. */
function sumFinalizedShown(request: Members): AskedSum {
  return { ...sumFinalized(request), amount: [request.amount, '0'] }
}

/** The service decides the amount; the payer has read another one in the QR code. */
function otherThanInAddress(uri: unknown, answer: Members): readonly string[] {
  const amount = queryOf(uri)?.get('amount')
  if (!amount || minorUnits(amount) === null) return []
  const differs = differenceIn(answer, { amount: [amount, '0'] })
  return differs === null ? [] : [`the service returned another amount than the address of the QR code has: ${differs}`]
}

/** qrType=REQUEST carries one. */
export function currencyInAddress(uri: unknown): string | null {
  const named = queryOf(uri)?.get('currency') ?? ''
  return /^[A-Za-z]{3}$/.test(named) ? named.toUpperCase() : null
}

// The uniqueId may be any text.
const uniqueId = always(textForm, z.string())

const details = answerOf({
  uniqueId,
  amount: sometimes(sumOrZeroForm, amountReceived.nullish()),
  status: always(statusForm(walletStatuses), walletStatusReceived),
  createdAt: always(textForm, textReceived),
  finalisedAt: sometimes(textForm, textReceived),
})

/** The range only without an amount, the reason only where it is rejected. */
const created = answerOf({
  uniqueId,
  amount: sometimes(sumForm, amountReceived.nullish()),
  receiverName: sometimes(textForm, textReceived),
  status: always(statusForm(walletCreationStatuses), walletStatusReceived),
  minAmountAllowed: sometimes(sumForm, amountReceived.nullish()),
  maxAmountAllowed: sometimes(sumForm, amountReceived.nullish()),
  rejectReason: sometimes(textForm, textReceived),
})

const finalized = answerOf({ uniqueId, status: always(statusForm(walletResults), walletStatusReceived) })

const deleted = answerOf({ uniqueId, status: always(oneOfForm([deletedWalletStatus]), walletStatusReceived) })

export const walletOrderDetails = {
  ...usualRead,
  name: 'wallet.details',
  ...endpoint('C', 'GET', '/api/v1/third-party/order/details'),
  section: 'C4, service.md#wallet',
  summary: 'read the status of a wallet order',
  ...{ showsPayment: true, thing: { about: 'wallet order', id: 'uniqueId' } },
  unknownObject: { statusCode: 6045, http: null, words: null },
  echoes: { uniqueId: 'uniqueId' },
  request: oneWalletOrder,
  breachCode: argumentBreach,
  answer: details,
  statuses: walletStatusFacts,
} as const satisfies ReadOperation

const byDetails = { ...usualEvidence, by: walletOrderDetails } as const

export const createWalletOrder = {
  ...usualWrite,
  name: 'wallet.create',
  ...endpoint('C', 'POST', '/api/v1/third-party/order/create'),
  section: 'C1',
  summary: 'register an order from the address of a QR code',
  label: 'Wallet order',
  done: 'registered',
  about: 'wallet order',
  listedBy: 'id',
  request: newWalletOrder,
  rules: [uriNamesReceiver],
  breachCode: createParameter,
  answer: created,
  statuses: walletCreationFacts,
  idField: 'uniqueId',
  // 6109 says that the id exists, or that a field is missing.
  duplicateCode: null,
  retryPolicy: () => never,
  proof: {
    ...usualProof,
    echoes: ['uniqueId'],
    isDone: doneIn('REGISTERED'),
    refused: { REJECTED: { bodyOnly: false, reason: 'rejectReason' } },
    remarks: ({ uri }, answer) => otherThanInAddress(uri, answer),
  },
  evidence: { ...byDetails, ...creationEvidence },
  statusRemark: overRemark,
  moves: ({ uri }) => movement(payeeOf(uri)),
} as const satisfies WriteOperation

export const finalizeWalletOrder = {
  ...usualWrite,
  name: 'wallet.finalize',
  ...endpoint('C', 'PUT', '/api/v1/third-party/order/finalize'),
  section: 'C2',
  summary: 'pay a registered wallet order, within 5 minutes of its creation',
  label: 'Finalization',
  done: 'finalized',
  about: 'wallet order',
  request: finalization,
  breachCode: finalizeParameter,
  answer: finalized,
  statuses: walletResultFacts,
  idField: 'uniqueId',
  onlyOnce: hint`A wallet order is finalized only once; another payment needs another order.`,
  retryPolicy: () => onceInTime,
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
  evidence: { ...byDetails, ...finalizationEvidence, showsSum: true, sum: sumFinalizedShown },
  payment: walletStatusFacts,
  moves: ({ uniqueId, amount }) => movement(`wallet order ${uniqueId}`, { amount: String(amount) }),
} as const satisfies WriteOperation

export const cancelWalletOrder = {
  ...usualWrite,
  name: 'wallet.cancel',
  ...endpoint('C', 'DELETE', '/api/v1/third-party/order/delete'),
  section: 'C3, service.md#wallet',
  summary: 'delete a wallet order that is not finalized yet',
  label: 'Deletion',
  done: 'deleted',
  about: 'wallet order',
  request: oneWalletOrder,
  breachCode: argumentBreach,
  answer: deleted,
  statuses: walletStatusFacts,
  idField: 'uniqueId',
  retryPolicy: () => lookFirst,
  proof: { ...usualProof, echoes: ['uniqueId'], isDone: doneIn(deletedWalletStatus), askedAgain: 'read' },
  evidence: { ...byDetails, ...deletionEvidence },
  moves: ({ uniqueId }) => movement(`wallet order ${uniqueId}`),
} as const satisfies WriteOperation

export const walletOperations = [createWalletOrder, finalizeWalletOrder, cancelWalletOrder, walletOrderDetails] as const

/** States of a creation that the service may have taken: under any other id it may hold an order of another client. */
const taken: ReadonlySet<string> = new Set(['accepted', 'exists', 'unknown'])

/** `body`: JSON text; `currency` is empty or null where the request names none. */
interface Creation {
  readonly operation: string
  readonly state: string
  readonly body: string
  readonly currency: string | null
}

/** Null where the journal does not know the creation. */
export function currencyOfCreated(created: Creation | null | undefined): string | null {
  if (!created || !taken.has(created.state)) return null
  if (created.operation !== createWalletOrder.name) return created.currency || null
  const request = readJson(created.body)
  return isRecord(request) ? currencyInAddress(request.uri) : null
}

/**
 * The two shapes of answers: as the specification documents them (the default) and as they were recorded at the live
 * service. What is decided is the same in both; only the writing differs, and it differs in this file alone.
 */
import {
  badTokenHttp,
  codedErrorHttp,
  descriptionSeparator,
  recordedDistributionFlow,
  serviceZoneHours,
} from '../contract/assumed.ts'
import { JsonNumber } from '../contract/decimal.ts'
import type { Operation } from '../contract/operation.ts'
import type { PayoutRequest } from '../contract/payout.ts'
import { createPayout } from '../contract/payout.ts'
import { payoutCodes } from '../contract/payout-codes.ts'
import { readJson } from '../json.ts'
import type { PayoutRow } from '../store/sandbox-schema.ts'
import { writeAnswer, writeError } from '../wire/bearer.ts'
import type { HttpAnswer } from '../wire/message.ts'
import { statusDescription } from './course.ts'
import { money } from './world.ts'

export const shapes = ['documented', 'recorded'] as const
export type Shape = (typeof shapes)[number]

/** Why the service said no. */
export interface Refusal {
  readonly code: number
  readonly message: string
  readonly http?: number
}

export type Outcome =
  | { readonly kind: 'value'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** No token, or not a good one. */
  | { readonly kind: 'stranger' }

export function refused(code: number, message: string, http?: number): Outcome {
  return { kind: 'refused', refusal: { code, message, ...(http === undefined ? {} : { http }) } }
}

/**
 * Recorded errors all carry a group, but it is known of few codes. The others get the group that areas B to D give to the
 * same meaning: 1 validation, 2 business rule, 3 no permission, 5 not found, 6 general. Assumed.
 */
const assumedGroups: Readonly<Record<number, number>> = {
  5013: 1,
  5015: 5,
  5017: 2,
  5033: 2,
  5039: 1,
  5040: 6,
  5041: 5,
  5042: 1,
  5043: 1,
  5047: 3,
  5048: 3,
  5050: 1,
  5051: 1,
}

function writeRefusal({ code, message, http }: Refusal, shape: Shape): HttpAnswer {
  const documented = { message, statusCode: code }
  const exceptionGroup = payoutCodes.get(code)?.group ?? assumedGroups[code] ?? null
  return writeError(http ?? codedErrorHttp, shape === 'recorded' ? { ...documented, exceptionGroup } : documented)
}

export function writeStranger(shape: Shape): HttpAnswer {
  if (shape === 'documented') {
    return writeError(badTokenHttp, {
      message: 'Incorrect credentials: the access token is missing, wrong or expired',
      statusCode: 5021,
    })
  }
  return writeError(badTokenHttp, {
    application_name: null,
    method_name: null,
    exception_name: null,
    status: null,
    message: 'Authentication failed',
    timestamp: null,
  })
}

export function writeGeneralFailure(shape: Shape): HttpAnswer {
  return writeRefusal({ code: 5040, message: 'General failure', http: 500 }, shape)
}

export function writeOutcome(operation: Operation, outcome: Outcome, shape: Shape): HttpAnswer {
  if (outcome.kind === 'stranger') return writeStranger(shape)
  if (outcome.kind === 'refused') return writeRefusal(outcome.refusal, shape)
  if (shape === 'recorded' && operation.name === createPayout.name) {
    return writeAnswer(operation, { value: { ...outcome.value, distributionFlow: recordedDistributionFlow } })
  }
  return writeAnswer(operation, outcome.value)
}

/** The service's local time without zone, with so many digits of the second's fraction. */
export function localTime(payout: Pick<PayoutRow, 'created' | 'nanoseconds'>, digits: 6 | 9): string {
  const shifted = new Date(payout.created + serviceZoneHours * 3_600_000).toISOString()
  const fraction = shifted.slice(20, 23) + String(payout.nanoseconds).padStart(6, '0')
  return `${shifted.slice(0, 19)}.${fraction.slice(0, digits)}`
}

/** The request as it was accepted, for everything that is echoed. */
export function requestOf(payout: Pick<PayoutRow, 'request'>): PayoutRequest {
  return readJson(payout.request) as PayoutRequest
}

/** What A1 answers. */
export function createdValue(payout: PayoutRow): Readonly<Record<string, unknown>> {
  return {
    transactionId: new JsonNumber(payout.transaction_id),
    status: payout.status,
    statusDescription: statusDescription(payout.status),
    uniqueId: requestOf(payout).uniqueId,
    createdAt: localTime(payout, 9),
  }
}

/** What A2 answers: a payout to a receiver has no toIban, one without commission no commissionAmount. */
export function detailsValue(payout: PayoutRow, shape: Shape): Readonly<Record<string, unknown>> {
  const request = requestOf(payout)
  return {
    transactionId: new JsonNumber(payout.transaction_id),
    status: payout.status,
    statusDescription: statusDescription(payout.status),
    amount: money(payout.amount),
    ...(request.toIban === undefined ? {} : { toIban: request.toIban }),
    currency: payout.currency,
    paymentDescription: paymentDescription(request, shape),
    uniqueId: request.uniqueId,
    createdAt: localTime(payout, 6),
    ...(payout.commission === 0 ? {} : { commissionAmount: money(payout.commission) }),
  }
}

function paymentDescription(request: PayoutRequest, shape: Shape): string {
  if (shape === 'documented') return request.description
  const { debtorName, debtorIban, debtorIdentityNumber, description } = request
  const parts = [debtorName, debtorIban, debtorIdentityNumber, description]
  return parts.filter((part) => part !== undefined).join(descriptionSeparator)
}

/** The meaning of an answer for a write, written from the rules of money safety and the table of exit codes alone. */
import type { AnswerClass, Codes } from './answer.ts'
import type { Write, WriteName } from './writes.ts'

export type Meaning =
  | { readonly kind: 'done' }
  /** The service took it, and its payment has ended unpaid. `byTime`: as far as it knows now, and a later read may take that back. */
  | { readonly kind: 'ended'; readonly byTime: boolean }
  /** The service said no, definitely. `bodyOnly`: a refusal of a repeat speaks for the attempts before it, too. */
  | { readonly kind: 'refused'; readonly exit: number; readonly bodyOnly: boolean }
  /** The id is taken. */
  | { readonly kind: 'duplicate' }
  /** `stays`: no repeat and no taken id makes it definite, only the operator. */
  | { readonly kind: 'unknown'; readonly stays?: true }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'turned-away'; readonly exit: number }

const done: Meaning = { kind: 'done' }
const unknown: Meaning = { kind: 'unknown' }

const refused = (exit: number, bodyOnly = false): Meaning => ({ kind: 'refused', exit, bodyOnly })

/** Statuses that orders have: the answer to a creation names none, and one of these does no harm. */
const orderStatuses: readonly string[] = ['SUCCESS', 'REFUNDED_FAILED']

/** The statuses in which a payment has ended unpaid. */
const unpaidOrders: readonly string[] = ['FAILED', 'CANCELED', 'EXPIRED']
const unpaidIn: Partial<Record<WriteName, readonly string[]>> = {
  'payout create': ['REJECTED', 'FAILED', 'DELETED'],
  'order create': unpaidOrders,
  'charge of a saved card': unpaidOrders,
}

/** The members that must repeat the sum of the request, and whom it goes to, where an answer has them. */
const sumOf: Partial<Record<WriteName, readonly string[]>> = {
  'payout create': ['amount', 'currency', 'toIban'],
  'order create': ['amount', 'currency'],
  'charge of a saved card': ['amount', 'currency'],
  'order complete': ['amount'],
  'order refund': ['amount'],
  'wallet finalize': ['amount'],
}

function bySum({ member, isReadable }: Extract<AnswerClass, { is: 'another-sum' }>, { name }: Write): Meaning {
  if (sumOf[name]?.includes(member)) return { kind: 'unknown', stays: true }
  // The amount that a registration returns is one of its documented members.
  if (name === 'wallet create' && !isReadable) return unknown
  // Nothing is known of what the answer to a revocation says besides its status.
  return name === 'subscription revoke' ? unknown : done
}

/** The statuses that mean done. */
const doneBy: Partial<Record<WriteName, readonly string[]>> = {
  'order create': orderStatuses,
  'charge of a saved card': orderStatuses,
  'order cancel': ['CANCELED', 'CANCELLED'],
  'order refund': ['REFUND_REQUESTED'],
  'order complete': ['SUCCESS'],
  'wallet create': ['REGISTERED'],
  'wallet finalize': ['SUCCESS'],
  'wallet cancel': ['CANCELED', 'CANCELLED'],
  'subscription revoke': ['CANCELED', 'REVOKED'],
}

/** The statuses that mean refused, each with its exit code. All others mean nothing definite. */
const refusedBy: Partial<Record<WriteName, Readonly<Record<string, number>>>> = {
  'wallet create': { REJECTED: 5 },
  'wallet finalize': { ORDER_NOT_FOUND: 6, WRONG_AMOUNT: 5, AMOUNT_NOT_IN_RANGE: 5, RECEIVER_REACHED_LIMIT: 5 },
}

/** Writes whose answer has no status in the specification: none is as good as a known one. */
const needsNoStatus: readonly WriteName[] = [
  'order create',
  'charge of a saved card',
  'user register',
  'subscription revoke',
]

function byStatus(status: string | null, { name }: Write): Meaning {
  // A transactionId beside the id that was sent proves the payout; the list of its statuses is the service's to change.
  if (status !== null && unpaidIn[name]?.includes(status)) return { kind: 'ended', byTime: status === 'EXPIRED' }
  if (name === 'payout create') return status === null ? unknown : done
  if (status === null) return needsNoStatus.includes(name) ? done : unknown
  if (name === 'wallet finalize' && status === 'ALREADY_FINALISED') return { kind: 'duplicate' }
  if (doneBy[name]?.includes(status)) return done
  const exit = refusedBy[name]?.[status]
  // The amount of a wallet order was fixed when it was created.
  return exit === undefined ? unknown : refused(exit, status === 'WRONG_AMOUNT')
}

/** Area A: by code alone. The exit codes of those that refuse; 5040 and codes that are not listed refuse nothing. */
const refusingInA: Readonly<Record<number, number>> = {
  5003: 4,
  5023: 5,
  5038: 5,
  5041: 5,
  5042: 5,
  5043: 5,
  5045: 5,
  5046: 5,
  5047: 5,
}

/** Refusals that the body alone decides, and that no damage on the way can cause. */
const bodyOnlyInA: readonly number[] = [5023, 5042]

/** Areas B to D: by group, and in group 6 by these codes. */
const refusingGroups: readonly (number | null)[] = [1, 2, 3, 5]
const refusingInGroup6: readonly number[] = [6010, 6011, 6013]
const exitOf: Readonly<Record<number, number>> = { 6004: 4, 6008: 4, 6005: 6, 6045: 6, 6046: 6, 6023: 7 }

/** Refusals that speak of the state of an order, of which WAITING_FOR_CONFIRM proves nothing. */
const ofState: readonly number[] = [6017]

function byCode({ inA, elsewhere: [code, group] }: Codes, http: number, { area, name }: Write): Meaning {
  if (name === 'order complete' && ofState.includes(code)) return { kind: 'unknown', stays: true }
  // A gateway may have lost the answer that it tells of.
  if (http >= 500 && (area === 'A' || !refusingInGroup6.includes(code))) return unknown
  if (area === 'A') {
    const exit = refusingInA[inA]
    return exit === undefined ? unknown : refused(exit, bodyOnlyInA.includes(inA))
  }
  const refuses = refusingGroups.includes(group) || refusingInGroup6.includes(code)
  return refuses ? refused(exitOf[code] ?? 5) : unknown
}

/** Writes whose service says in so many words that the id exists. */
const knowsIds: readonly WriteName[] = ['payout create', 'order create', 'charge of a saved card', 'wallet finalize']

export function meaningOf(answer: AnswerClass, write: Write): Meaning {
  switch (answer.is) {
    case 'unsent':
      return { kind: 'unsent' }
    case 'indefinite':
      return unknown
    case 'success':
      return done
    case 'more':
      // Of a revocation nothing else may be said.
      return write.name === 'subscription revoke' ? unknown : done
    case 'empty':
      return write.name === 'subscription revoke' ? done : unknown
    case 'unsealed':
      return write.area === 'A' ? done : unknown
    case 'hollow':
      // Of a revoke's answer no member is specified; a registration is worth nothing without the userId.
      return write.name === 'subscription revoke' ? done : unknown
    case 'foreign':
    case 'nameless':
      return write.echo === null ? done : unknown
    case 'status':
      return byStatus(answer.status, write)
    case 'another-sum':
      return bySum(answer, write)
    case 'coded':
      return answer.besideSuccess ? unknown : byCode(answer.codes, answer.http, write)
    case 'turned-away':
      return { kind: 'turned-away', exit: answer.by === 'rate' ? 5 : 4 }
    case 'bad-token':
      return write.area === 'A' ? { kind: 'turned-away', exit: 4 } : unknown
    case 'duplicate':
      return knowsIds.includes(write.name)
        ? { kind: 'duplicate' }
        : byCode({ inA: 5017, elsewhere: [6023, 2] }, 409, write)
  }
}

/**
 * What a read shows about a write whose answer was lost (money-safety.md#evidence).
 * A read can prove that a write ran, or that it can never run any more. That the service does not know it *yet* proves
 * nothing: the request may still be on its way.
 */

import { fromMinorUnits, minorUnits, plainDecimal } from '../../contract/core/decimal.ts'
import type { ReadOperation } from '../../contract/operation.ts'
import { writeNamed } from '../../contract/operations.ts'
import { cancelOrder, completeOrder, createOrder, orderStatus } from '../../contract/order/order.ts'
import { refundOrder } from '../../contract/order/refund.ts'
import { orderStatusFacts } from '../../contract/order/status.ts'
import { walletStatusFacts } from '../../contract/wallet/status.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../../contract/wallet/wallet.ts'
import { Failure } from '../../failure.ts'
import type { Intent } from '../../journal/intent.ts'
import { isRecord, readJson } from '../../json.ts'
import { otherId } from '../acceptance.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'

export type Evidence =
  /** It ran. `sumConfirmed`: the sum is shown, and it is the one that was sent. */
  | { readonly kind: 'ran'; readonly status: string; readonly because: string; readonly sumConfirmed: boolean }
  /** It did not run, and what the service has leaves no way for it. */
  | { readonly kind: 'over'; readonly status: string; readonly because: string }
  /** One ran whose sum is shown as another: this one, or somebody else's. Nobody has said what the sum means that is shown. */
  | { readonly kind: 'differs'; readonly because: string }
  /** What it is about is as it was before: the service shows no trace of it so far. */
  | { readonly kind: 'no-trace'; readonly status: string; readonly because: string }
  /** The service does not know what it is about, at least so far. */
  | { readonly kind: 'absent'; readonly because: string }
  /** What is shown may come from it or from another. */
  | { readonly kind: 'unclear'; readonly status?: string; readonly because: string }
  /** It could not be read: `failure` says why, where asking failed. */
  | { readonly kind: 'unreadable'; readonly because: string; readonly failure?: Failure }
  /** There is nothing that could be read. */
  | { readonly kind: 'none' }

type Seen = Exclude<Evidence['kind'], 'none' | 'unreadable' | 'absent' | 'differs'>
type Members = Readonly<Record<string, unknown>>

interface Look {
  readonly by: ReadOperation
  /** The fields of the write that the read asks with. */
  readonly ask: readonly string[]
  /** What a status of the object means for the write. */
  readonly shows: (status: string) => Seen
  /** How what is shown differs from what was sent; null where it does not. */
  readonly differs?: (request: Members, answer: Members) => string | null
}

const byOrder = { by: orderStatus, ask: ['integratorId', 'integratorOrderId'] } as const
const byWallet = { by: walletOrderDetails, ask: ['identifier', 'uniqueId'] } as const

/** What each status of an order says; of a status nobody knows nothing is said. */
function told(says: Readonly<Record<Seen, readonly string[]>>): (status: string) => Seen {
  const kinds = Object.keys(says) as Seen[]
  return (status) => {
    // REFUNDED_BY_ has the name of the one who gave the money back (service.md#order-statuses).
    const one = status.startsWith('REFUNDED_BY_') ? 'REFUNDED' : status
    return kinds.find((kind) => says[kind].includes(one)) ?? 'unclear'
  }
}

/** Tetri or cents of an amount as it stands in a request or an answer; null where it is none. */
function unitsIn({ amount }: Members): bigint | null {
  return minorUnits(plainDecimal(String(amount)) ?? '')
}

/** Details may show no amount, or 0 for none (service.md#wallet): then nothing differs. */
function otherAmount(request: Members, answer: Members): string | null {
  const [sent, paid] = [unitsIn(request), unitsIn(answer)]
  if (sent === null || !paid || sent === paid) return null
  return `of ${fromMinorUnits(paid)}, where ${fromMinorUnits(sent)} was sent`
}

/** Whether a read that found no other sum has shown the sum at all. */
function showsSum({ differs }: Look, answer: unknown): boolean {
  return differs !== undefined && isRecord(answer) && Boolean(unitsIn(answer))
}

const refunds = ['REFUND_REQUESTED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'REFUNDED_FAILED']

const looks: Readonly<Record<string, Look>> = {
  [createOrder.name]: { ...byOrder, shows: (status) => (orderStatusFacts(status) ? 'ran' : 'unclear') },
  [cancelOrder.name]: {
    ...byOrder,
    shows: told({
      ran: ['CANCELED'],
      'no-trace': ['INITIAL', 'PROCESSING'],
      over: ['SUCCESS', 'FAILED', 'EXPIRED', 'WAITING_FOR_CONFIRM', ...refunds],
      unclear: [],
    }),
  },
  [completeOrder.name]: {
    ...byOrder,
    shows: told({
      ran: ['SUCCESS', ...refunds],
      'no-trace': ['WAITING_FOR_CONFIRM'],
      over: ['CANCELED', 'EXPIRED', 'FAILED'],
      unclear: [],
    }),
  },
  // A refund has no id of its own: another one of the same order would look the same.
  [refundOrder.name]: {
    ...byOrder,
    shows: told({ ran: [], 'no-trace': ['SUCCESS'], over: [], unclear: [] }),
  },
  [createWalletOrder.name]: { ...byWallet, shows: (status) => (walletStatusFacts(status) ? 'ran' : 'unclear') },
  [finalizeWalletOrder.name]: {
    ...byWallet,
    shows: told({ ran: ['SUCCESS'], 'no-trace': ['REGISTERED'], over: ['FAILED', 'CANCELED'], unclear: [] }),
    differs: otherAmount,
  },
  [cancelWalletOrder.name]: {
    ...byWallet,
    shows: told({ ran: ['FAILED', 'CANCELED'], 'no-trace': ['REGISTERED'], over: ['SUCCESS'], unclear: [] }),
  },
}

/** Reads what the service shows of an open write. Throws only when it was interrupted. */
export async function evidenceOf(desk: Desk, intent: Intent, deadline: number): Promise<Evidence> {
  const evidence = await shown(desk, intent, deadline)
  if (!('because' in evidence) || evidence.kind === 'ran' || evidence.kind === 'unreadable') return evidence
  const before = await toldBefore(desk, intent)
  if (before === null) return evidence
  return { ...evidence, kind: 'unclear', because: `${evidence.because}, and it was answered ${before}` }
}

/** The status with which the service once said that the write had been done before: no read of the contrary outweighs it. */
async function toldBefore({ journal }: Desk, intent: Intent): Promise<string | null> {
  const statuses = writeNamed(intent.operation)?.proof.doneBefore ?? []
  if (statuses.length === 0) return null
  const attempts = await journal.attempts(intent)
  const told = attempts.filter(({ statusCode }) => statusCode === null).map(({ message }) => message ?? '')
  return told.find((message) => statuses.includes(message)) ?? null
}

async function shown(desk: Desk, intent: Intent, deadline: number): Promise<Evidence> {
  const look = looks[intent.operation]
  const request = readJson(intent.body)
  if (!look || !isRecord(request)) return { kind: 'none' }
  const asked = Object.fromEntries(look.ask.map((name) => [name, request[name]]))
  try {
    const answer = await call(desk, look.by, asked, deadline)
    const other = isRecord(answer) ? otherId(asked, answer) : null
    if (other !== null) return { kind: 'unreadable', because: other }
    const status = isRecord(answer) && typeof answer.status === 'string' ? answer.status : null
    if (status === null) return { kind: 'unreadable', because: `${look.by.name} shows no status` }
    const kind = look.shows(status)
    const because = `${look.by.name} reads ${status}`
    const difference = kind === 'ran' && isRecord(answer) ? look.differs?.(request, answer) : null
    if (difference) return { kind: 'differs', because: `${because} ${difference}` }
    if (kind === 'ran') return { kind, status, because, sumConfirmed: showsSum(look, answer) }
    return { kind, status, because }
  } catch (error) {
    if (desk.signal.aborted || !(error instanceof Failure)) throw error
    if (error.kind !== 'not-found') return { kind: 'unreadable', because: error.message, failure: error }
    // Even what the write is about may still be on its way: its create may have been late, too.
    return { kind: 'absent', because: `${look.by.name} does not know it` }
  }
}

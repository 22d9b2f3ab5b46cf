/**
 * A write that changes an order that is there already. Where the service refuses with "not any more", a read says what the
 * order is instead: the refusal stands, and gets words that help.
 */
import type { ReadOperation, WriteOperation } from '../../contract/operation.ts'
import { cancelOrder, completeOrder, orderStatus } from '../../contract/order/order.ts'
import { refundOrder } from '../../contract/order/refund.ts'
import { orderStatusFacts } from '../../contract/order/status.ts'
import { walletStatusFacts } from '../../contract/wallet/status.ts'
import { cancelWalletOrder, walletOrderDetails } from '../../contract/wallet/wallet.ts'
import { Failure } from '../../failure.ts'
import { isRecord } from '../../json.ts'
import { otherId } from '../acceptance.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { filledIn } from '../receipt/refusal.ts'
import { askedAgain } from '../recover/asked-again.ts'
import type { Settled } from '../recover/settled.ts'
import { type SubmitOptions, submit } from '../submit.ts'

type Request = Readonly<Record<string, unknown>>

interface Change {
  readonly by: ReadOperation
  /** The fields of the write that the read asks with. */
  readonly ask: readonly string[]
  /** The codes that stand for what the order is, whatever it is. */
  readonly codes: readonly number[]
  readonly factsOf: (status: string) => { readonly means: string } | null
  /** What the order may be: then something else was in the way. */
  readonly possible: readonly string[]
  readonly done: string
  /** What to do next, by status. */
  readonly next?: Readonly<Record<string, string>>
}

const ofOrder = {
  by: orderStatus,
  ask: ['integratorId', 'integratorOrderId'],
  codes: [6003, 6006, 6015, 6016, 6017],
  factsOf: orderStatusFacts,
}

const changes: Readonly<Record<string, Change>> = {
  [cancelOrder.name]: { ...ofOrder, possible: ['INITIAL', 'PROCESSING'], done: 'cancelled' },
  [completeOrder.name]: { ...ofOrder, possible: ['WAITING_FOR_CONFIRM'], done: 'completed' },
  [refundOrder.name]: {
    ...ofOrder,
    possible: ['SUCCESS', 'PARTIALLY_REFUNDED', 'REFUNDED_FAILED'],
    done: 'refunded now',
    next: {
      REFUND_REQUESTED:
        'Wait until that refund has ended (`paydesk order status <integratorOrderId>`), then run this again.',
    },
  },
  [cancelWalletOrder.name]: {
    by: walletOrderDetails,
    ask: ['identifier', 'uniqueId'],
    codes: [6110],
    factsOf: walletStatusFacts,
    possible: ['REGISTERED'],
    done: 'cancelled',
  },
}

/** Milliseconds that a refusal waits for better words. */
const patience = 5_000

/** As `submit`, and as `askedAgain` where it was done before. */
export async function submitChange(
  desk: Desk,
  operation: WriteOperation,
  request: Request,
  options: SubmitOptions = {},
): Promise<Settled> {
  try {
    return await askedAgain(desk, await submit(desk, operation, request, options))
  } catch (error) {
    const change = changes[operation.name]
    const code = error instanceof Failure ? error.facts.service?.statusCode : null
    if (!(error instanceof Failure) || error.kind !== 'refused' || !change?.codes.includes(code ?? 0)) throw error
    const status = await statusOf(desk, change, request, desk.clock.now() + patience)
    throw status === null ? error : explained(error, change, status, request)
  }
}

/** Null where it cannot be read: then the refusal has to speak for itself. */
async function statusOf(desk: Desk, { by, ask }: Change, request: Request, deadline: number): Promise<string | null> {
  const asked = Object.fromEntries(ask.map((name) => [name, request[name]]))
  const answer = await call(desk, by, asked, deadline).catch(() => null)
  if (!isRecord(answer) || otherId(asked, answer) !== null) return null
  return typeof answer.status === 'string' ? answer.status : null
}

function explained(refused: Failure, change: Change, status: string, request: Request): Failure {
  const facts = change.factsOf(status)
  if (!facts || change.possible.includes(status)) return refused
  const { service } = refused.facts
  const message = `the service refused (${service?.statusCode}): the order is ${status} (${facts.means}) and cannot be ${change.done}`
  const next = change.next?.[status]
  return new Failure('refused', message, {
    ...refused.facts,
    status,
    hints: next === undefined ? [] : [filledIn(next, request)],
  })
}

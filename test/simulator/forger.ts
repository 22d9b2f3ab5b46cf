/**
 * A false success, from a service that executed the write or did not: an unknown status, the id of another write,
 * another sum, nothing at all, half an answer, or the code of a refusal in the dress of a success.
 */
import { createPublicKey } from 'node:crypto'
import { sql } from 'kysely'
import { jsonHeaders } from '../../src/lib/client/answer.ts'
import { openRequest, receivedMembers, writeSealedAnswer } from '../../src/lib/client/sealed.ts'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import type { Operation } from '../../src/lib/contract/operation.ts'
import { cancelOrder, completeOrder, createOrder, orderStatus } from '../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../src/lib/contract/order/refund.ts'
import { createPayout } from '../../src/lib/contract/payout/payout.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../../src/lib/contract/wallet/wallet.ts'
import type { HttpAnswer, HttpRequest } from '../../src/lib/http/message.ts'
import { isRecord, readJson, writeJson } from '../../src/lib/json.ts'
import { failing } from './trade.ts'
import { operationOf, type World } from './world.ts'

type Members = Readonly<Record<string, unknown>>

/** Statuses that say of something that was not done neither that it was nor that it was refused. */
const others: Readonly<Record<string, readonly string[]>> = {
  // Any status will do for a payout: its transactionId says that the service has it.
  [createPayout.name]: [],
  [createOrder.name]: ['nonsense'],
  [cancelOrder.name]: ['nonsense', 'SUCCESS', 'EXPIRED', 'INITIAL'],
  [completeOrder.name]: ['nonsense', 'CANCELED', 'EXPIRED', 'FAILED'],
  [refundOrder.name]: ['nonsense', 'REFUNDED_FAILED', 'INITIAL'],
  [createWalletOrder.name]: ['nonsense', 'REJECTED'],
  [finalizeWalletOrder.name]: ['nonsense', 'REGISTERED'],
  [cancelWalletOrder.name]: ['nonsense', 'SUCCESS', 'REGISTERED'],
  [orderStatus.name]: ['nonsense'],
  [walletOrderDetails.name]: ['nonsense'],
}

/** The usual success of an operation. */
const done: Readonly<Record<string, Members>> = {
  [createPayout.name]: { transactionId: 1, status: 'INITIAL', createdAt: '2026-11-20T09:00:00' },
  [cancelOrder.name]: { status: 'CANCELED' },
  [completeOrder.name]: { status: 'SUCCESS' },
  [refundOrder.name]: { status: 'REFUND_REQUESTED' },
  [createWalletOrder.name]: { status: 'REGISTERED' },
  [finalizeWalletOrder.name]: { status: 'SUCCESS' },
  [cancelWalletOrder.name]: { status: 'CANCELED' },
  [orderStatus.name]: { status: 'SUCCESS' },
  [walletOrderDetails.name]: { status: 'SUCCESS' },
}

/** The request as its receiver reads it. */
export async function readBack({ seal }: World, operation: Operation, request: HttpRequest): Promise<Members> {
  if (operation.wire === 'bearer') {
    const body = readJson(request.body ?? '{}')
    return isRecord(body) ? body : {}
  }
  const [key] = seal?.own ?? []
  const members = receivedMembers(operation, request)
  if (!seal || !key || !members) return {}
  // One pair serves both sides.
  const received = await openRequest(operation, members, { key, scheme: seal.scheme })
  return received.ok ? received.request : {}
}

/** A payout that is about to fail, as it is answered by a service that knows that at once. */
function overAlready(asked: Members, really: HttpAnswer | null): Members | null {
  const answer = really?.status === 200 && asked.description === failing ? readJson(really.body) : null
  return isRecord(answer) ? { ...answer, status: 'FAILED' } : null
}

/** No sum of any story. */
const otherAmount = new JsonNumber('31.41')

/** Sealed as the service seals, where it seals. */
function written({ seal }: World, operation: Operation, value: unknown): HttpAnswer {
  const [key] = seal?.own ?? []
  if (operation.wire === 'bearer' || !seal || !key) {
    return { status: 200, headers: jsonHeaders, body: writeJson(value) }
  }
  return writeSealedAnswer(value, createPublicKey(key), seal.scheme)
}

/** The status that a read shows indeed: another one could not be seen through by what names no sum. */
async function trueStatus({ service }: World, operation: Operation, own: Members): Promise<Members> {
  if (operation.effect === 'write') return {}
  const [table, column, id] =
    operation.name === walletOrderDetails.name
      ? (['wallet_orders', 'unique_id', own.uniqueId] as const)
      : (['orders', 'integrator_order_id', own.integratorOrderId] as const)
  const { rows } = await service.ask((db) =>
    sql<{ status: string }>`select status from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(db),
  )
  return { status: rows[0]?.status ?? 'nonsense' }
}

export async function forged(
  world: World,
  request: HttpRequest,
  deliver: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const operation = operationOf(request)
  const statuses = operation && others[operation.name]
  if (!operation || !statuses) return deliver()
  const { fate } = world
  const runs = operation.effect === 'write' && fate.chance(0.4)
  const really = runs ? await deliver() : null
  const asked = await readBack(world, operation, request)
  const { uniqueId, integratorOrderId } = asked
  const own = { ...(uniqueId ? { uniqueId } : {}), ...(integratorOrderId ? { integratorOrderId } : {}) }
  const foreign = Object.fromEntries(Object.keys(own).map((name) => [name, fate.random().uuid()]))
  const success = done[operation.name] ?? {}
  const over = operation.name === createPayout.name && fate.chance(0.5) ? overAlready(asked, really) : null
  if (over) {
    world.note('a payout is answered with its end')
    return written(world, operation, over)
  }
  const tellsSum = operation.effect === 'read' || 'amount' in operation.proof.sum(asked)
  // After an execution, the code or the status of a refusal would be a lie that cannot be seen through.
  const lies: readonly [Members, ...Members[]] = [
    {},
    { ...success, ...foreign },
    ...(tellsSum ? [{ ...success, ...own, ...(await trueStatus(world, operation, own)), amount: otherAmount }] : []),
    ...statuses.filter((status) => !runs || status === 'nonsense').map((status) => ({ ...success, ...own, status })),
    ...(runs ? [] : [{ ...success, ...own, statusCode: operation.area === 'A' ? 5038 : 6017, message: 'No' }]),
  ]
  const lie: Members = fate.pick(lies)
  const whole = written(world, operation, lie)
  const cut = fate.chance(0.15)
  // Whatever a read shows of a thing says that the service has it, and a status beside a code stays with what is open.
  const showsIt = operation.effect === 'read' && (lie.status === 'nonsense' || 'statusCode' in lie)
  if ((tellsSum && 'amount' in lie) || showsIt) world.puzzled.add(String(uniqueId ?? integratorOrderId))
  world.note(`a lie ${runs ? 'about what ran' : ''} ${operation.name} ${JSON.stringify(lie)}${cut ? ' cut' : ''}`)
  return cut ? { ...whole, body: whole.body.slice(0, whole.body.length / 2) } : whole
}

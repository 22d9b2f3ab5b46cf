/** The writes against a service by hand: for each its command, the request that leaves, the documented success, and a code that refuses it. */
import { writeFileSync } from 'node:fs'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { writeJson } from '../../../src/lib/json.ts'
import { beneficiaryIban, create as payoutCreate } from '../payment.ts'
import { foreignOrder, handOrder } from './hand-desk.ts'
import type { Said } from './sealed-by-hand.ts'

export type Members = Readonly<Record<string, unknown>>

export interface HandWrite {
  readonly operation: string
  /** Without profile and format. */
  readonly argv: (home: string) => readonly string[]
  /** The request that this command sends, as the contract has it inside. */
  readonly request: Members
  readonly done: Members
  /** A code, and its group, with which the service refuses it. */
  readonly refusal: readonly [code: number, group: number]
  /** The status that its thing keeps where it was refused, `absent` where there is none; no read is needed where this is absent. */
  readonly kept?: string
}

export const number = (value: number | string): JsonNumber => new JsonNumber(String(value))

function file(home: string, name: string, text: string): string {
  const path = `${home}/${name}`
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

export const cardToken = '454d428e-4419-4cee-aa68-eae36cc82c81'

const yes = '--yes'
const integratorId = '0f8fad5b-d9cb-469f-a165-70867728950e'
const identifier = '5c2f7a10-2222-4a11-8c11-000000000201'
const order = { integratorOrderId: handOrder }
const wallet = { uniqueId: handOrder }
const uri = `https://pay.example/pay?qrType=REQUEST&receiverType=USER&receiverId=${foreignOrder}&amount=25.00&currency=GEL`
const newOrder = ['--amount', '12.50', '--receiver-id', foreignOrder, '--integrator-order-id', handOrder]
const orderRequest = { amount: '12.5', receiverId: foreignOrder, receiverType: 'BRANCH', integratorId, ...order }

/** Those whose answers are sealed, by their commands. */
export const sealedWrites = {
  'order create': {
    operation: 'order.create',
    argv: () => ['order', 'create', ...newOrder, yes],
    request: orderRequest,
    done: { ...order, urlForQR: 'https://pay.example/1' },
    refusal: [6022, 3],
  },
  'order create with a card': {
    operation: 'order.create',
    argv: (home) => ['order', 'create', ...newOrder, '--card-token-file', file(home, 'card', cardToken), yes],
    request: { ...orderRequest, cardToken },
    done: { ...order, status: 'SUCCESS' },
    refusal: [6022, 3],
  },
  'order cancel': {
    operation: 'order.cancel',
    argv: () => ['order', 'cancel', handOrder, yes],
    request: { integratorId, ...order },
    done: { ...order, status: 'CANCELED' },
    refusal: [6006, 2],
    kept: 'PROCESSING',
  },
  'order complete': {
    operation: 'order.complete',
    argv: () => ['order', 'complete', handOrder, '--amount', '5', yes],
    request: { integratorId, ...order, amount: '5' },
    done: { ...order, status: 'SUCCESS' },
    refusal: [6026, 1],
  },
  'order refund': {
    operation: 'order.refund',
    argv: () => ['order', 'refund', handOrder, '--amount', '5', '--key', 'r-1', yes],
    request: { integratorId, ...order, amount: '5' },
    done: { ...order, status: 'REFUND_REQUESTED' },
    refusal: [6007, 1],
    kept: 'SUCCESS',
  },
  'user register': {
    operation: 'user.register',
    argv: (home) => ['user', 'register', '--file', file(home, 'user.json', '{"name":"Nino"}'), yes],
    request: { name: 'Nino' },
    done: { userId: handOrder },
    refusal: [6053, 1],
  },
  'wallet create': {
    operation: 'wallet.create',
    argv: () => ['wallet', 'create', '--unique-id', handOrder, '--uri', uri, yes],
    request: { identifier, ...wallet, uri },
    done: { ...wallet, status: 'REGISTERED', amount: number('25.00'), receiverName: 'Nino' },
    refusal: [6109, 1],
    kept: 'absent',
  },
  'wallet finalize': {
    operation: 'wallet.finalize',
    argv: () => ['wallet', 'finalize', '--unique-id', handOrder, '--amount', '25', '--final-status', 'SUCCESS', yes],
    request: { identifier, ...wallet, amount: '25', finalStatus: 'SUCCESS' },
    done: { ...wallet, status: 'SUCCESS' },
    refusal: [6110, 1],
    kept: 'REGISTERED',
  },
  'wallet cancel': {
    operation: 'wallet.cancel',
    argv: () => ['wallet', 'cancel', handOrder, yes],
    request: { identifier, ...wallet },
    done: { ...wallet, status: 'CANCELED' },
    refusal: [6040, 1],
    kept: 'REGISTERED',
  },
  'subscription revoke': {
    operation: 'subscription.revoke',
    argv: () => ['subscription', 'revoke', handOrder, yes],
    request: { subscriptionId: handOrder },
    done: { subscriptionId: handOrder, status: 'REVOKED' },
    refusal: [6100, 5],
  },
} as const satisfies Readonly<Record<string, HandWrite>>

/** The one that is not sealed. */
export const payout = {
  operation: 'payout.create',
  argv: () => payoutCreate({ profile: null, 'unique-id': handOrder }),
  request: {
    ...{ amount: '12.5', currency: 'GEL', toIban: beneficiaryIban, uniqueId: handOrder },
    beneficiaryName: 'Nino Beridze',
    description: 'Salary, November',
  },
  done: { transactionId: number(4711), status: 'INITIAL', uniqueId: handOrder, createdAt: '2026-11-20T10:00:00' },
  refusal: [5038, 0],
} as const satisfies HandWrite

export const writes: Readonly<Record<WriteName, HandWrite>> = { ...sealedWrites, 'payout create': payout }

export type WriteName = keyof typeof sealedWrites | 'payout create'

/** A body in the clear. */
export function plain(value: unknown, status = 400): Said {
  return { plain: { status, headers: { 'content-type': 'application/json' }, body: writeJson(value) } }
}

/** A success of this write, as the service gives it: sealed, but for payouts. */
export function success(write: WriteName, value: unknown, status = 200): Said {
  return write === 'payout create' ? plain(value, status) : { value, status }
}

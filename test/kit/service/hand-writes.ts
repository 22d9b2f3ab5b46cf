/** The eleven writes against a service by hand: the command, the operation, and the documented success of it. */
import { writeFileSync } from 'node:fs'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { isRecord } from '../../../src/lib/json.ts'
import type { Ended } from '../program/paydesk.ts'
import { broken, foreignOrder, type HandDesk, handDesk, handOrder } from './hand-desk.ts'
import { type HandPayout, handPayout } from './hand-payout.ts'
import { json } from './service-by-hand.ts'

type Members = Readonly<Record<string, unknown>>

export interface HandWrite {
  readonly operation: string
  readonly argv: (home: string) => readonly string[]
  readonly done: Members
}

function file(home: string, name: string, text: string): string {
  const path = `${home}/${name}`
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

export const cardToken = '454d428e-4419-4cee-aa68-eae36cc82c81'

const yes = '--yes'
const order = { integratorOrderId: handOrder }
const wallet = { uniqueId: handOrder }
const uri = `https://pay.example/pay?qrType=REQUEST&receiverType=USER&receiverId=${foreignOrder}&amount=25.00&currency=GEL`
const create = [
  'order',
  'create',
  '--amount',
  '12.50',
  '--receiver-id',
  foreignOrder,
  '--integrator-order-id',
  handOrder,
]

/** All but the payout, which is not sealed. */
export const sealedWrites: Readonly<Record<string, HandWrite>> = {
  'an order': {
    operation: 'order.create',
    argv: () => [...create, yes],
    done: { ...order, urlForQR: 'https://pay.example/1' },
  },
  'a charge of a card': {
    operation: 'order.create',
    argv: (home) => [...create, '--card-token-file', file(home, 'card', cardToken), yes],
    done: { ...order, status: 'SUCCESS' },
  },
  'a cancellation': {
    operation: 'order.cancel',
    argv: () => ['order', 'cancel', handOrder, yes],
    done: { ...order, status: 'CANCELED' },
  },
  'a completion': {
    operation: 'order.complete',
    argv: () => ['order', 'complete', handOrder, '--amount', '5', yes],
    done: { ...order, status: 'SUCCESS' },
  },
  'a refund': {
    operation: 'order.refund',
    argv: () => ['order', 'refund', handOrder, '--amount', '5', '--key', 'r-1', yes],
    done: { ...order, status: 'REFUND_REQUESTED' },
  },
  'a registration of a user': {
    operation: 'user.register',
    argv: (home) => ['user', 'register', '--file', file(home, 'user.json', '{"name":"Nino"}'), yes],
    done: { userId: handOrder },
  },
  'a wallet order': {
    operation: 'wallet.create',
    argv: () => ['wallet', 'create', '--unique-id', handOrder, '--uri', uri, yes],
    done: { ...wallet, status: 'REGISTERED', amount: new JsonNumber('25.00'), receiverName: 'Nino' },
  },
  'a finalize': {
    operation: 'wallet.finalize',
    argv: () => ['wallet', 'finalize', '--unique-id', handOrder, '--amount', '25', '--final-status', 'SUCCESS', yes],
    done: { ...wallet, status: 'SUCCESS' },
  },
  'a deletion': {
    operation: 'wallet.cancel',
    argv: () => ['wallet', 'cancel', handOrder, yes],
    done: { ...wallet, status: 'CANCELED' },
  },
  'a revocation': {
    operation: 'subscription.revoke',
    argv: () => ['subscription', 'revoke', handOrder, yes],
    done: { subscriptionId: handOrder, status: 'REVOKED' },
  },
}

/** The first answer to the write, and none to anything else. */
export async function answeredWith(
  { operation, argv }: HandWrite,
  value: unknown,
): Promise<{ desk: HandDesk; ended: Ended }> {
  const desk = await handDesk(({ name, count }) => (name === operation && count === 1 ? { value } : broken))
  return { desk, ended: await desk.run(...argv(desk.home)) }
}

export const payoutDone = {
  transactionId: 4711,
  status: 'INITIAL',
  uniqueId: handOrder,
  createdAt: '2026-11-20T10:00:00',
}

/** JSON as the service writes it, its numbers plain. */
function plain(value: unknown): unknown {
  if (value instanceof JsonNumber) return Number(value.text)
  if (Array.isArray(value)) return value.map(plain)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

/** A payout that is answered with this, each time it is sent. */
export async function paidWith(value: unknown): Promise<{ desk: HandPayout; ended: Ended }> {
  const desk = await handPayout(({ path }) => (path === '/api/distributor' ? json(plain(value) as object) : undefined))
  return { desk, ended: await desk.pay() }
}

/**
 * The eleven writes of the service, as the fault table needs them: the command, where its request arrives, the
 * documented success, and what a read shows before and after the execution.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type WriteName =
  | 'payout create'
  | 'order create'
  | 'charge of a saved card'
  | 'order cancel'
  | 'order refund'
  | 'order complete'
  | 'user register'
  | 'wallet create'
  | 'wallet finalize'
  | 'wallet cancel'
  | 'subscription revoke'

type Members = Readonly<Record<string, unknown>>

export interface Write {
  readonly name: WriteName
  readonly area: 'A' | 'B' | 'C'
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly argv: (home: string) => readonly string[]
  /** The member of the request that answers repeat; null where there is none. */
  readonly echo: 'uniqueId' | 'integratorOrderId' | null
  /** The members of the documented success besides the id. */
  readonly success: Members
  /** The status that the read of its object shows before and after; null where the service does not know the object. */
  readonly reads: { readonly before: Seen; readonly after: Seen } | null
  /** The answer to a second one that the service recognises; null where it executes that, too. */
  readonly recognised: Recognised | null
}

type Seen = string | null
/** `same`: says the success once more and executes nothing. */
export type Recognised = { readonly code: number; readonly group: number | null } | { readonly status: string } | 'same'

export const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const branch = '5a9db0c0-0301-4a11-8c11-000000000301'

function file(home: string, name: string, text: string): string {
  const path = join(home, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

const payout = ['--to-iban', 'GE29NB0000000101904917', '--beneficiary-name', 'Nino Beridze', '--description', 'Salary']
const order = ['order', 'create', '--receiver-id', branch, '--integrator-order-id', id, '--amount', '12.50']
const token = '454d428e-4419-4cee-aa68-eae36cc82c81'
const orderMade = { urlForQR: 'https://pay.example/checkout/1' }

const ofOrder = { area: 'B', echo: 'integratorOrderId' } as const
const ofWallet = { area: 'C', echo: 'uniqueId' } as const

export const writes: readonly Write[] = [
  {
    name: 'payout create',
    area: 'A',
    method: 'POST',
    path: '/api/distributor',
    argv: () => ['payout', 'create', '--amount', '12.50', '--currency', 'GEL', ...payout, '--unique-id', id],
    echo: 'uniqueId',
    success: {
      transactionId: 4711,
      status: 'INITIAL',
      statusDescription: 'Created',
      createdAt: '2026-11-20T10:00:00.1',
    },
    reads: null,
    recognised: { code: 5017, group: null },
  },
  {
    name: 'order create',
    ...ofOrder,
    method: 'POST',
    path: '/api/integrator/order',
    argv: () => order,
    success: orderMade,
    reads: { before: null, after: 'INITIAL' },
    recognised: { code: 6023, group: 2 },
  },
  {
    name: 'charge of a saved card',
    ...ofOrder,
    method: 'POST',
    path: '/api/integrator/order',
    argv: (home) => [...order, '--card-token-file', file(home, 'card.token', token)],
    success: orderMade,
    reads: { before: null, after: 'SUCCESS' },
    recognised: { code: 6023, group: 2 },
  },
  {
    name: 'order cancel',
    ...ofOrder,
    method: 'DELETE',
    path: '/api/integrator/order/cancel',
    argv: () => ['order', 'cancel', id],
    success: { status: 'CANCELED' },
    reads: { before: 'INITIAL', after: 'CANCELED' },
    recognised: { code: 6006, group: 2 },
  },
  {
    name: 'order refund',
    ...ofOrder,
    method: 'POST',
    path: '/api/integrator/order/refund/v2',
    argv: () => ['order', 'refund', id, '--amount', '5', '--key', 'return-1'],
    success: { status: 'REFUND_REQUESTED' },
    reads: { before: 'SUCCESS', after: 'REFUND_REQUESTED' },
    recognised: null,
  },
  {
    name: 'order complete',
    ...ofOrder,
    method: 'POST',
    path: '/api/integrator/order/complete',
    argv: () => ['order', 'complete', id, '--amount', '5'],
    success: { status: 'SUCCESS' },
    reads: { before: 'WAITING_FOR_CONFIRM', after: 'SUCCESS' },
    recognised: null,
  },
  {
    name: 'user register',
    area: 'B',
    method: 'POST',
    path: '/api/integrator/user',
    argv: (home) => ['user', 'register', '--file', file(home, 'user.json', '{"name":"Nino"}'), '--key', 'user-1'],
    echo: null,
    success: { userId: id },
    reads: null,
    recognised: null,
  },
  {
    name: 'wallet create',
    ...ofWallet,
    method: 'POST',
    path: '/api/v1/third-party/order/create',
    argv: () => [
      'wallet',
      'create',
      '--uri',
      `https://pay.example/qr?qrType=DEFAULT&receiverType=BRANCH&receiverId=${branch}`,
      '--unique-id',
      id,
    ],
    success: { status: 'REGISTERED', amount: 25, receiverName: 'Shop' },
    reads: { before: null, after: 'REGISTERED' },
    recognised: null,
  },
  {
    name: 'wallet finalize',
    ...ofWallet,
    method: 'PUT',
    path: '/api/v1/third-party/order/finalize',
    argv: () => ['wallet', 'finalize', '--unique-id', id, '--amount', '25.00', '--final-status', 'SUCCESS'],
    success: { status: 'SUCCESS' },
    reads: { before: 'REGISTERED', after: 'SUCCESS' },
    recognised: { status: 'ALREADY_FINALISED' },
  },
  {
    name: 'wallet cancel',
    ...ofWallet,
    method: 'DELETE',
    path: '/api/v1/third-party/order/delete',
    argv: () => ['wallet', 'cancel', id],
    success: { status: 'CANCELED' },
    reads: { before: 'REGISTERED', after: 'FAILED' },
    recognised: { code: 6045, group: 5 },
  },
  {
    name: 'subscription revoke',
    area: 'B',
    method: 'POST',
    path: '/api/v1/integrator/subscription/revoke',
    argv: () => ['subscription', 'revoke', id],
    echo: null,
    success: {},
    reads: null,
    // Revoking twice is revoking.
    recognised: 'same',
  },
]

const besideOrders: readonly WriteName[] = ['payout create', 'wallet create', 'wallet finalize', 'wallet cancel']

/** Writes of orders, users and subscriptions; all others are of payouts and the wallet. */
export const orderWrites = writes.filter(({ name }) => !besideOrders.includes(name))

/** The meaning of answers: the writes of the service, and what one answer to each of them proves. */
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readBearerAnswer } from '../../src/lib/client/bearer.ts'
import { readSealedAnswer } from '../../src/lib/client/sealed.ts'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import type { ReadOperation, WriteOperation } from '../../src/lib/contract/operation.ts'
import { operations } from '../../src/lib/contract/operations.ts'
import { verdictOf } from '../../src/lib/desk/attempt-loop.ts'
import { readPrivateKey, readPublicKey } from '../../src/lib/envelope/key.ts'
import type { HttpAnswer } from '../../src/lib/http/message.ts'
import type { Verdict } from '../../src/lib/journal/verdict.ts'
import { writeJson } from '../../src/lib/json.ts'
import { keyPair } from './key-pairs.ts'
import { beneficiaryIban, create as payoutCreate } from './payment.ts'
import type { Ended } from './program.ts'
import { foreignOrder, handIdentifier, handOrder, type Said, sealedReply } from './service.ts'

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

export const failures: readonly Members[] = [
  { error: { statusCode: number(6038), message: 'no' } },
  { errors: [] },
  { Error: 'boom' },
  { error: true },
  { exception: 'Refund' },
  { errorMessage: 'insufficient balance', errorCode: number(5038) },
  { error_message: 'insufficient balance' },
  { errorCode: 'NO_BALANCE' },
  { errorDescription: 'blocked' },
  { statusCode: number(200) },
  { exceptionGroup: number(1) },
  { exceptionName: 'InsufficientBalance' },
  { fault: 'x' },
]

export const nothingFailed: readonly Members[] = [
  { error: null, errors: null, errorMessage: null, errorCode: null, exceptionGroup: null, statusCode: null },
  { code: 'OK', message: 'Success', success: true, hasErrors: false },
]

export const placesOfErrors: Readonly<Record<string, (done: Members, failure: Members) => Members>> = {
  'among its members': (done, failure) => ({ ...done, ...failure }),
  'beside its value': (done, failure) => ({ ...failure, value: done }),
  'in its value': (done, failure) => ({ value: { ...done, ...failure } }),
}

/** What one answer proves of its request. */
export type Outcome = 'accepted' | 'taken' | 'refused' | 'turned away' | 'unknown'

const outcomes: Readonly<Record<Verdict['kind'], Outcome | null>> = {
  ...{ accepted: 'accepted', duplicate: 'taken', refused: 'refused', 'turned-away': 'turned away', unknown: 'unknown' },
  unsent: null,
}

const scheme = 'oaep-sha256'

async function makeKeys() {
  const [service, own] = await Promise.all([keyPair(2048, 0), keyPair(2048, 1)])
  return {
    sealFor: readPublicKey(Buffer.from(own.publicKey), 'the integrator'),
    seal: {
      identifier: handIdentifier,
      scheme,
      toService: readPublicKey(Buffer.from(service.publicKey), 'the service'),
      own: [readPrivateKey(Buffer.from(own.privateKey), 'the integrator')],
    },
  } as const
}

let keys: ReturnType<typeof makeKeys> | undefined

/** The answer as the transport hands it over. Without headers of its own it has the length of its body, as servers write it. */
async function onTheWire(said: Said): Promise<HttpAnswer> {
  keys ??= makeKeys()
  const reply = sealedReply(said, (await keys).sealFor, scheme)
  if (typeof reply === 'string' || 'raw' in reply) throw new Error('no answer that is read whole')
  const { status = 200, body, headers = { 'content-length': String(Buffer.byteLength(body)) } } = reply
  return { status, body, headers }
}

async function read(operation: WriteOperation | ReadOperation, request: Members, said: Said) {
  const http = await onTheWire(said)
  keys ??= makeKeys()
  return operation.wire === 'open' || operation.wire === 'bearer'
    ? readBearerAnswer(operation, request, http)
    : readSealedAnswer(operation, request, http, (await keys).seal)
}

/** The verdict on an answer to a write. `currency`: that of its order, where the journal knows it. */
export async function verdictOn(name: WriteName, said: Said, currency: string | null = null): Promise<Verdict> {
  const write = writes[name]
  const operation = operations.find((each) => each.name === write.operation)
  if (operation?.effect !== 'write') throw new Error(`no write ${write.operation}`)
  const request = currency === null ? write.request : { currency, ...write.request }
  return verdictOf(operation, await read(operation, request, said), 0)
}

/** An answer to a read: the members that it shows, or the reason why it shows nothing. */
export async function readingOf(name: string, said: Said): Promise<Members | string> {
  const operation = operations.find((each) => each.name === name)
  if (operation?.effect !== 'read') throw new Error(`no read ${name}`)
  const answer = await read(operation, {}, said)
  if (answer.kind === 'accepted') return answer.answer as Members
  return answer.kind === 'unknown' ? answer.why : answer.kind
}

export interface Row {
  readonly write: WriteName
  /** The answer in words. */
  readonly answer: string
  readonly said: Said
  readonly outcome: Outcome
  /** A part of the reason, of an unknown one. */
  readonly why?: string
}

export const row = (write: WriteName, answer: string, said: Said, outcome: Outcome, why?: string): Row => ({
  ...{ write, answer, said, outcome },
  ...(why === undefined ? {} : { why }),
})

/** A test for each row. */
export function testVerdicts(rows: readonly Row[]): void {
  const titled = rows.map((each) => [each.write, each.answer, each.outcome, each] as const)
  test.each(titled)('%s: %s is %s', async (write, _answer, outcome, { said, why }) => {
    const verdict = await verdictOn(write, said)
    expect(outcomes[verdict.kind], JSON.stringify(verdict)).toBe(outcome)
    if (why !== undefined) expect(verdict).toMatchObject({ why: expect.stringContaining(why) })
  })
}

/** The answer never came: the connection ended. */
export const reset: Said = { plain: 'reset' }

/** Of an order, or of a wallet order. */
export const orderIn = (status: string, more: object = {}): Said => ({
  value: { integratorOrderId: handOrder, uniqueId: handOrder, status, ...more },
})

/** Neither done nor denied: a conflict (7) or unknown (9). */
export function mustBeUndecided(ended: Ended): void {
  expect([7, 9], ended.stdout + ended.stderr).toContain(ended.code)
  expect(ended.error.moneyMoved, ended.stderr).toBe('unknown')
}

export function mustBeUnknown(ended: Ended): void {
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 9, stdout: '', error: { moneyMoved: 'unknown' } })
}

// An integrator that talks to a served sandbox: seals payloads, sends them over HTTP, opens the answers. Knows no test runner.

import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto'
import type { Operation } from '../../../src/lib/contract/operation.ts'
import { cancelOrder, completeOrder, createOrder, orderStatus } from '../../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../../src/lib/contract/order/refund.ts'
import {
  cancelWalletOrder,
  createWalletOrder,
  finalizeWalletOrder,
  walletOrderDetails,
} from '../../../src/lib/contract/wallet/wallet.ts'
import { openWithOneOf, seal } from '../../../src/lib/envelope/envelope.ts'
import { readMembers, writeMembers } from '../../../src/lib/envelope/layout.ts'
import type { Scheme } from '../../../src/lib/envelope/scheme.ts'
import { isRecord, readJson, writeJson } from '../../../src/lib/json.ts'
import type { Sandbox } from '../../../src/lib/sandbox/sandbox.ts'

/** Ids of the world, for payloads. */
const id = (number: string) => `5a9db0c0-0${number}-4a11-8c11-000000000${number}`

export const shop = id('301')
export const secondShop = id('302')
export const sweptShop = id('303')
export const closedShop = id('304')
export const waiter = id('311')
export const walletUser = id('321')
export const walletBranch = id('322')
export const userAtLimit = id('324')
export const limitedUser = id('325')
export const blockedUser = id('326')

export interface Heard {
  readonly http: number
  /** The body as it came. */
  readonly body: string
  /** Names of the members of the body. */
  readonly members: readonly string[]
  /** The opened payload of a success, else the plain error. */
  readonly value: Record<string, unknown>
  /** The payload of a success as JSON text; null for an error. */
  readonly text: string | null
  readonly code: number | null
  readonly group: number | null
}

export type Fields = Readonly<Record<string, unknown>>

/** An integrator of the world together with its keys. */
export interface Party {
  readonly identifier: string
  readonly scheme: Scheme
  readonly toService: KeyObject
  readonly own: KeyObject
}

function partyOf(keys: { servicePublicKey: string; privateKey: string; scheme: Scheme }, identifier: string): Party {
  const der = (text: string) => Buffer.from(text, 'base64')
  return {
    identifier,
    scheme: keys.scheme,
    toService: createPublicKey({ key: der(keys.servicePublicKey), format: 'der', type: 'spki' }),
    own: createPrivateKey({ key: der(keys.privateKey), format: 'der', type: 'pkcs8' }),
  }
}

export class Caller {
  readonly url: string
  readonly party: Party

  constructor(url: string, party: Party) {
    this.url = url
    this.party = party
  }

  /** The members of an envelope around any text. */
  envelope(text: string, scheme: Scheme = this.party.scheme): Record<string, string | boolean> {
    const { identifier, toService } = this.party
    return writeMembers(seal(text, { key: toService, scheme, identifier }))
  }

  /** Sends members as they are: in the body, or in the query where the operation wants it so. */
  async sendMembers(operation: Operation, members: Fields, headers: Record<string, string> = {}): Promise<Heard> {
    const inBody = operation.carriedIn === 'body'
    const query = Object.entries(members).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    const answer = await fetch(`${this.url}${operation.path}${inBody ? '' : `?${query.join('&')}`}`, {
      method: operation.method,
      headers: { ...(inBody ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(inBody ? { body: writeJson(members) } : {}),
    })
    return await this.#heard(answer.status, await answer.text())
  }

  /** Seals a payload and sends it: a JSON text, or members that become one. */
  async send(operation: Operation, payload: Fields | string): Promise<Heard> {
    return await this.sendMembers(operation, this.envelope(typeof payload === 'string' ? payload : writeJson(payload)))
  }

  async #heard(http: number, body: string): Promise<Heard> {
    const plain = read(body)
    const layout = readMembers(plain)
    const text = layout.ok ? (await openWithOneOf(layout.envelope, [this.party.own], 'any')).read : null
    const value = text === null ? plain : read(text)
    const whole = (name: string) => (value[name] === undefined ? null : Number(String(value[name])))
    return {
      ...{ http, body, members: Object.keys(plain), value, text },
      code: text === null ? whole('statusCode') : null,
      group: text === null ? whole('exceptionGroup') : null,
    }
  }
}

/** The members of a JSON object; of a list its entries under their numbers. */
function read(text: string): Record<string, unknown> {
  try {
    const value = readJson(text)
    if (Array.isArray(value)) return { ...value }
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** An integrator of orders (B, D). Payload values are JSON: amounts numbers, or the text of one. */
export class Integrator extends Caller {
  get ids(): Fields {
    return { integratorId: this.party.identifier }
  }

  /** The smallest order; undefined leaves a field out. */
  order(fields: Fields = {}): Record<string, unknown> {
    const usual = { amount: 12.5, receiverId: shop, receiverType: 'BRANCH', ...this.ids }
    return { ...usual, integratorOrderId: randomUUID(), ...fields }
  }

  create(fields: Fields = {}): Promise<Heard> {
    return this.send(createOrder, this.order(fields))
  }

  /** Creates an order and gives back its id. */
  async created(fields: Fields = {}): Promise<string> {
    const heard = await this.create(fields)
    if (heard.code !== null) throw new Error(`not created: ${heard.body}`)
    return String(heard.value.integratorOrderId)
  }

  about(operation: Operation, integratorOrderId: unknown, more: Fields = {}): Promise<Heard> {
    return this.send(operation, { ...this.ids, integratorOrderId, ...more })
  }

  async status(integratorOrderId: unknown): Promise<string> {
    return String((await this.about(orderStatus, integratorOrderId)).value.status)
  }

  cancel(integratorOrderId: unknown): Promise<Heard> {
    return this.about(cancelOrder, integratorOrderId)
  }

  refund(integratorOrderId: unknown, amount: unknown, more: Fields = {}): Promise<Heard> {
    return this.about(refundOrder, integratorOrderId, { amount, ...more })
  }

  complete(integratorOrderId: unknown, amount: unknown): Promise<Heard> {
    return this.about(completeOrder, integratorOrderId, { amount })
  }
}

/** A wallet integrator (C). */
export class WalletIntegrator extends Caller {
  get ids(): Fields {
    return { identifier: this.party.identifier }
  }

  create(uri: string, uniqueId: unknown = randomUUID()): Promise<Heard> {
    return this.send(createWalletOrder, { ...this.ids, uniqueId, uri })
  }

  finalize(uniqueId: unknown, amount: unknown, more: Fields = {}): Promise<Heard> {
    return this.send(finalizeWalletOrder, { ...this.ids, uniqueId, amount, finalStatus: 'SUCCESS', ...more })
  }

  details(uniqueId: unknown): Promise<Heard> {
    return this.send(walletOrderDetails, { ...this.ids, uniqueId })
  }

  delete(uniqueId: unknown): Promise<Heard> {
    return this.send(cancelWalletOrder, { ...this.ids, uniqueId })
  }
}

/** An integrator of the world by its name. */
export async function integratorNamed(sandbox: Sandbox, url: string, name = 'sandbox'): Promise<Integrator> {
  const known = await sandbox.integrator(name)
  if (!known) throw new Error(`nobody is called ${name}`)
  return new Integrator(url, partyOf(known, known.integratorId))
}

export async function walletNamed(sandbox: Sandbox, url: string, name = 'sandbox'): Promise<WalletIntegrator> {
  const known = await sandbox.walletIntegrator(name)
  if (!known) throw new Error(`no wallet is called ${name}`)
  return new WalletIntegrator(url, partyOf(known, known.identifier))
}

/** The address of a QR code. */
export function qr(query: Readonly<Record<string, string>>): string {
  return `https://pay.example/pay?${new URLSearchParams(query)}`
}

export const qrOpen = (receiverId: string, receiverType = 'USER') => qr({ qrType: 'DEFAULT', receiverType, receiverId })

export const qrRequest = (receiverId: string, amount: string, receiverType = 'USER') =>
  qr({ qrType: 'REQUEST', receiverType, receiverId, amount, currency: 'GEL' })

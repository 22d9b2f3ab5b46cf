/** A service for orders whose answers a test writes itself: it opens what arrives and seals what it answers. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRequest, receivedMembers, writeSealedAnswer } from '../../../src/lib/client/sealed.ts'
import { operations } from '../../../src/lib/contract/operations.ts'
import { readPrivateKey, readPublicKey } from '../../../src/lib/envelope/key.ts'
import { keyPair } from '../key-pairs.ts'
import { type Flags, flags } from '../payment.ts'
import { paydesk } from '../program/paydesk.ts'
import { type Reply, type Seen, serviceByHand } from '../service/service-by-hand.ts'

export const handIntegrator = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** A request that arrived: its operation, and its opened text, digit for digit. */
export interface Opened {
  readonly operation: string
  readonly text: string
}

export interface OrdersByHand {
  readonly opened: readonly Opened[]
  stop(): Promise<void>
}

/** A value to be sealed, or a reply as it stands. */
type Answering = (request: Opened, count: number) => { readonly value: unknown } | Reply

const scheme = 'oaep-sha256'

async function open(request: Seen, key: string): Promise<Opened> {
  const operation = operations.find(({ method, path }) => method === request.method && path === request.path)
  if (!operation) throw new Error(`there is no ${request.method} ${request.path}`)
  const query = [...new URLSearchParams(request.query)]
  const http = { method: operation.method, path: request.path, query, headers: {}, body: request.body || null }
  const members = receivedMembers(operation, http) ?? {}
  const received = await openRequest(operation, members, {
    key: readPrivateKey(Buffer.from(key), 'the service'),
    scheme,
  })
  if (!received.ok) throw new Error('what arrived does not open')
  return { operation: operation.name, text: received.text }
}

/** Starts it, and adds the profile `hand` for it. */
export async function ordersByHand(home: string, answering: Answering, more: Flags = {}): Promise<OrdersByHand> {
  const [service, own] = [await keyPair(2048, 0), await keyPair(2048, 1)]
  const opened: Opened[] = []
  const { url, stop } = await serviceByHand(async (request) => {
    const one = await open(request, service.privateKey)
    opened.push(one)
    const answer = answering(one, opened.filter(({ operation }) => operation === one.operation).length)
    if (typeof answer === 'string' || !('value' in answer)) return answer
    const sealed = writeSealedAnswer(answer.value, readPublicKey(Buffer.from(own.publicKey), 'the integrator'), scheme)
    return { status: sealed.status, headers: { ...sealed.headers }, body: sealed.body ?? '' }
  })
  const file = (name: string, text: string) => {
    const path = join(home, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  const given = {
    'base-url': url,
    environment: 'test',
    'integrator-id': handIntegrator,
    'service-public-key': file('service.key', service.publicKey),
    'private-key': file('own.key', own.privateKey),
    ...more,
  }
  const added = await paydesk(['profile', 'add', 'hand', ...flags(given)], { home })
  if (added.code !== 0) throw new Error(`the profile was not added: ${added.stderr}`)
  return { opened, stop }
}

/** An error of the service, plain. */
export function coded(statusCode: number, exceptionGroup: number, status = 400): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'no', statusCode, exceptionGroup }),
  }
}

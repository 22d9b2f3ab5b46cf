/**
 * A service by hand for the sealed areas: what arrives is opened and handed to the test, and what it says is sealed
 * for the integrator.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeError } from '../../../src/lib/client/answer.ts'
import { openRequest, receivedMembers, writeSealedAnswer } from '../../../src/lib/client/sealed.ts'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import type { Members } from '../../../src/lib/contract/core/members.ts'
import { operations } from '../../../src/lib/contract/operations.ts'
import { readPrivateKey, readPublicKey } from '../../../src/lib/envelope/key.ts'
import type { Scheme } from '../../../src/lib/envelope/scheme.ts'
import type { HttpRequest } from '../../../src/lib/http/message.ts'
import { writeJson } from '../../../src/lib/json.ts'
import { keyPair } from '../key-pairs.ts'
import { type Flags, flags } from '../payment.ts'
import { paydesk } from '../program/paydesk.ts'
import { bytesOf, type Reply, type Seen, type ServiceByHand, serviceByHand } from './service-by-hand.ts'

export interface SealedCall {
  /** Of the operation. */
  readonly name: string
  readonly request: Readonly<Record<string, unknown>>
  /** The number of requests of this operation, this one among them. */
  readonly count: number
}

/** `value` is sealed, and `clear` stands beside its envelope; a code goes out plain. */
export type Said =
  | { readonly value: unknown; readonly status?: number; readonly clear?: Members }
  | { readonly code: number; readonly group?: number }
  | { readonly plain: Reply }
  /** Bytes as they stand, and behind them, so many milliseconds later, the sealed value. */
  | { readonly raw: string; readonly behind: unknown; readonly after: number }

export const handIdentifier = '5c2f7a10-2222-4a11-8c11-000000000201'

export interface SealedByHand extends Pick<ServiceByHand, 'url' | 'seen' | 'stop'> {
  /** The requests, opened. */
  readonly calls: readonly SealedCall[]
}

function asRequest({ method, path, query, headers, body }: Seen): HttpRequest {
  const plain = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  return {
    ...{ method: method as 'GET', path, body: body === '' ? null : body },
    query: [...new URLSearchParams(query)],
    headers: Object.fromEntries(plain),
  }
}

/** The reply on the wire. */
export function sealedReply(said: Said, own: Parameters<typeof writeSealedAnswer>[1], scheme: Scheme): Reply {
  if ('plain' in said) return said.plain
  if ('raw' in said) {
    const sealed = bytesOf('200 OK', JSON.parse(writeSealedAnswer(said.behind, own, scheme).body))
    const { raw, after } = said
    return after === 0 ? { raw: raw + sealed } : { raw, later: { raw: sealed, after } }
  }
  if ('value' in said) {
    const sealed = writeSealedAnswer(said.value, own, scheme)
    const body = said.clear ? writeJson({ ...(JSON.parse(sealed.body) as object), ...said.clear }) : sealed.body
    return { ...sealed, body, status: said.status ?? 200 }
  }
  const number = (value: number) => new JsonNumber(String(value))
  const group = said.group === undefined ? {} : { exceptionGroup: number(said.group) }
  return writeError(400, { message: `code ${said.code}`, statusCode: number(said.code), ...group })
}

/** Answers as `answering` says. `scheme` is that of requests and answers. */
export async function sealedByHand(
  answering: (call: SealedCall) => Said | Promise<Said>,
  scheme: Scheme = 'rsa-pkcs1',
): Promise<SealedByHand> {
  const key = readPrivateKey(Buffer.from((await keyPair(2048, 0)).privateKey), 'the service')
  const own = readPublicKey(Buffer.from((await keyPair(2048, 1)).publicKey), 'the integrator')
  const calls: SealedCall[] = []
  const service = await serviceByHand(async (seen) => {
    const operation = operations.find(({ method, path }) => method === seen.method && path === seen.path)
    if (operation?.wire !== 'sealed' && operation?.wire !== 'wallet') return undefined
    const members = receivedMembers(operation, asRequest(seen))
    const opened = members && (await openRequest(operation, members, { key, scheme }))
    if (!opened?.ok) return sealedReply({ code: 6010, group: 6 }, own, scheme)
    const count = calls.filter(({ name }) => name === operation.name).length + 1
    const call = { name: operation.name, request: opened.request, count }
    calls.push(call)
    return sealedReply(await answering(call), own, scheme)
  })
  return { url: service.url, seen: service.seen, stop: service.stop, calls }
}

/** Adds a profile for it: the wallet's settings, or with `more` others. */
export async function addSealedProfile(home: string, name: string, url: string, more: Flags = {}): Promise<void> {
  const put = (file: string, text: string) => {
    const path = join(home, file)
    writeFileSync(path, `${text}\n`, { mode: 0o600 })
    return path
  }
  const given: Flags = {
    ...{ 'base-url': url, environment: 'test', 'wallet-identifier': handIdentifier },
    'service-public-key': put('service.pub', (await keyPair(2048, 0)).publicKey),
    'private-key': put('own.key', (await keyPair(2048, 1)).privateKey),
    ...more,
  }
  const added = await paydesk(['profile', 'add', name, ...flags(given)], { home })
  if (added.code !== 0) throw new Error(`the profile was not added: ${added.stderr}`)
}

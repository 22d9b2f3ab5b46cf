/**
 * Areas B, C and D on HTTP (service.md#envelope, service.md#wallet-envelope): the payload rides in an envelope, a JSON
 * body or query parameters; a success comes back sealed, an error never. The desk seals requests and opens answers, the
 * sandbox the other way round.
 */
import type { KeyObject } from 'node:crypto'
import { readPayload, writePayload } from '../contract/core/field.ts'
import type { Members } from '../contract/core/members.ts'
import type { AnswerOf, Operation } from '../contract/operation.ts'
import { openReceived, openWithOneOf, seal } from '../envelope/envelope.ts'
import { type EnvelopeMembers, readMembers, writeMembers } from '../envelope/layout.ts'
import { type Scheme, type Seal, schemeFacts } from '../envelope/scheme.ts'
import { Failure } from '../failure.ts'
import type { HttpAnswer, HttpRequest } from '../http/message.ts'
import { isRecord, JsonExcess, readMessage, writeJson } from '../json.ts'
import { type Content, jsonHeaders, type Reading, readAnswer, readable } from './answer.ts'

export function payloadText(operation: Operation, request: Members): string {
  return writeJson(writePayload(operation.request, request))
}

/** Throws usage (2) where the payload is too long for one RSA block. */
export function writeSealedRequest(
  operation: Operation,
  request: Members,
  { identifier, scheme, toService }: Seal,
): HttpRequest {
  const envelope = seal(payloadText(operation, request), { key: toService, scheme, identifier })
  const members = writeMembers(envelope)
  const inBody = operation.carriedIn === 'body'
  return {
    method: operation.method,
    path: operation.path,
    query: inBody ? [] : Object.entries(members).map(([name, value]) => [name, String(value)] as const),
    headers: { accept: 'application/json', ...(inBody ? jsonHeaders : {}) },
    body: inBody ? writeJson(members) : null,
  }
}

/** Unknown members among them; null where the body is no JSON object. */
export function receivedMembers(operation: Operation, http: HttpRequest): EnvelopeMembers | null {
  if (operation.carriedIn === 'query') return Object.fromEntries(http.query)
  const body = readable(http.body ?? '')
  return isRecord(body) ? body : null
}

export type OpenedMessage =
  | {
      readonly ok: true
      /** As the operation takes it. */
      readonly request: Record<string, unknown>
      /** As it came. */
      readonly payload: Record<string, unknown>
      readonly text: string
      readonly scheme: Scheme
    }
  /** `aes` denies what the envelope has (service.md#envelope). */
  | { readonly ok: false; readonly why: 'aes' }
  /** Whatever the reason, the same to the sender. `used`: what it is sealed with, where known. */
  | { readonly ok: false; readonly why: 'unopened'; readonly used: Scheme | null }

/** A Java peer may leave OAEP at its default. */
function opensWhereSet(setting: Scheme): readonly Scheme[] {
  return setting === 'oaep-sha256' ? [setting, 'oaep-sha256-mgf1-sha1'] : [setting]
}

/** Only if it is sealed with the scheme that is set for the integrator. */
export async function openRequest(
  operation: Operation,
  members: EnvelopeMembers,
  { key, scheme }: { readonly key: KeyObject; readonly scheme: Scheme },
): Promise<OpenedMessage> {
  const layout = readMembers(members)
  if (!layout.ok && layout.fault === 'aes-false') return { ok: false, why: 'aes' }
  try {
    const { read, scheme: used } = await openReceived(members, { key, scheme: 'any' }, (text) => {
      const value = readMessage(text)
      if (!isRecord(value)) throw new SyntaxError('no object')
      return { text, payload: value, request: readPayload(operation.request, value) }
    })
    return opensWhereSet(scheme).includes(used)
      ? { ok: true, ...read, scheme: used }
      : { ok: false, why: 'unopened', used }
  } catch (error) {
    if (error instanceof Failure) return { ok: false, why: 'unopened', used: null }
    throw error
  }
}

/** No identifier in it. */
export function writeSealedAnswer(value: unknown, key: KeyObject, scheme: Scheme): HttpAnswer {
  return {
    status: 200,
    headers: jsonHeaders,
    body: writeJson(writeMembers(seal(writeJson(value), { key, scheme }))),
  }
}

async function opened(body: unknown, { own, scheme }: Seal): Promise<Content> {
  const layout = isRecord(body) ? readMembers(body) : null
  if (!layout?.ok) return { why: 'the answer is not an envelope' }
  const kind = schemeFacts[scheme].aes === (layout.envelope.keys !== null)
  if (!kind) return { why: "the answer is sealed with another scheme than the profile's" }
  try {
    const { read } = await openWithOneOf(layout.envelope, own, 'any')
    return { value: readMessage(read) }
  } catch (error) {
    if (error instanceof Failure) return { why: 'the answer does not open with the private key of the profile' }
    return {
      why: error instanceof JsonExcess ? `the answer has ${error.message}` : 'the answer holds no readable JSON',
    }
  }
}

/** A success is opened, an error is plain. */
export function readSealedAnswer<Op extends Operation>(
  operation: Op,
  request: Members,
  http: HttpAnswer,
  seal: Seal,
): Promise<Reading<AnswerOf<Op>>> {
  return readAnswer(operation, request, http, (body) => opened(body, seal))
}

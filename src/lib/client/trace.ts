/**
 * Lines of `--trace` about a request and its answer. The redactor hides known secrets; a sign-in brings an unknown one,
 * so only members known to be harmless are shown of it.
 */
import { JsonNumber } from '../contract/core/decimal.ts'
import type { Members } from '../contract/core/members.ts'
import { cardTokensIn, mask, withoutCardTokens } from '../contract/mask.ts'
import type { Operation, ReadOperation } from '../contract/operation.ts'
import type { Phases } from '../http/client.ts'
import { type HttpAnswer, type HttpRequest, target } from '../http/message.ts'
import { isRecord, writeJson } from '../json.ts'
import { hideCardNumbers, isSecretHeader, mapTexts, Secrets, shortestBeginning } from '../redact.ts'
import { type Reading, readable } from './answer.ts'
import { maskedRequest } from './mask.ts'
import * as sealed from './sealed.ts'

export function secretOf(operation: Operation): ReadOperation['gives'] {
  return operation.effect === 'read' ? operation.gives : null
}

const isSignIn = (operation: Operation) => secretOf(operation) === 'access token'

export function describeRequest(baseUrl: string, operation: Operation, request: Members, http: HttpRequest): string {
  const headers = Object.entries(http.headers).map(([name, value]) => `> ${name}: ${value}`)
  const body = maskRequestBody(operation, request, http)
  const inside = isSealed(operation)
    ? [`> sealed in it: ${sealed.payloadText(operation, maskedRequest(operation, request))}`]
    : []
  return [`> ${http.method} ${baseUrl}${target(http)}`, ...headers, ...(body ? [`> ${body}`] : []), ...inside].join(
    '\n',
  )
}

const signInKnown: ReadonlySet<string> = new Set(['client_id', 'grant_type'])

function maskAllBut(request: Members, shown: ReadonlySet<string>): Members {
  return Object.fromEntries(Object.entries(request).map(([name, value]) => [name, shown.has(name) ? value : mask]))
}

export function describeAnswer(
  operation: Operation,
  answer: HttpAnswer,
  milliseconds: number,
  phases?: Phases,
): string {
  const headers = Object.entries(maskHeaders(operation, answer.headers)).map(([name, value]) => `< ${name}: ${value}`)
  const time = `${milliseconds} ms${phases ? describePhases(phases) : ''}`
  return [`< HTTP ${answer.status} after ${time}`, ...headers, `< ${maskAnswer(operation, answer)}`].join('\n')
}

const phaseNames = [
  ['dns', 'DNS'],
  ['tcp', 'TCP'],
  ['tls', 'TLS'],
  ['firstByte', 'first byte'],
] as const

/** " (DNS 1.2, TCP 0.4, TLS 3.1, first byte 12.0)". */
function describePhases(phases: Phases): string {
  const seen = phaseNames.flatMap(([name, said]) => {
    const time = phases[name]
    return time === null ? [] : [`${said} ${time.toFixed(1)}`]
  })
  return seen.length === 0 ? '' : ` (${seen.join(', ')})`
}

export function maskHeaders(operation: Operation, headers: HttpAnswer['headers']): HttpAnswer['headers'] {
  const shows = isSignIn(operation)
    ? (name: string) => harmlessHeaders.has(name)
    : (name: string) => !isSecretHeader(name)
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shows(name) ? value : mask]))
}

export function maskAnswer(operation: Operation, answer: HttpAnswer): string {
  return isSignIn(operation) ? maskSignIn(answer) : answer.body
}

export function maskRequestBody(operation: Operation, request: Members, { body }: HttpRequest): string | null {
  return isSignIn(operation) ? writeJson(maskAllBut(request, signInKnown)) : body
}

/** Without tokens, wherever it quotes them, and numbers of cards. */
export function maskOpened(value: unknown): unknown {
  const tokens = new Secrets(cardTokensIn(value))
  return mapTexts(withoutCardTokens(value), (text) => hideCardNumbers(tokens.hide(text, mask, shortestBeginning), mask))
}

const isSealed = ({ wire }: Operation) => wire === 'sealed' || wire === 'wallet'

export function describeReading(operation: Operation, read: Reading<unknown>): string {
  const inside =
    isSealed(operation) && read.kind === 'accepted' ? [`< sealed in it: ${writeJson(maskOpened(read.answer))}`] : []
  const decided = operation.effect === 'read' ? [`= ${describeKind(read)}`] : []
  return [...inside, ...decided].join('\n')
}

function describeKind(read: Reading<unknown>): string {
  if (read.kind === 'accepted') return 'an answer that matches the contract'
  if (read.kind === 'unknown') return `no definite answer, because ${read.why}`
  const { http, statusCode } = read.words
  const code = statusCode === null ? `HTTP ${http}` : `code ${statusCode} (HTTP ${http})`
  const name = read.kind === 'turned-away' ? turnedAwayNames[read.by] : 'an error of the service'
  return `${name}, because of ${code}`
}

const turnedAwayNames = {
  token: 'the credentials were not accepted',
  rate: 'the service asks to wait',
  redirect: 'a redirect, which is not followed',
} as const

const harmlessHeaders: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'date', 'connection', 'keep-alive'],
  ...['cache-control', 'pragma', 'expires', 'vary', 'retry-after', 'allow'],
])

/** What values of a sign-in's answer must look like to be shown. */
const harmlessMembers: Readonly<Record<string, RegExp>> = {
  expires_in: /^\d{1,12}$/,
  token_type: /^(?:bearer|basic|mac|dpop)$/i,
  statusCode: /^\d{1,9}$/,
  exceptionGroup: /^\d{1,9}$/,
  error: /^[a-z_]{1,40}$/,
}

const longestMessage = 200
/** No word of a message is as long, and a token is seldom shorter. */
const likeAToken = /\S{20,}/g

export function maskTokens(message: string): string {
  return message.replace(likeAToken, mask)
}

function maskMember(name: string, value: unknown, failed: boolean, depth: number): unknown {
  const harmless = Object.hasOwn(harmlessMembers, name) ? harmlessMembers[name] : undefined
  const isScalar = typeof value === 'string' || value instanceof JsonNumber
  if (harmless && isScalar && harmless.test(String(value))) return value
  const isMessage = failed && typeof value === 'string' && (name === 'message' || name === 'error_description')
  if (isMessage) return maskTokens(value).slice(0, longestMessage)
  if (value === null || typeof value === 'boolean') return value
  return isRecord(value) && depth > 0 ? maskMembers(value, failed, depth - 1) : mask
}

/** Names of other people may be secrets, too. */
const plainName = /^[A-Za-z][A-Za-z_]{0,30}$/

function maskMembers(members: Members, failed: boolean, depth: number): Members {
  const shown = Object.entries(members).slice(0, 20)
  return Object.fromEntries(
    shown.map(([name, value]) => [plainName.test(name) ? name : mask, maskMember(name, value, failed, depth)]),
  )
}

function maskSignIn({ status, body }: HttpAnswer): string {
  const value = readable(body)
  if (!isRecord(value)) return body === '' ? '' : `${mask} (${body.length} characters)`
  return writeJson(maskMembers(value, status >= 400, 3))
}

/**
 * The one rule for answers (money-safety.md#the-one-rule-for-answers). An answer is believed in four exact forms, which are
 * tried in order: turned away, taken, accepted, refused. Everything else is unknown. Nothing is searched for inside an answer.
 */
import { differenceIn, errorMembers, errorReceived } from '../contract/answer.ts'
import { codesOf, harmlessCodes, ranNothing } from '../contract/codes/code-book.ts'
import { formsOf } from '../contract/core/field.ts'
import type { Members } from '../contract/core/members.ts'
import { normalId } from '../contract/core/text.ts'
import { type AnswerOf, identities, type Operation, type WriteOperation } from '../contract/operation.ts'
import { complaint } from '../contract/validate.ts'
import type { ServiceWords } from '../failure.ts'
import type { HttpAnswer } from '../http/message.ts'
import { excessIn, isRecord, readMessage, writeJson } from '../json.ts'

export const jsonHeaders = { 'content-type': 'application/json' }

/** A read is `accepted` where it shows its thing, `refused` where it is an error. */
export type Reading<Answer> =
  | {
      readonly kind: 'turned-away'
      readonly by: 'token' | 'rate' | 'redirect'
      readonly words: ServiceWords
      readonly retryAfter: string | null
      readonly location: string | null
    }
  | { readonly kind: 'taken'; readonly words: ServiceWords }
  | { readonly kind: 'accepted'; readonly answer: Answer }
  | {
      readonly kind: 'refused'
      readonly words: ServiceWords
      /** The body alone decides it: it also speaks for earlier attempts. */
      readonly bodyOnly: boolean
      /** The refusing status of a success; null where a code or words refuse. */
      readonly status: string | null
    }
  | {
      readonly kind: 'unknown'
      readonly words: ServiceWords
      readonly why: string
      readonly retryAfter: string | null
      /** The sum of an apparent acceptance differs: no repeat makes that definite. */
      readonly otherSum: string | null
    }

/** The value of a body, or why it cannot be read. */
export type Content = { readonly value: unknown } | { readonly why: string }

/** Undefined where it is no JSON, repeats a member, or is too much. */
export function readable(text: string): unknown {
  try {
    return readMessage(text)
  } catch {
    return undefined
  }
}

interface Received {
  readonly http: HttpAnswer
  readonly body: unknown
  /** The body, if it is an error and nothing else. */
  readonly error: ServiceWords | null
  readonly words: ServiceWords
}

/** `open` takes the value out of the body of a success. */
export async function readAnswer<Op extends Operation>(
  operation: Op,
  request: Members,
  http: HttpAnswer,
  open: (body: unknown) => Promise<Content>,
): Promise<Reading<AnswerOf<Op>>> {
  const body = readable(http.body)
  const error = errorIn(body, http.status)
  const received = { http, body, error, words: error ?? wordsOf(http.status, body) }
  return (
    turnedAway(operation, received) ??
    taken(operation, received) ??
    refusedByCode(operation, received) ??
    (await inSuccess(operation, request, received, open))
  )
}

// --- The error shape

function errorIn(body: unknown, http: number): ServiceWords | null {
  const told = isRecord(body) ? Object.entries(body).filter(([, member]) => member !== null) : []
  const read = errorReceived.safeParse(Object.fromEntries(told))
  if (!read.success) return null
  const { statusCode = null, exceptionGroup = null, message = null, status = null, error, title } = read.data
  const saysNothing = [statusCode, exceptionGroup, message, status, error, title].every((each) => each == null)
  if (saysNothing || (status !== null && status !== http)) return null
  return { http, statusCode, exceptionGroup, message }
}

/** Of an answer that may be no error, for a person. */
function wordsOf(http: number, body: unknown): ServiceWords {
  const message = isRecord(body) && typeof body.message === 'string' ? body.message : null
  return { http, statusCode: null, exceptionGroup: null, message }
}

/** True if the code says that nothing was executed. That of a taken id does not. */
function isRefusing(operation: Operation, { statusCode, exceptionGroup }: ServiceWords): boolean {
  const isTaken = operation.effect === 'write' && statusCode === operation.duplicateCode
  return statusCode !== null && !isTaken && ranNothing(operation.area, statusCode, exceptionGroup).ran === 'no'
}

// --- Turned away

const turningAway: Readonly<Record<number, 'token' | 'rate' | 'redirect'>> = {
  ...{ 401: 'token', 429: 'rate', 307: 'redirect', 308: 'redirect' },
}

function turnedAway(operation: Operation, { http, body, error, words }: Received): Reading<never> | null {
  const isWrite = operation.effect === 'write'
  const turned = (by: 'token' | 'rate' | 'redirect'): Reading<never> => ({
    ...{ kind: 'turned-away', by, words },
    ...{ retryAfter: http.headers['retry-after'] ?? null, location: http.headers.location ?? null },
  })
  const { status } = http
  if (operation.area === 'A' && error?.statusCode === 5021 && status >= 400 && status < 500) return turned('token')
  const by = turningAway[status]
  // A read moves nothing: nobody has to know whether it was applied.
  if (!isWrite && status >= 300 && status < 400) return turned('redirect')
  if (by === undefined) return null
  const isPage = body === undefined && /^\s*(?:<|$)/.test(http.body) && isWhole(http)
  const isEmpty = isRecord(body) && Object.keys(body).length === 0
  return !isWrite || isPage || isEmpty || (error && turnsAway(operation, error)) ? turned(by) : null
}

/** An error without a code, with one that repeats the HTTP status, or with one that refuses. */
function turnsAway(operation: Operation, error: ServiceWords): boolean {
  const { statusCode, exceptionGroup, http } = error
  if (statusCode === null) return exceptionGroup === null
  return statusCode === http || isRefusing(operation, error)
}

// --- Taken

function taken(operation: Operation, { http, error }: Received): Reading<never> | null {
  if (operation.effect === 'read' || error === null || !isBelievedOver(http.status)) return null
  return error.statusCode !== null && error.statusCode === operation.duplicateCode
    ? { kind: 'taken', words: error }
    : null
}

/** 5xx, a part (206), other redirects: a gateway may have lost the answer that it tells of. */
function isBelievedOver(http: number): boolean {
  return (http >= 200 && http < 300 && http !== 206) || (http >= 400 && http < 500) || http === 307 || http === 308
}

// --- Refused, by a code

function refusedByCode(operation: Operation, { http, error }: Received): Reading<never> | null {
  if (error === null || error.statusCode === null) return null
  const { statusCode, exceptionGroup } = error
  const isUnopened = http.status === 500 && operation.area !== 'A' && harmlessCodes.has(statusCode)
  if (!isUnopened && !isBelievedOver(http.status)) return null
  const { ran, bodyOnly } = ranNothing(operation.area, statusCode, exceptionGroup)
  const isDecided = ran === 'no' || saysUnknownPayout(operation, error)
  return isDecided ? { kind: 'refused', words: error, bodyOnly, status: null } : null
}

/** In area A that is the code of a general failure, with HTTP 404. */
function saysUnknownPayout(operation: Operation, { http, statusCode }: ServiceWords): boolean {
  if (operation.effect === 'write' || operation.area !== 'A') return false
  return operation.unknownObject?.statusCode === statusCode && operation.unknownObject.http === http
}

// --- Accepted, taken or refused, by the success of the operation

type Unknown = Extract<Reading<never>, { kind: 'unknown' }>

async function inSuccess<Op extends Operation>(
  operation: Op,
  request: Members,
  { http, body, error, words }: Received,
  open: (body: unknown) => Promise<Content>,
): Promise<Reading<AnswerOf<Op>>> {
  const retryAfter = http.headers['retry-after'] ?? null
  const unknown = (why: string, otherSum: string | null = null): Unknown => ({
    ...{ kind: 'unknown', words, why, retryAfter, otherSum },
  })
  if (http.body === '') return isEmptySuccess(operation, http) ? accepted({} as AnswerOf<Op>) : unknown(whyNot(http))
  if (error !== null) return unknown(whyNot(http, error, operation))
  if (http.status !== 200 && http.status !== 201) return unknown(whyNot(http))
  if (body === undefined) return unknown(whyUnread(http.body))
  const content = await open(body)
  if ('why' in content) return unknown(content.why)
  const inside = unwrapped(content.value)
  const read = operation.answer.safeParse(inside, { error: complaint })
  if (!read.success) return unknown(`the answer has the wrong shape: ${firstIssue(read.error.issues)}`)
  const outside = [body, content.value].filter((each) => each !== inside)
  const stray = strayMember(namesOf(operation, request), read.data, outside)
  if (stray !== null) return unknown(`the answer has ${stray} beside its success`)
  if (operation.effect === 'write') {
    const answer = isRecord(read.data) ? read.data : {}
    return readSuccess(operation, request, answer, unknown) as Reading<AnswerOf<Op>>
  }
  const failed = errorMemberIn(read.data)
  return failed === null
    ? accepted(read.data as AnswerOf<Op>)
    : unknown(`the answer reports an error as well: ${failed}`)
}

const accepted = <Answer>(answer: Answer): Reading<Answer> => ({ kind: 'accepted', answer })

function isEmptySuccess({ emptyAnswer }: Operation, http: HttpAnswer): boolean {
  return emptyAnswer && (http.status === 200 || http.status === 204) && isWhole(http)
}

/** One that ends with its connection may be cut short. JSON shows its own end. */
function isWhole({ status, headers }: HttpAnswer): boolean {
  return status === 204 || headers['content-length'] !== undefined || 'transfer-encoding' in headers
}

function unwrapped(value: unknown): unknown {
  return isRecord(value) && isRecord(value.value) ? value.value : value
}

/** The members that the contract names in answers to a request. */
function namesOf(operation: Operation, request: Members): readonly string[] {
  const sum = operation.effect === 'write' ? Object.keys(operation.proof.sum(request)) : []
  const things = identities.filter((name) => name !== 'identifier')
  // Samples of area C begin some members with a capital letter.
  const capitals = operation.area === 'C' ? sum.map((name) => name.charAt(0).toUpperCase() + name.slice(1)) : []
  return ['status', ...Object.keys(formsOf(operation.answer)), ...things, ...errorMembers, ...sum, ...capitals]
}

/**
 * A member of the contract outside of the object that was read (of two shapes at once neither is believed), or in other
 * capitals. Null for none.
 */
function strayMember(names: readonly string[], read: unknown, outside: readonly unknown[]): string | null {
  const known = new Set(names.map((name) => name.toLowerCase()))
  const membersOf = (value: unknown) =>
    (isRecord(value) ? Object.entries(value) : []).flatMap(([name, member]) =>
      (member ?? null) !== null && known.has(name.toLowerCase()) ? [name] : [],
    )
  const misspelled = membersOf(read).find((name) => !names.includes(name))
  return misspelled ?? outside.flatMap(membersOf)[0] ?? null
}

function errorMemberIn(answer: unknown, except: string | null = null): string | null {
  if (!isRecord(answer)) return null
  return errorMembers.find((name) => name !== except && (answer[name] ?? null) !== null) ?? null
}

function readSuccess(
  operation: WriteOperation,
  request: Members,
  answer: Members,
  unknown: (why: string, otherSum?: string) => Unknown,
): Reading<Members> {
  const { proof, name } = operation
  const status = answer.status ?? null
  if (status !== null && typeof status !== 'string') return unknown('the answer has a status that is no text')
  const other = otherId(request, answer) ?? missingIn(operation, answer)
  if (other !== null) return unknown(other)
  const sum = proof.sum(request)
  const otherSum = differenceIn(answer, sum)
  const words = { http: 200, statusCode: null, exceptionGroup: null }
  const inWords = proof.refusedInWords
  const refusal = inWords === null ? '' : String(answer[inWords.member] ?? '').trim()
  const failed = errorMemberIn(answer, refusal === '' ? null : (inWords?.member ?? null))
  if (failed !== null) return unknown(`the answer reports an error as well: ${failed}`)
  if (refusal !== '') {
    const isBelieved = status !== null && inWords?.isBelieved(status) && otherSum === null
    if (!isBelieved || hasMore(operation, answer, [inWords?.member ?? '', ...Object.keys(sum)]))
      return unknown('the answer reports an error as well: errorMessage')
    return { kind: 'refused', words: { ...words, message: refusal }, bodyOnly: false, status: null }
  }
  if (proof.isDone(status)) {
    if (otherSum === null) return accepted(answer)
    const number = typeof answer.transactionId === 'string' ? ` (transactionId ${answer.transactionId})` : ''
    const told = `${otherSum}${number}`
    return unknown(`the answer has another amount: ${told}`, told)
  }
  if (status !== null && proof.doneBefore.includes(status)) {
    if (otherSum !== null) return unknown(`${status}, with another amount: ${otherSum}`, otherSum)
    return { kind: 'taken', words: { ...words, message: status } }
  }
  const refused = status !== null && Object.hasOwn(proof.refused, status) ? proof.refused[status] : undefined
  if (status === null || !refused || hasMore(operation, answer, Object.keys(sum))) {
    const told = status === null ? 'no status' : `the status ${JSON.stringify(status)}`
    return unknown(`the answer has ${told}, which does not say that ${name} was done`)
  }
  const reason = refused.reason === undefined ? null : answer[refused.reason]
  const message = typeof reason === 'string' ? reason : status
  return { kind: 'refused', words: { ...words, message }, bodyOnly: refused.bodyOnly, status }
}

/** Members besides those of its shape may tell of a success. */
function hasMore({ answer: shape }: WriteOperation, answer: Members, more: readonly string[]): boolean {
  const known: ReadonlySet<string> = new Set([...Object.keys(formsOf(shape)), ...identities, ...errorMembers, ...more])
  return Object.entries(answer).some(([name, member]) => (member ?? null) !== null && !known.has(name))
}

/** In words; null where each id that it repeats is that of the request. */
function otherId(request: Members, answer: Members): string | null {
  for (const name of identities) {
    const told = Object.hasOwn(answer, name) ? (answer[name] ?? null) : null
    if (told === null || request[name] === undefined) continue
    if (normalId(String(told)) !== normalId(String(request[name]))) {
      return `the answer is about another ${name}, ${String(told)}`
    }
  }
  return null
}

function missingIn({ proof }: WriteOperation, answer: Members): string | null {
  // No transaction has the number 0.
  const missing = [...proof.echoes, ...proof.needs].filter((name) => /^0*$/.test(String(answer[name] ?? '').trim()))
  if (missing.length > 0) return `the answer names no ${missing.join(' and no ')}`
  const isBare = proof.nothingElse && (answer.status ?? null) === null
  const more = isBare ? Object.keys(answer).filter((name) => !bare.has(name) && (answer[name] ?? null) !== null) : []
  return more.length === 0 ? null : `the answer has unknown content: ${more.slice(0, 5).join(', ')}`
}

const bare: ReadonlySet<string> = new Set(identities)

// --- In words

function whyNot(
  { status, headers, body }: HttpAnswer,
  error: ServiceWords | null = null,
  operation?: Operation,
): string {
  const code = error?.statusCode ?? null
  if (status >= 300 && status < 400)
    return `the service redirects (HTTP ${status}) to ${headers.location ?? 'another place'}; paydesk does not follow redirects`
  if (status === 503) return 'the service is not available'
  if (status === 206) return 'the answer is partial (HTTP 206)'
  if (code !== null) {
    const known = operation && codesOf(operation.area).get(code)
    return `no refusal: ${known ? `${code} ${known.name}: ${known.means}` : `code ${code}`}, HTTP ${status}`
  }
  if (status >= 200 && status < 300)
    return `the answer has HTTP status ${status} and ${body ? 'no success' : 'says nothing'}`
  return body && readable(body) === undefined
    ? whyUnread(body)
    : `the answer (HTTP ${status}) does not match the contract`
}

function whyUnread(text: string): string {
  const excess = /^\s*[[{]/.test(text) ? excessIn(text) : null
  return excess === null ? 'the answer is not JSON' : `the answer has ${excess}`
}

function firstIssue(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  const [issue] = issues
  return issue ? `${issue.path.join('.') || 'body'}: ${issue.message}` : 'unreadable'
}

/** The documented shape, never sealed. */
export function writeError(status: number, members: Members): HttpAnswer {
  return { status, headers: jsonHeaders, body: writeJson(members) }
}

/**
 * Area A and the sign-in: access tokens, and routes that are answered in the clear. The store keeps only hashes of
 * tokens, so a copy of the database signs nobody in (service.md#sign-in).
 */
import { createHash } from 'node:crypto'
import { readRequest, readToken } from '../../client/bearer.ts'
import { generalBreach, tokenLifetime } from '../../contract/assumed.ts'
import { JsonNumber } from '../../contract/core/decimal.ts'
import { normalId } from '../../contract/core/text.ts'
import type { Circumstances, Operation, RequestOf, Violation } from '../../contract/operation.ts'
import { grantType, signIn } from '../../contract/sign-in.ts'
import { type Validated, validate } from '../../contract/validate.ts'
import type { HttpRequest } from '../../http/message.ts'
import { isSameSecret } from '../../http/page-token.ts'
import { findRow } from '../../store/sandbox/rows.ts'
import type { SandboxReader } from '../../store/sandbox/schema.ts'
import { clientOfToken, saveToken } from '../../store/sandbox/world.ts'
import { type Client, clientOf } from '../accounts/fixtures.ts'
import { type HandlerContext, type Route, usualCircumstances, violationsInWords } from '../handler.ts'
import { ruleBroken, unreadableBody } from '../log/reasons.ts'
import { type HandlerOutcome, type Refusal, Refused, refuse, settle, writeOutcome } from '../shape.ts'
import { takeLeniently } from './leniency.ts'

export function bearerRoute(
  operation: Operation,
  work: (http: HttpRequest, context: HandlerContext) => Promise<HandlerOutcome>,
): Route {
  return [
    operation,
    async (http, context) => {
      const outcome = await work(http, context)
      context.record({ outcome })
      return writeOutcome(operation, outcome, context.shape)
    },
  ]
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** The client whose token a request carries. Refuses one without a good token. */
export async function findCaller(
  db: SandboxReader,
  http: HttpRequest,
  { clock, record }: HandlerContext,
): Promise<Client> {
  const token = readToken(http)
  const clientId = token === null ? null : await clientOfToken(db, hashOf(token), clock.now())
  const client = clientId === null ? null : clientOf(clientId)
  if (!client) throw new Refused(null)
  record({ who: clientId })
  return client
}

interface OpenedRequest<Op extends Operation> {
  readonly payload: Readonly<Record<string, unknown>>
  readonly given: Readonly<Record<string, unknown>>
  readonly valid: Validated<RequestOf<Op>>
  /** The refusal of a strict world, for a request that keeps the rules. */
  readonly strict: Refusal | null
}

/** Reads a request and holds it against the rules. `absent`: what counts where the request does not say it. */
export function openRequest<Op extends Operation>(
  operation: Op,
  http: HttpRequest,
  context: HandlerContext,
  circumstances: Circumstances,
  absent: Readonly<Record<string, unknown>> = {},
): OpenedRequest<Op> {
  const received = readRequest(operation, http)
  if (received === null) {
    context.record({ cause: unreadableBody(http) })
    return refuse(5043, 'The body is not a readable JSON object', { rule: `${operation.section}: bodies are JSON` })
  }
  const { request, refusal } = takeLeniently(operation, received, context)
  const given = { ...absent, ...request }
  return { payload: received.payload, given, valid: validate(operation, given, circumstances), strict: refusal }
}

/** Refuses these breaches with the code and the rule of one of them. */
export function refuseBreaches(
  operation: Operation,
  breaches: readonly Violation[],
  decisive = breaches[0],
  code = decisive?.code ?? operation.breachCode,
): never {
  return refuse(code, violationsInWords(breaches), decisive ? { rule: ruleBroken(operation, decisive) } : {})
}

/** POST /api/auth: client id and secret for an access token (service.md#sign-in). */
export const signInRoute = bearerRoute(signIn, (http, context) =>
  settle(async () => {
    const { store, clock, random, record } = context
    const { given, valid, strict } = openRequest(signIn, http, context, usualCircumstances(clock.now()))
    record({ who: given.client_id })
    if (!valid.ok) {
      // A member that is missing is an invalid argument like any other; its own code is for a value that is no good.
      const missing = valid.violations.find(({ field }) => given[field] === undefined)
      return refuseBreaches(signIn, valid.violations, missing, missing && generalBreach)
    }
    if (strict) throw new Refused(strict)
    const { client_id, client_secret, grant_type } = valid.request
    if (grant_type !== grantType) return refuse(5013, `Invalid grant type: grant_type must be ${grantType}`)
    return await store.write(async (db) => {
      const client = await findRow(db, 'clients', { client_id: normalId(client_id) })
      if (!client) return refuse(5003, 'Client not found: nobody is registered under this client_id')
      if (!isSameSecret(client.secret, client_secret))
        return refuse(5021, 'Incorrect credentials: the client_secret is wrong')
      const token = random.secret(32)
      const now = clock.now()
      const ends = now + tokenLifetime * 1000
      await saveToken(db, { hash: hashOf(token), client_id: client.client_id, expires: ends }, now)
      return { access_token: token, expires_in: new JsonNumber(String(tokenLifetime)), token_type: 'Bearer' }
    })
  }),
)

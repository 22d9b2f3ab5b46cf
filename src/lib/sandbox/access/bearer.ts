/**
 * Area A and the sign-in: access tokens, and routes that are answered in the clear. The store keeps only hashes of
 * tokens, so a copy of the database signs nobody in (service.md#sign-in).
 */
import { createHash } from 'node:crypto'
import { readRequest, readToken } from '../../client/bearer.ts'
import { generalBreach, tokenLifetime } from '../../contract/assumed.ts'
import { JsonNumber } from '../../contract/core/decimal.ts'
import { normalId } from '../../contract/core/text.ts'
import type { Operation } from '../../contract/operation.ts'
import { grantType, signIn } from '../../contract/sign-in.ts'
import { validate } from '../../contract/validate.ts'
import type { Random } from '../../edge.ts'
import type { HttpRequest } from '../../http/message.ts'
import { isSameSecret } from '../../http/page-token.ts'
import type { ClientRow, SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { clientOfToken, findClient, saveToken } from '../../store/sandbox/world.ts'
import { anybody, type Handler, type Route, violationsInWords } from '../handler.ts'
import { ruleBroken, unreadableBody } from '../log/reasons.ts'
import { refuse, writeOutcome } from '../shape.ts'
import { takeLeniently } from './leniency.ts'

export function bearerRoute(operation: Operation, handler: Handler): Route {
  return [
    operation,
    async (http, context) => {
      const outcome = await handler(http, context)
      context.record({ outcome })
      return writeOutcome(operation, outcome, context.shape)
    },
  ]
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

async function issueToken(db: SandboxWriter, clientId: string, now: number, random: Random): Promise<string> {
  const token = random.secret(32)
  await saveToken(
    db,
    { hash: digest(token).toString('base64url'), client_id: clientId, expires: now + tokenLifetime * 1000 },
    now,
  )
  return token
}

/** The client whose token a request carries; null without a good one. */
export async function findCaller(db: SandboxReader, http: HttpRequest, now: number): Promise<ClientRow | null> {
  const token = readToken(http)
  return token === null ? null : await clientOfToken(db, digest(token).toString('base64url'), now)
}

/** POST /api/auth: client id and secret for an access token (service.md#sign-in). */
const answerSignIn: Handler = async (http, context) => {
  const { store, clock, random, record } = context
  const received = readRequest(signIn, http)
  if (received === null) {
    record({ cause: unreadableBody(http) })
    return refuse(5043, 'The body is not a readable JSON object')
  }
  const { request: given, refusal } = takeLeniently(signIn, received, context)
  record({ who: given.client_id })
  const valid = validate(signIn, given, anybody(clock.now()))
  if (!valid.ok) {
    // A member that is missing is an invalid argument like any other; its own code is for a value that is no good.
    const breach = valid.violations.find(({ field }) => given[field] === undefined) ?? valid.violations[0]
    const absent = breach === undefined || given[breach.field] === undefined
    const rule = breach ? { rule: ruleBroken(signIn, breach) } : {}
    const code = absent ? generalBreach : breach.code
    return { kind: 'refused', refusal: { code, message: violationsInWords(valid.violations), ...rule } }
  }
  if (refusal) return { kind: 'refused', refusal }
  const { client_id, client_secret, grant_type } = valid.request
  if (grant_type !== grantType) return refuse(5013, `Invalid grant type: grant_type must be ${grantType}`)
  return await store.write(async (db) => {
    const client = await findClient(db, normalId(client_id))
    if (!client) return refuse(5003, 'Client not found: nobody is registered under this client_id')
    if (!isSameSecret(client.secret, client_secret))
      return refuse(5021, 'Incorrect credentials: the client_secret is wrong')
    const token = await issueToken(db, client.client_id, clock.now(), random)
    const expires = new JsonNumber(String(tokenLifetime))
    return { kind: 'value', value: { access_token: token, expires_in: expires, token_type: 'Bearer' } }
  })
}

export const signInRoute = bearerRoute(signIn, answerSignIn)

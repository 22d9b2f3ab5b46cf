/** POST /api/auth: client id and secret for an access token (service.md#sign-in). */

import { readRequest } from '../../client/bearer.ts'
import { generalBreach, tokenLifetime } from '../../contract/assumed.ts'
import { JsonNumber } from '../../contract/core/decimal.ts'
import { normalId } from '../../contract/core/text.ts'
import { grantType, signIn } from '../../contract/sign-in.ts'
import { validate } from '../../contract/validate.ts'
import { findClient } from '../../store/sandbox/world.ts'
import { anybody, type Handler, violationsInWords } from '../handler.ts'
import { ruleBroken } from '../log/rule.ts'
import { refused } from '../shape.ts'
import { bearerRoute } from './bearer.ts'
import { unreadableBody } from './cause.ts'
import { takeLeniently } from './lenience.ts'
import { issueToken, sameSecret } from './token.ts'

const answerSignIn: Handler = async (http, around) => {
  const { store, clock, random, record } = around
  const received = readRequest(signIn, http)
  if (received === null) {
    record({ cause: unreadableBody(http) })
    return refused(5043, 'The body is not a readable JSON object')
  }
  const { request: given, refusal } = takeLeniently(signIn, received, around)
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
  if (grant_type !== grantType) return refused(5013, `Invalid grant type: grant_type must be ${grantType}`)
  return await store.write(async (db) => {
    const client = await findClient(db, normalId(client_id))
    if (!client) return refused(5003, 'Client not found: nobody is registered under this client_id')
    if (!sameSecret(client.secret, client_secret))
      return refused(5021, 'Incorrect credentials: the client_secret is wrong')
    const token = await issueToken(db, client.client_id, clock.now(), random)
    const expires = new JsonNumber(String(tokenLifetime))
    return { kind: 'value', value: { access_token: token, expires_in: expires, token_type: 'Bearer' } }
  })
}

export const signInRoute = bearerRoute(signIn, answerSignIn)

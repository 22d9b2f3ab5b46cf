/** The way to the access token of area A (service.md#sign-in; the specification does not show it). */
import { z } from 'zod'
import { generalBreach } from './assumed.ts'
import { JsonNumber } from './core/decimal.ts'
import { always, field, wholeForm } from './core/field.ts'
import { endpoint, type ReadOperation, usualRead } from './operation.ts'

const seconds = z.union([z.instanceof(JsonNumber), z.string()]).transform((value) => Number(String(value)))

export const grantType = 'client_credentials'

const token = z.looseObject({
  access_token: always({ type: 'string', minLength: 1 }, z.string().min(1)),
  expires_in: always(wholeForm, seconds.pipe(z.number().positive())),
  token_type: always({ const: 'Bearer' }, z.string().optional()),
})

export const signIn = {
  ...usualRead,
  name: 'auth.token',
  ...endpoint('A', 'POST', '/api/auth'),
  section: 'Authentication',
  summary: 'exchange client id and secret for an access token',
  gives: 'access token',
  wire: 'open',
  request: z.strictObject({
    client_id: field(z.string(), { help: 'client id' }),
    client_secret: field(z.string(), { help: 'client secret' }),
    grant_type: field(z.string(), { help: 'grant type', schema: { const: grantType }, breachCode: 5013 }),
  }),
  breachCode: generalBreach,
  answer: token,
  wrapped: true,
} as const satisfies ReadOperation

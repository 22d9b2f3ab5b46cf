/** The way to the access token of area A (service.md#sign-in; the specification does not show it). */
import { z } from 'zod'
import { generalBreach } from './assumed.ts'
import { JsonNumber } from './core/decimal.ts'
import { always, field, wholeForm } from './core/field.ts'
import type { ReadOperation } from './operation.ts'

const seconds = z.union([z.instanceof(JsonNumber), z.string()]).transform((value) => Number(String(value)))

export const grantType = 'client_credentials'

export const signIn = {
  name: 'auth.token',
  area: 'A',
  section: 'Authentication',
  summary: 'exchange client id and secret for an access token',
  effect: 'read',
  showsPayment: false,
  thing: null,
  gives: 'access token',
  unknownObject: null,
  echoes: {},
  method: 'POST',
  path: '/api/auth',
  carriedIn: 'body',
  wire: 'open',
  request: z.strictObject({
    client_id: field(z.string(), { help: 'client id' }),
    client_secret: field(z.string(), { help: 'client secret' }),
    grant_type: field(z.string(), { help: 'grant type', schema: { const: grantType }, breachCode: 5013 }),
  }),
  rules: [],
  breachCode: generalBreach,
  permission: null,
  answer: z.looseObject({
    access_token: z.string().min(1),
    expires_in: seconds.pipe(z.number().positive()),
    token_type: z.string().optional(),
  }),
  answerForms: {
    access_token: always({ type: 'string', minLength: 1 }),
    expires_in: always(wholeForm),
    token_type: always({ const: 'Bearer' }),
  },
  wrapped: true,
  emptyAnswer: false,
  statuses: null,
} as const satisfies ReadOperation

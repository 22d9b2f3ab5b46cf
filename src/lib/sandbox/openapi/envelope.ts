/** Envelopes as areas B, C and D carry them: in a body, in a query, and as an answer. */
import type { JsonSchema } from '../../contract/core/field.ts'

const identifier = { type: 'string', description: 'Who sends it: the integrator id, or the wallet identifier.' }
const data = (what: string) => ({ type: 'string', contentEncoding: 'base64', description: what })
const withAes = {
  encryptedData: data('The payload, AES-256-CBC with PKCS#7 padding.'),
  encryptedKeys: data('One RSA block: "base64(key).base64(iv)". The padding is agreed.'),
  aes: { type: 'boolean', const: true },
}
const oneBlock = { encryptedData: data('The payload as one RSA block.') }

function members(properties: JsonSchema): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** The two forms of an envelope: the integrator agrees with the service on one of them. */
export const envelopeSchemas = {
  SealedRequest: {
    oneOf: [members({ identifier, ...withAes }), without('encryptedKeys', { identifier, ...oneBlock })],
  },
  SealedAnswer: { oneOf: [members(withAes), without('encryptedKeys', oneBlock)] },
} as const

function without(name: string, properties: JsonSchema): JsonSchema {
  return { ...members(properties), not: { required: [name] } }
}

/** The members of an envelope as parameters of a query. */
export const envelopeParameters: readonly JsonSchema[] = Object.entries({ identifier, ...withAes }).map(
  ([name, schema]) => ({
    ...{ name, in: 'query', required: name === 'identifier' || name === 'encryptedData' },
    schema: name === 'aes' ? { type: 'string', enum: ['true'] } : schema,
  }),
)

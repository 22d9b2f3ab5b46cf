/** Keys, as `--json` prints them. */
import { z } from 'zod'

export const keyFacts = {
  kind: z.literal('RSA'),
  bits: z.int(),
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the public half (SPKI, DER) in hex: the same for both halves of a pair.'),
}

export const describedKeyResult = z.strictObject({ ...keyFacts, half: z.enum(['private', 'public']) })

export const keysShownResult = z.array(
  z.strictObject({
    file: z.string(),
    ...describedKeyResult.shape,
    publicKey: z
      .string()
      .regex(/^[A-Za-z0-9+/]+={0,2}$/)
      .describe('The public half, single-line base64 (SPKI).'),
  }),
)

export const keyImportedResult = z.strictObject({ file: z.string(), ...describedKeyResult.shape })

export const keyGeneratedResult = z.strictObject({
  ...keyFacts,
  privateKeyFile: z.string(),
  publicKeyFile: z.string(),
})

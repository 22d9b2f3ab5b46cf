/** Keys, facts of an envelope, and the reason why it does not open, as `--json` prints them. */
import { z } from 'zod'
import { warningTexts } from '../result.ts'
import { openingSteps } from './envelope.ts'
import { layouts } from './layout.ts'
import { schemes } from './scheme.ts'

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

const inspectedField = z.strictObject({
  characters: z.int(),
  base64: z.enum(['standard', 'url-safe', 'none']),
  bytes: z.int().nullable(),
})

export const inspectionResult = z.strictObject({
  layout: z.enum(layouts).nullable().describe('null: it is no envelope.'),
  identifier: z.string().nullable(),
  encryptedData: inspectedField.nullable(),
  encryptedKeys: inspectedField.nullable(),
  cipherBlocks: z
    .int()
    .nullable()
    .describe('Whole AES blocks; null where AES has no part in it, or the bytes are no multiple of 16.'),
  rsaBits: z.int().nullable().describe('Size of the RSA key that the block implies.'),
  schemes: z.array(z.enum(schemes)).describe('The schemes it may have; only a key tells which.'),
  damage: z.array(
    z.strictObject({
      code: z.string(),
      where: z.string().describe('The field, or `envelope`.'),
      message: z.string(),
    }),
  ),
})

export const diagnosedResult = z
  .strictObject({
    opens: z.boolean().describe('Whether it opens with the first key and the scheme that is set.'),
    step: z.enum(openingSteps).nullable().describe('The step that fails so; null where it opens.'),
    remedies: z
      .array(
        z.strictObject({
          code: z.string(),
          message: z.string(),
        }),
      )
      .describe('What would mend it. The codes stay, the words may change.'),
    opensWith: z
      .strictObject({
        key: z.string(),
        scheme: z.enum(schemes),
      })
      .nullable()
      .describe('What opens it, if anything that was tried does.'),
    tried: z.array(
      z.strictObject({
        key: z.string(),
        scheme: z.enum(schemes),
        step: z.enum(openingSteps).nullable(),
      }),
    ),
    inspection: inspectionResult,
    setting: z.enum(schemes).describe('The scheme that is set.'),
    keys: z.array(
      z.strictObject({
        name: z.string(),
        bits: keyFacts.bits,
        fingerprint: keyFacts.fingerprint,
      }),
    ),
    symmetricKey: z
      .strictObject({
        key: z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/),
        iv: z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/),
      })
      .nullable()
      .describe('With --insecure-show-keys only.'),
    warnings: warningTexts,
  })
  .describe(
    'Exit code 0 where something that was tried opens it, 5 where nothing does: the diagnosis is on stdout either way.',
  )

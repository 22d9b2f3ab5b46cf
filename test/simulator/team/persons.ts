/** Two persons of a story, whose keys are the same in every one: a seed replays byte for byte. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { type PersonKey, signedText } from '../../../src/lib/approvals/signatures.ts'

/** The bytes before the seed of an Ed25519 key (RFC 8410). */
const head = Buffer.from('302e020100300506032b657004220420', 'hex')

function keyOf(name: string): PersonKey {
  const der = Buffer.concat([head, Buffer.alloc(32, name)])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return {
    publicKey: `ed25519:${x}`,
    sign: (kind, statement) => sign(null, Buffer.from(signedText(kind, statement)), key).toString('base64url'),
  }
}

export const people = { anna: keyOf('anna'), nino: keyOf('nino') } as const

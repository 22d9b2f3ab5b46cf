/**
 * The envelope as the service of the fault table seals and opens it: written with node:crypto alone, so that the
 * table shares no line with the program it judges (specification, section B: AES-256-CBC, its key wrapped with RSA-
 * OAEP).
 */
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { z } from 'zod'

const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const

/** The members of an envelope; `aes` is a text where it came in a query. */
export const sealed = z.looseObject({ encryptedData: z.string(), encryptedKeys: z.string() })

type Sealed = z.infer<typeof sealed>

/** `key` is the base64 of a public key in DER. */
export function sealText(text: string, key: string): Sealed {
  const [secret, iv] = [randomBytes(32), randomBytes(16)]
  const cipher = createCipheriv('aes-256-cbc', secret, iv)
  const encryptedData = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
  const keys = Buffer.from(`${secret.toString('base64')}.${iv.toString('base64')}`)
  const receiver = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  const wrapped = publicEncrypt({ key: receiver, ...oaep }, keys)
  return { encryptedData, encryptedKeys: wrapped.toString('base64'), aes: true }
}

/** `key` is the base64 of a private key in DER. */
export function openText({ encryptedData, encryptedKeys }: Sealed, key: string): string {
  const wrapped = Buffer.from(encryptedKeys, 'base64')
  const own = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })
  const keys = privateDecrypt({ key: own, ...oaep }, wrapped)
  const [secret = '', iv = ''] = keys.toString('utf8').split('.')
  const decipher = createDecipheriv('aes-256-cbc', Buffer.from(secret, 'base64'), Buffer.from(iv, 'base64'))
  return Buffer.concat([decipher.update(Buffer.from(encryptedData, 'base64')), decipher.final()]).toString('utf8')
}

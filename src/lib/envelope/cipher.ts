/** AES in CBC mode with PKCS#7 padding, both ways; 256 bit in envelopes (service.md#envelope), any size in the test vectors. */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { readBase64 } from './base64.ts'

export const keySize = 32
export const ivSize = 16
export const cipherBlock = 16

function algorithm(key: Buffer): string {
  return `aes-${key.length * 8}-cbc`
}

export function encrypt(key: Buffer, iv: Buffer, bytes: Buffer): Buffer {
  const cipher = createCipheriv(algorithm(key), key, iv)
  return Buffer.concat([cipher.update(bytes), cipher.final()])
}

/** Null where the padding does not fit: another key or IV, or bytes that were changed. CBC carries no proof of more. */
export function decrypt(key: Buffer, iv: Buffer, bytes: Buffer): Buffer | null {
  try {
    const decipher = createDecipheriv(algorithm(key), key, iv)
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  } catch {
    return null
  }
}

/** The text that is wrapped for the receiver: `base64(key) + "." + base64(iv)`, 69 ASCII bytes, the key first (service.md#envelope). */
export interface KeyAndIv {
  readonly key: Buffer
  readonly iv: Buffer
}

export function writeKeyText({ key, iv }: KeyAndIv): Buffer {
  return Buffer.from(`${key.toString('base64')}.${iv.toString('base64')}`, 'latin1')
}

/** Null where it is not a 32-byte key and a 16-byte IV. */
export function readKeyText(bytes: Buffer): KeyAndIv | null {
  const [first = '', second = '', ...more] = bytes.toString('latin1').trim().split('.')
  const key = readBase64(first)
  const iv = readBase64(second)
  if (more.length > 0 || key?.length !== keySize || iv?.length !== ivSize) return null
  return { key, iv }
}

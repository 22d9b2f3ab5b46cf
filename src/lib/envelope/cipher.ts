/** AES in CBC mode with PKCS#7 padding, both ways; 256 bit in envelopes (service.md#envelope), any size in the test vectors. */
import { createCipheriv, createDecipheriv } from 'node:crypto'

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

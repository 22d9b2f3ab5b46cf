/**
 * The text that is wrapped for the receiver: `base64(key) + "." + base64(iv)`, 69 ASCII bytes, the key first
 * (service.md#envelope).
 */
import { readBase64 } from '../base64.ts'
import { ivSize, keySize } from '../cipher.ts'

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

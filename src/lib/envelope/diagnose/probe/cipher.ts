/** Reasons why AES gives no padded text although key and IV came out: another mode, another padding, a missing end. */

import { isUtf8 } from 'node:buffer'
import { createDecipheriv } from 'node:crypto'
import { cipherBlock } from '../../cipher.ts'
import type { KeyAndIv } from '../../keys/key-text.ts'
import { type Remedy, remedy } from '../remedy.ts'

const tag = 16

/** The bytes as a mode gives them, no padding taken off; empty where it cannot. */
function deciphered(mode: string, { key, iv }: KeyAndIv, data: Buffer): Buffer {
  try {
    const decipher = createDecipheriv(`aes-256-${mode}`, key, mode === 'ecb' ? null : iv).setAutoPadding(false)
    return Buffer.concat([decipher.update(data), decipher.final()])
  } catch {
    return Buffer.alloc(0)
  }
}

/** GCM without its proof is a counter from 2 on the first 12 bytes, or on a hash of a longer IV; Node does both. */
function gcm({ key, iv }: KeyAndIv, data: Buffer): Buffer {
  return createDecipheriv('aes-256-gcm', key, iv).update(data.subarray(0, -tag))
}

/** The first block alone decides: a bracket or a quote, and no control character but zeros at its end. */
function beginsAsJson(bytes: Buffer): boolean {
  const start = bytes.subarray(0, cipherBlock)
  const end = start.findLastIndex((byte) => byte !== 0) + 1
  const controls = start.subarray(0, end).some((byte) => byte < 0x09)
  return isUtf8Part(bytes.subarray(0, 64)) && !controls && /^\s*[[{"]/.test(start.toString('latin1'))
}

/** A part of a text may begin and end in the middle of a character, whose longest has four bytes. */
function isUtf8Part(bytes: Buffer): boolean {
  const cuts = [0, 1, 2, 3].filter((cut) => cut < bytes.length)
  return cuts.some((first) => cuts.some((last) => isUtf8(bytes.subarray(first, bytes.length - last))))
}

const modes = ['ecb', 'ctr', 'cfb', 'cfb8', 'ofb'] as const

function otherMode(symmetric: KeyAndIv, data: Buffer): Remedy | null {
  const mode = modes.find((each) => beginsAsJson(deciphered(each, symmetric, data)))
  if (mode) return remedy('cipher-mode', `it was ${mode.toUpperCase()}`)
  return data.length > tag && beginsAsJson(gcm(symmetric, data)) ? remedy('cipher-mode', 'it was GCM') : null
}

/** The remedy for the sender's mistake; null where nothing reads as a text. */
export function probeCipher(symmetric: KeyAndIv, data: Buffer): Remedy | null {
  const whole = data.subarray(0, data.length - (data.length % cipherBlock))
  const plain = deciphered('cbc', symmetric, whole)
  if (!beginsAsJson(plain)) return otherMode(symmetric, data)
  if (whole.length < data.length) return remedy('truncated')
  if (!isUtf8Part(plain.subarray(-cipherBlock))) return remedy('damaged')
  return /[}\]"][\s\0]*$/.test(plain.toString('utf8')) ? remedy('pkcs7-padding') : remedy('truncated')
}

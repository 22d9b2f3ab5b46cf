/**
 * Recognises the mistakes of senders: an RSA block that does not open with a key of its size, another content of it than
 * `base64(key) + "." + base64(iv)`, another mode or padding of AES, and another text than JSON in UTF-8.
 */

import { isUtf8 } from 'node:buffer'
import { constants, createDecipheriv, type KeyObject, privateDecrypt, publicDecrypt } from 'node:crypto'
import { readBase64 } from '../base64.ts'
import { cipherBlock, ivSize, type KeyAndIv, keySize, readKeyText } from '../cipher.ts'
import { openBlock, rawBlock } from '../rsa.ts'
import { paddings } from '../scheme.ts'
import { type Remedy, remedy } from './damage.ts'

/** True if all bytes are printable ASCII or its white space. Twenty random bytes are so once in two hundred million. */
export function isPrintable(bytes: Uint8Array): boolean {
  return bytes.every((byte) => (byte >= 0x20 && byte <= 0x7e) || (byte >= 0x09 && byte <= 0x0d))
}

const otherHashes = ['sha1', 'sha384', 'sha512'] as const

function otherHash(key: KeyObject, block: Buffer): Remedy | null {
  for (const oaepHash of otherHashes) {
    try {
      privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, block)
      return remedy('oaep-hash', `it was ${oaepHash}`)
    } catch {
      // Not this one.
    }
  }
  return null
}

function unpadded(key: KeyObject, block: Buffer): Remedy | null {
  const bytes = rawBlock(key, block)
  const message = bytes?.subarray(bytes.findIndex((byte) => byte !== 0))
  return message && message.length >= 20 && isPrintable(message) ? remedy('no-padding') : null
}

async function backToFront(key: KeyObject, block: Buffer): Promise<Remedy | null> {
  const reversed = Buffer.from(block).reverse()
  for (const padding of paddings) {
    const opened = await openBlock(padding, key, reversed)
    // PKCS#1 has no hash to prove that it was meant.
    const meant = padding !== 'pkcs1' || (opened !== null && opened.length >= 16 && isPrintable(opened))
    if (opened && meant) return remedy('byte-order')
  }
  return null
}

/** The remedy where a private key made the block, as a signature is made: every holder of the public half can open it. */
function signed(publicKeys: readonly KeyObject[], block: Buffer): Remedy | null {
  for (const key of publicKeys) {
    try {
      publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, block)
      return remedy('wrong-half')
    } catch {
      // Not by this one.
    }
  }
  return null
}

/**
 * The remedy for the sender's mistake; null where no mistake fits this key. `publicKeys`: all that may have been used for the
 * block.
 */
export async function probeBlock(
  key: KeyObject,
  block: Buffer,
  publicKeys: readonly KeyObject[],
): Promise<Remedy | null> {
  return (
    otherHash(key, block) ??
    unpadded(key, block) ??
    (await backToFront(key, block)) ??
    signed(publicKeys, block) ??
    null
  )
}

function twoParts(first: number, second: number): Remedy | null {
  if (first === ivSize && second === keySize) return remedy('iv-before-key')
  if (first === keySize && second !== ivSize) return remedy('iv-size', `it has ${second} bytes`)
  if (first === 16 || first === 24) return remedy('key-size', `it has ${first} bytes`)
  return null
}

function joinedByDot(text: string): Remedy | null {
  const [first = '', second = '', ...more] = text.split('.')
  if (more.length > 0 || second === '') return null
  if (/^[0-9a-f]{64}$/i.test(first) && /^[0-9a-f]{32}$/i.test(second)) return remedy('key-in-hex')
  return twoParts(readBase64(first)?.length ?? 0, readBase64(second)?.length ?? 0)
}

function otherwise(text: string): Remedy | null {
  if (/^[0-9a-f]{64}$/i.test(text) || /^[0-9a-f]{96}$/i.test(text)) return remedy('key-in-hex')
  const bytes = readBase64(text)
  if (bytes?.length === keySize) return remedy('no-iv')
  if (bytes?.length === keySize + ivSize) return remedy('key-text', 'the dot is missing')
  if (bytes && readKeyText(bytes)) return remedy('base64-twice', 'the whole key text was encoded once more')
  const parts = text.match(/[\w+/-]{20,}={0,2}/g) ?? []
  return parts.length === 2 ? remedy('key-text', 'key and IV are there, something else than a dot joins them') : null
}

/** Null where it is nothing known: then the padding only looked right by chance. */
export function probeKeyText(bytes: Buffer): Remedy | null {
  const text = bytes.toString('latin1').trim()
  if (isPrintable(bytes)) return joinedByDot(text) ?? otherwise(text)
  if (bytes.length > 80 && isPrintable(bytes.filter((byte) => byte !== 0 && byte < 0xfe)))
    return remedy('key-text-utf16')
  if (bytes.length === keySize || bytes.length === keySize + ivSize) return remedy('raw-key-bytes')
  return null
}

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

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isCompressed(bytes: Buffer): boolean {
  return bytes[0] === 0x1f ? bytes[1] === 0x8b : bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1] ?? 0)
}

function isUtf16(bytes: Buffer): boolean {
  const read = [bytes, Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16()]
  return bytes.length % 2 === 0 && read.some((each) => isJson(each.toString('utf16le').replace(/^\uFEFF/, '')))
}

/** For bytes that are no UTF-8. */
export function probeBytes(bytes: Buffer): Remedy {
  const rest = bytes.subarray(cipherBlock)
  if (isCompressed(bytes)) return remedy('compressed')
  if (isUtf16(bytes)) return remedy('utf16')
  if (isJson(bytes.toString('latin1'))) return remedy('charset')
  if (isUtf8(rest) && isJson(rest.toString('utf8'))) return remedy('iv-in-front')
  if (isUtf8(rest) && /[}\]]\s*$/.test(rest.toString('utf8'))) return remedy('wrong-iv')
  return remedy('damaged')
}

/** For a text that is no JSON. */
export function probeText(text: string): Remedy {
  if (isUtf16(Buffer.from(text, 'utf8'))) return remedy('utf16')
  if (isJson(readBase64(text.trim())?.toString('utf8') ?? ''))
    return remedy('base64-twice', 'the JSON was encoded before it was sealed')
  if (/^\w+=[^&\s]*(&\w+=[^&\s]*)*$/.test(text)) return remedy('form-encoded')
  if (/^\s*\{/.test(text) && !/\}\s*$/.test(text)) return remedy('truncated')
  return remedy('not-json')
}

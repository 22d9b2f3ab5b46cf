/** Recognises other texts from the cipher than JSON in UTF-8. */
import { isUtf8 } from 'node:buffer'
import { readBase64 } from '../../base64.ts'
import { cipherBlock } from '../../cipher.ts'
import { type Remedy, remedy } from '../remedy.ts'

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

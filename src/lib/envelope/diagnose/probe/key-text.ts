/** Recognises other contents of the RSA block than `base64(key) + "." + base64(iv)`. */
import { readBase64 } from '../../base64.ts'
import { ivSize, keySize } from '../../cipher.ts'
import { readKeyText } from '../../keys/key-text.ts'
import { isPrintable } from '../../printable.ts'
import { type Remedy, remedy } from '../remedy.ts'

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

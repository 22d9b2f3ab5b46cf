/** An envelope as it is pasted: JSON, JSON inside a JSON text, a query string, an address, or the bare base64 of one field. */
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { type Envelope, type EnvelopeMembers, type Layout, type LayoutFault, readMembers } from '../layout.ts'

export interface Pasted {
  readonly layout: Layout
  readonly members: EnvelopeMembers
  /** JSON that stood as text in JSON. */
  readonly encodedTwice: boolean
  /** No names at all: the value of a field alone. */
  readonly bare: boolean
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is EnvelopeMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fromJson(text: string): Pasted | null {
  const once = parsed(text)
  const members = typeof once === 'string' ? parsed(once) : once
  if (!isObject(members)) return null
  const layout = members.encryptedKeys === undefined && members.aes === undefined ? 'one-field' : 'four-fields'
  return { layout, members, encodedTwice: members !== once, bare: false }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `+` stays what it is: of these values only base64 has any, and there it was never a blank. */
function fromQuery(text: string): Pasted | null {
  const query = text.slice(text.indexOf('?') + 1).replaceAll('&amp;', '&')
  const pairs = query.split('&').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 0 ? [] : [[decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))] as const]
  })
  const members = Object.fromEntries(pairs)
  if (!/(^|[?&])\w+=[^=]/.test(text)) return null
  return { layout: 'query', members, encodedTwice: false, bare: false }
}

function fromBase64(text: string): Pasted | null {
  if (!/^[\w+/\s%-]{64,}={0,2}$/.test(text)) return null
  return { layout: 'one-field', members: { encryptedData: text }, encodedTwice: false, bare: true }
}

/** Reads a pasted text by its shape; null where it is no envelope. */
export function readPasted(text: string): Pasted | null {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (/^[{["]/.test(trimmed)) return fromJson(trimmed)
  return fromBase64(trimmed) ?? fromQuery(trimmed)
}

export const layoutFaults: Readonly<Record<LayoutFault, string>> = {
  'no-data': 'there is no encryptedData',
  'no-keys': 'aes is true, but there is no encryptedKeys',
  'aes-false': 'aes is false, but there is an encryptedKeys',
  'aes-unreadable': 'aes is neither true nor false',
  'data-no-base64': 'encryptedData is no base64',
  'keys-no-base64': 'encryptedKeys is no base64',
}

function unreadable(why: string): Failure {
  return new Failure('usage', `this is no envelope: ${why}`, {
    hints: [
      hint`\`${paste('envelope inspect')}\` shows what it is, and \`${paste('envelope doctor')}\` what would mend it.`,
    ],
  })
}

/** The envelope in a text. Throws Failure('usage') that says what is missing: nothing of it depends on a key. */
export function readEnvelope(text: string): { readonly envelope: Envelope; readonly layout: Layout } {
  const pasted = readPasted(text)
  if (!pasted) throw unreadable('it is neither a JSON object nor a query string')
  const read = readMembers(pasted.members)
  if (!read.ok) throw unreadable(layoutFaults[read.fault])
  return { envelope: read.envelope, layout: pasted.layout }
}

/**
 * Facts of an envelope without a key: its layout, its encoding, the lengths of its parts, the RSA key and scheme that they
 * imply, and its damage.
 */
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { ResultOf } from '../../result.ts'
import { base64Damages, examineBase64 } from '../base64.ts'
import { cipherBlock } from '../cipher.ts'
import { readKey } from '../key.ts'
import { type Envelope, type EnvelopeMembers, type Layout, type LayoutFault, readMembers } from '../layout.ts'
import type { inspectionResult } from '../result.ts'
import { schemeFacts, schemes } from '../scheme.ts'
import { type Damage, type DamageCode, damage } from './damage.ts'

/** An envelope as it is pasted: JSON, JSON inside a JSON text, a query string, an address, or the bare base64 of one field. */
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
  'data-no-base64': 'encryptedData is not base64',
  'keys-no-base64': 'encryptedKeys is not base64',
}

function unreadable(why: string): Failure {
  return new Failure('usage', `this is not an envelope: ${why}`, {
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

export type InspectedField = NonNullable<Inspection['encryptedData']>

export type Inspection = Omit<ResultOf<typeof inspectionResult>, 'damage'> & { readonly damage: readonly Damage[] }

const fieldNames = ['identifier', 'encryptedData', 'encryptedKeys', 'aes'] as const

/** Real keys have 2048, 3072 or 4096 bits; anything else at a block's length is a damage. */
function plausibleBlock(bytes: number): boolean {
  return bytes >= 256 && bytes <= 1024 && bytes % 64 === 0
}

function inspectField(value: unknown): InspectedField | null {
  if (typeof value !== 'string' || value === '') return null
  const read = examineBase64(value)
  const bytes = read?.bytes.length ?? null
  return {
    characters: value.length,
    base64: read === null ? 'none' : read.damage.includes('url-safe-alphabet') ? 'url-safe' : 'standard',
    bytes,
  }
}

function blocksOf(bytes: number | null): number | null {
  return bytes !== null && bytes > 0 && bytes % cipherBlock === 0 ? bytes / cipherBlock : null
}

/** A key where an envelope should be: the worst thing to paste. */
function keyDamage(bytes: Buffer, where: string): Damage[] {
  const read = readKey(bytes)
  return read.ok ? [damage(read.half === 'private' ? 'private-key' : 'public-key', where)] : []
}

function unreadableBase64(value: string, where: string): Damage {
  const rest = value.replace(/[\s=]/g, '')
  return damage(/^[\w+/-]+$/.test(rest) && rest.length % 4 === 1 ? 'truncated' : 'no-base64', where)
}

function fieldDamage(value: unknown, where: string): Damage[] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'string') return [damage('not-text', where)]
  if (value === '') return [damage('empty', where)]
  const key = keyDamage(Buffer.from(value), where)
  if (key.length > 0) return key
  if (/^(?:[0-9a-f]{2}){64,}$/i.test(value)) return [damage('hex', where)]
  const read = examineBase64(value)
  if (!read) return [unreadableBase64(value, where)]
  const twice = /^[A-Za-z0-9+/\r\n]{64,}={0,2}$/.test(read.bytes.toString('latin1').trimEnd())
  return [...read.damage, ...(twice ? (['base64-twice'] as const) : [])].map((code) => damage(code, where))
}

function lengthDamage(data: number | null, keys: number | null, hasKeys: boolean): Damage[] {
  const block = hasKeys ? keys : data
  const where = hasKeys ? 'encryptedKeys' : 'encryptedData'
  if (hasKeys && keys !== null && data !== null && !plausibleBlock(keys) && plausibleBlock(data)) {
    if (keys % cipherBlock === 0) return [damage('swapped-fields', 'encryptedData and encryptedKeys')]
  }
  return [
    ...(block !== null && block > 0 && !plausibleBlock(block) ? [damage('truncated', where)] : []),
    ...(hasKeys && data !== null && data % cipherBlock !== 0 ? [damage('truncated', 'encryptedData')] : []),
  ]
}

const known = new Map(fieldNames.map((name) => [name.toLowerCase(), name] as const))

function nameDamage(members: EnvelopeMembers): Damage[] {
  return Object.keys(members).flatMap((name) => {
    const meant = known.get(name.toLowerCase().replace(/[^a-z]/g, ''))
    return meant !== undefined && meant !== name && members[meant] === undefined
      ? [damage('field-names', `"${name}"`)]
      : []
  })
}

function membersDamage(members: EnvelopeMembers): Damage[] {
  if (members.statusCode !== undefined && members.message !== undefined) return [damage('service-error', 'envelope')]
  const names = nameDamage(members)
  if (names.length > 0) return names
  if (!fieldNames.slice(1).some((name) => members[name] !== undefined)) return [damage('not-sealed', 'envelope')]
  const fields = (['encryptedData', 'encryptedKeys'] as const).flatMap((name) => fieldDamage(members[name], name))
  const read = readMembers(members)
  if (read.ok || read.fault.endsWith('-base64') || fields.some(({ code }) => code === 'empty')) return fields
  const where = { 'no-data': 'encryptedData', 'no-keys': 'encryptedKeys' }[String(read.fault)] ?? 'aes'
  const code = read.fault as 'no-data' | 'no-keys' | 'aes-false' | 'aes-unreadable'
  return [...fields, damage(code, where)]
}

/** Damage that explains the length by itself. */
const explainsLength: readonly string[] = ['hex', 'base64-twice', 'private-key', 'public-key', 'truncated']

function inspectPasted({ layout, members, encodedTwice, bare }: Pasted): Inspection {
  const encryptedKeys = inspectField(members.encryptedKeys)
  const hasKeys = members.encryptedKeys !== undefined
  const encryptedData = inspectField(members.encryptedData)
  const block = (hasKeys ? encryptedKeys : encryptedData)?.bytes ?? null
  const found = membersDamage(members)
  const explained = found.some(({ code }) => explainsLength.includes(code))
  const lengths = lengthDamage(encryptedData?.bytes ?? null, encryptedKeys?.bytes ?? null, hasKeys)
  return {
    layout,
    identifier: typeof members.identifier === 'string' ? members.identifier : null,
    encryptedData,
    encryptedKeys,
    cipherBlocks: hasKeys ? blocksOf(encryptedData?.bytes ?? null) : null,
    rsaBits: block !== null && plausibleBlock(block) ? block * 8 : null,
    schemes: encryptedData ? schemes.filter((scheme) => schemeFacts[scheme].aes === hasKeys) : [],
    damage: [
      ...(encodedTwice ? [damage('json-twice', 'envelope')] : []),
      ...(bare ? [damage('bare', 'envelope')] : []),
      ...found,
      ...(explained ? [] : lengths),
    ],
  }
}

/** Never throws: what cannot be read is a damage. */
export function inspect(text: string): Inspection {
  // A key that stands in a field is the field's damage.
  const key = /^\s*\{/.test(text) ? [] : keyDamage(Buffer.from(text), 'envelope')
  const pasted = key.length > 0 ? null : readPasted(text)
  if (pasted) return inspectPasted(pasted)
  const cut = /^\s*[{["]/.test(text) && !/[}\]"]\s*$/.test(text)
  const nothing = text.trim() === '' ? 'empty' : cut ? 'truncated' : 'no-envelope'
  return {
    layout: null,
    identifier: null,
    encryptedData: null,
    encryptedKeys: null,
    cipherBlocks: null,
    rsaBits: null,
    schemes: [],
    damage: key.length > 0 ? key : [damage(nothing, 'envelope')],
  }
}

/** The damage of an envelope that opens all the same: mended here, and by other receivers perhaps not. */
const mendable: ReadonlySet<DamageCode> = new Set([...base64Damages, 'json-twice', 'bare'] as const)

/** A sentence for each thing that was mended before the text could be opened; none where it is exactly as the service writes. */
export function repairsMade(text: string): readonly string[] {
  const found = inspect(text).damage.filter(({ code }) => mendable.has(code))
  return found.map(({ message }) => `mended: ${message}`)
}

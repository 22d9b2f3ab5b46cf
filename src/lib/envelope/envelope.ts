/**
 * Seal and open (service.md#envelope and service.md#wallet-envelope), side by side, knowing nothing of HTTP. The envelope has
 * no MAC: it hides a text from others, and a text that was changed on the way is noticed only as far as it is no longer JSON.
 */
import { isUtf8 } from 'node:buffer'
import { type KeyObject, randomBytes } from 'node:crypto'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { cipherBlock, decrypt, encrypt, ivSize, type KeyAndIv, keySize, readKeyText, writeKeyText } from './cipher.ts'
import { type Envelope, type EnvelopeMembers, readMembers } from './layout.ts'
import { bitsOf, blockSize, openBlock, room, sealBlock } from './rsa.ts'
import { type Scheme, schemeFacts, schemesFor } from './scheme.ts'

/** Steps of opening, in their order: the first that fails is named. */
export const openingSteps = [
  'layout',
  'base64',
  'block-length',
  'unwrap',
  'key-and-iv',
  'cipher',
  'utf-8',
  'json',
  'schema',
] as const
export type OpeningStep = (typeof openingSteps)[number]

export interface Sealing {
  /** The receiver's public key. */
  readonly key: KeyObject
  readonly scheme: Scheme
  readonly identifier?: string | null
}

export interface OpenedEnvelope {
  /** The receiver's private key. */
  readonly key: KeyObject
  /** `any`: found out, OAEP first. */
  readonly scheme: Scheme | 'any'
}

function tooLong(bytes: number, key: KeyObject, scheme: Scheme): Failure {
  const most = room(schemeFacts[scheme].padding, key)
  const said = `the text has ${bytes} bytes, and one RSA block of this ${bitsOf(key)} bit key has room for ${most} (${scheme})`
  return new Failure('usage', said, {
    hints: [
      hint`The way out: an AES scheme (oaep-sha256, pkcs1) takes any length, if the service has it set for you; or a key of 4096 bit; or a shorter text.`,
    ],
  })
}

/** Half a character would silently become another text; the search for it costs nothing where there is none. */
function asBytes(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.includes('\uFFFD') && /\p{Surrogate}/u.test(text)) {
    throw new Failure('usage', 'the text holds half a character (a lone surrogate)')
  }
  return bytes
}

const randomKeyAndIv = (): KeyAndIv => ({ key: randomBytes(keySize), iv: randomBytes(ivSize) })

/** Seals a text (JSON, well-formed Unicode). Throws Failure('usage') where it is too long for one RSA block. */
export function seal(text: string, { key, scheme, identifier = null }: Sealing): Envelope {
  const { padding, aes } = schemeFacts[scheme]
  const bytes = asBytes(text)
  if (!aes) {
    if (bytes.length > room(padding, key)) throw tooLong(bytes.length, key, scheme)
    return { identifier, data: sealBlock(padding, key, bytes), keys: null }
  }
  const symmetric = randomKeyAndIv()
  const keys = sealBlock(padding, key, writeKeyText(symmetric))
  return { identifier, data: encrypt(symmetric.key, symmetric.iv, bytes), keys }
}

/** An opened envelope, or the step that failed: for the owner of the key alone. */
export type OpeningAttempt =
  | { readonly ok: true; readonly text: string; readonly symmetric: KeyAndIv | null }
  | { readonly ok: false; readonly step: OpeningStep; readonly bytes: Buffer | null }

function asText(bytes: Buffer, symmetric: KeyAndIv | null): OpeningAttempt {
  if (!isUtf8(bytes)) return { ok: false, step: 'utf-8', bytes }
  // A byte order mark belongs to the encoding and not to the text (RFC 8259, 8.1).
  return { ok: true, text: bytes.toString('utf8').replace(/^\uFEFF/, ''), symmetric }
}

async function openAes(keys: Buffer, data: Buffer, key: KeyObject, scheme: Scheme): Promise<OpeningAttempt> {
  const unwrapped = await openBlock(schemeFacts[scheme].padding, key, keys)
  const symmetric = unwrapped && readKeyText(unwrapped)
  // The cipher runs all the same where no key came out, so that its time does not give the reason away.
  const used = symmetric ?? randomKeyAndIv()
  const bytes = decrypt(used.key, used.iv, data)
  if (!unwrapped) return { ok: false, step: 'unwrap', bytes: null }
  if (!symmetric) return { ok: false, step: 'key-and-iv', bytes: unwrapped }
  return bytes ? asText(bytes, symmetric) : { ok: false, step: 'cipher', bytes: null }
}

/** Opens with one scheme and names the step that failed. A server that answers strangers uses `open`, which names none. */
export async function attempt(envelope: Envelope, key: KeyObject, scheme: Scheme): Promise<OpeningAttempt> {
  const { data, keys } = envelope
  const { padding, aes } = schemeFacts[scheme]
  if (aes !== (keys !== null)) return { ok: false, step: 'layout', bytes: null }
  const block = keys ?? data
  const whole =
    block.length === blockSize(key) && (keys === null || (data.length > 0 && data.length % cipherBlock === 0))
  if (!whole) return { ok: false, step: 'block-length', bytes: null }
  if (keys) return openAes(keys, data, key, scheme)
  const bytes = await openBlock(padding, key, data)
  return bytes ? asText(bytes, null) : { ok: false, step: 'unwrap', bytes: null }
}

/** The one failure of opening. It never says why: what differs from failure to failure is what an attacker asks for. */
function openingFailure(): Failure {
  return new Failure('credentials', 'the envelope does not open with this key', {
    hints: [hint`\`${paste('envelope doctor')}\` tells the owner of the key which step fails and what would mend it.`],
  })
}

/** The text as it is, if it is JSON. */
export function jsonText(text: string): string {
  JSON.parse(text)
  return text
}

export interface Opened<Read> {
  readonly read: Read
  readonly scheme: Scheme
}

/**
 * Opens an envelope and reads its text, with `read`: what it throws is the same failure as everything else. Throws
 * Failure('credentials').
 */
export async function openAs<Read>(
  envelope: Envelope,
  { key, scheme }: OpenedEnvelope,
  read: (text: string) => Read,
): Promise<Opened<Read>> {
  const candidates = scheme === 'any' ? schemesFor(envelope) : [scheme]
  for (const candidate of candidates) {
    const tried = await attempt(envelope, key, candidate)
    if (!tried.ok) continue
    try {
      return { read: read(tried.text), scheme: candidate }
    } catch {
      // As unreadable as anything else.
    }
  }
  throw openingFailure()
}

/** The same with the first key that fits. Throws Failure('credentials'), always the same. */
export async function openWithOneOf(
  envelope: Envelope,
  keys: readonly KeyObject[],
  scheme: OpenedEnvelope['scheme'],
): Promise<Opened<string>> {
  for (const key of keys) {
    try {
      return await openAs(envelope, { key, scheme }, jsonText)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }
  throw openingFailure()
}

/** The exact text of an envelope. Throws Failure('credentials'), always the same. */
export async function open(envelope: Envelope, opening: OpenedEnvelope): Promise<string> {
  return (await openAs(envelope, opening, jsonText)).read
}

/** Reads and opens an envelope from outside. Every fault in it is the same one failure. */
export async function openReceived<Read>(
  members: EnvelopeMembers,
  opening: OpenedEnvelope,
  read: (text: string) => Read,
): Promise<Opened<Read>> {
  const received = readMembers(members)
  if (!received.ok) throw openingFailure()
  return openAs(received.envelope, opening, read)
}

export interface NamedKey {
  /** As the person named it: a flag and a file. */
  readonly name: string
  readonly key: KeyObject
}

/** An envelope that does not open, as it is brought to the doctor. */
export interface Patient {
  readonly text: string
  /** Private keys, at least one; the first is the one that should open it. */
  readonly keys: readonly NamedKey[]
  /** True if the keys of the service are among them: then a request can be opened, too. */
  readonly opensRequests?: boolean
  /** Public keys that may have been used for the envelope. */
  readonly publicKeys: readonly NamedKey[]
  /** The scheme that is set. */
  readonly setting: Scheme
  /** Breaches of the contract in a text, in words; none where it is fine. */
  readonly check?: ((text: string) => readonly string[]) | undefined
}

/** One key with one scheme. */
export interface Tried {
  readonly owner: NamedKey
  readonly scheme: Scheme
  readonly attempt: OpeningAttempt
}

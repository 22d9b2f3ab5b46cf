/** From how far an envelope could be opened to what would mend it. */
import { createPublicKey } from 'node:crypto'
import { type OpeningStep, openingSteps } from '../envelope.ts'
import { type KeyAndIv, readKeyText } from '../keys/key-text.ts'
import type { Envelope } from '../layout.ts'
import type { NamedKey, Patient, Tried } from '../patient.ts'
import { bitsOf, blockSize, openBlock } from '../rsa.ts'
import { paddings, schemeFacts } from '../scheme.ts'
import type { Inspection } from './inspect.ts'
import { probeBlock } from './probe/block.ts'
import { probeCipher } from './probe/cipher.ts'
import { probeKeyText } from './probe/key-text.ts'
import { probeBytes, probeText } from './probe/text.ts'
import { mending, type Remedy, remedy } from './remedy.ts'

/** One random block in 256 looks like PKCS#1: what comes out of it counts only if it makes some sense. */
function byChance({ attempt, scheme }: Tried): boolean {
  if (attempt.ok || schemeFacts[scheme].padding !== 'pkcs1' || !attempt.bytes) return false
  if (attempt.step === 'key-and-iv') return probeKeyText(attempt.bytes) === null
  return attempt.step === 'utf-8' && !schemeFacts[scheme].aes && probeBytes(attempt.bytes).code === 'damaged'
}

/** The number of steps that went well: the place of the one that failed, or past all of them. */
export function reached(tried: Tried): number {
  if (tried.attempt.ok) return openingSteps.length
  return openingSteps.indexOf(byChance(tried) ? 'unwrap' : tried.attempt.step)
}

/** The AES key and IV, if any of the keys gets them out in any way. */
export async function symmetricOf(envelope: Envelope, keys: readonly NamedKey[]): Promise<KeyAndIv | null> {
  for (const { key } of envelope.keys ? keys : []) {
    for (const padding of paddings) {
      const unwrapped = envelope.keys && (await openBlock(padding, key, envelope.keys))
      const symmetric = unwrapped && readKeyText(unwrapped)
      if (symmetric) return symmetric
    }
  }
  return null
}

/** Remedies where the key or the scheme that fits is not the one that is set. */
function otherThanSet({ owner, scheme }: Tried, { keys, setting }: Patient): Remedy[] {
  const otherKey = owner === keys[0] ? [] : [remedy('other-key', `${owner.name} fits`)]
  if (scheme === setting) return otherKey
  if (schemeFacts[setting].aes !== schemeFacts[scheme].aes) {
    return [
      ...otherKey,
      remedy(schemeFacts[scheme].aes ? 'aes-envelope' : 'legacy-block', `here it is --scheme ${scheme}`),
    ]
  }
  const code = scheme === 'oaep-sha256-mgf1-sha1' ? 'mgf1-hash' : 'other-padding'
  return [...otherKey, remedy(code, `or take it as it is, --scheme ${scheme}`)]
}

async function cipherRemedy(envelope: Envelope, keys: readonly NamedKey[]): Promise<Remedy | null> {
  const symmetric = await symmetricOf(envelope, keys)
  return symmetric && probeCipher(symmetric, envelope.data)
}

async function lengthRemedies(envelope: Envelope, { keys }: Patient, { damage }: Inspection): Promise<Remedy[]> {
  const block = envelope.keys ?? envelope.data
  const probed = await cipherRemedy(envelope, keys)
  if (probed) return [probed]
  if (damage.length > 0) return damage.map(mending)
  if (keys.some(({ key }) => blockSize(key) === block.length)) return [remedy('truncated')]
  const sizes = keys.map(({ name, key }) => `${name} has ${bitsOf(key)}`).join(', ')
  return [remedy('other-key', `its block is for a key of ${block.length * 8} bits, and ${sizes}`)]
}

async function unwrapRemedies(envelope: Envelope, { keys, publicKeys }: Patient): Promise<Remedy[]> {
  const owners = [...publicKeys.map(({ key }) => key), ...keys.map(({ key }) => createPublicKey(key))]
  for (const { key } of keys) {
    const found = await probeBlock(key, envelope.keys ?? envelope.data, owners)
    if (found) return [found]
  }
  return envelope.identifier === null ? [remedy('other-key')] : [remedy('wrong-direction'), remedy('other-key')]
}

/** Remedies for the attempt that got furthest. */
export async function prescribe(
  envelope: Envelope,
  best: Tried,
  patient: Patient,
  inspection: Inspection,
): Promise<Remedy[]> {
  const found = otherThanSet(best, patient)
  const bytes = best.attempt.ok ? Buffer.alloc(0) : (best.attempt.bytes ?? Buffer.alloc(0))
  const more: Partial<Record<OpeningStep, () => Remedy[] | Promise<Remedy[]>>> = {
    'block-length': () => lengthRemedies(envelope, patient, inspection),
    unwrap: () => unwrapRemedies(envelope, patient),
    'key-and-iv': () => [probeKeyText(bytes) ?? remedy('key-text')],
    cipher: async () => [(await cipherRemedy(envelope, patient.keys)) ?? remedy('damaged')],
    'utf-8': () => [probeBytes(bytes)],
    json: () => [probeText(bytes.toString('utf8'))],
    schema: () => (patient.check?.(bytes.toString('utf8')) ?? []).map((said) => remedy('payload', said)),
  }
  const step = openingSteps[reached(best)]
  return [...found, ...((step && (await more[step]?.())) ?? [])]
}

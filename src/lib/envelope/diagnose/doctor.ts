/**
 * Diagnosis of an envelope that does not open, for the owner of the keys: every scheme and every key is tried, and the
 * failing step is named with its remedies. Never for strangers: a receiver that answers by the step is an oracle (see
 * `open`).
 */
import { createPublicKey } from 'node:crypto'
import type { ResultOf } from '../../result.ts'
import { type KeyAndIv, readKeyText } from '../cipher.ts'
import {
  attempt,
  type NamedKey,
  type OpeningAttempt,
  type OpeningStep,
  openingSteps,
  type Patient,
  type Tried,
} from '../envelope.ts'
import { type Envelope, readMembers } from '../layout.ts'
import type { diagnosedResult } from '../result.ts'
import { bitsOf, blockSize, openBlock } from '../rsa.ts'
import { paddings, schemeFacts, schemesFor } from '../scheme.ts'
import { mending, type Remedy, remedy } from './damage.ts'
import { type Inspection, inspect, readPasted } from './inspect.ts'
import { probeBlock, probeBytes, probeCipher, probeKeyText, probeText } from './probe.ts'

/** One random block in 256 looks like PKCS#1: what comes out of it counts only if it makes some sense. */
function opensByChance({ attempt, scheme }: Tried): boolean {
  if (attempt.ok || schemeFacts[scheme].padding !== 'pkcs1' || !attempt.bytes) return false
  if (attempt.step === 'key-and-iv') return probeKeyText(attempt.bytes) === null
  return attempt.step === 'utf-8' && !schemeFacts[scheme].aes && probeBytes(attempt.bytes).code === 'damaged'
}

/** The number of steps that went well: the place of the one that failed, or past all of them. */
export function reached(tried: Tried): number {
  if (tried.attempt.ok) return openingSteps.length
  return openingSteps.indexOf(opensByChance(tried) ? 'unwrap' : tried.attempt.step)
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

async function unwrapRemedies(
  envelope: Envelope,
  { keys, publicKeys, opensRequests = false }: Patient,
): Promise<Remedy[]> {
  const owners = [...publicKeys.map(({ key }) => key), ...keys.map(({ key }) => createPublicKey(key))]
  for (const { key } of keys) {
    const found = await probeBlock(key, envelope.keys ?? envelope.data, owners)
    if (found) return [found]
  }
  const isForService = envelope.identifier !== null && !opensRequests
  return isForService ? [remedy('wrong-direction'), remedy('other-key')] : [remedy('other-key')]
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

export interface Diagnosis extends Pick<ResultOf<typeof diagnosedResult>, 'opens' | 'step' | 'opensWith' | 'tried'> {
  readonly remedies: readonly Remedy[]
  readonly inspection: Inspection
  /** For `--insecure-show-keys` only. */
  readonly symmetric: KeyAndIv | null
}

/** JSON and the contract are steps too, though the cipher knows nothing of them. */
function judged(tried: OpeningAttempt, check: Patient['check']): OpeningAttempt {
  if (!tried.ok) return tried
  const bytes = Buffer.from(tried.text)
  try {
    JSON.parse(tried.text)
  } catch {
    return { ok: false, step: 'json', bytes }
  }
  return check && check(tried.text).length > 0 ? { ok: false, step: 'schema', bytes } : tried
}

/** Every key with every scheme; the setting first, and then those that the layout allows. */
async function tryAll(envelope: Envelope, { keys, setting, check }: Patient): Promise<Tried[]> {
  const candidates = [setting, ...schemesFor(envelope).filter((scheme) => scheme !== setting)]
  const tried: Tried[] = []
  for (const owner of keys) {
    for (const scheme of candidates) {
      tried.push({ owner, scheme, attempt: judged(await attempt(envelope, owner.key, scheme), check) })
    }
  }
  return tried
}

function stepOf(tried: Tried): OpeningStep | null {
  return openingSteps[reached(tried)] ?? null
}

function unreadable(step: OpeningStep, inspection: Inspection): Diagnosis {
  const remedies = inspection.damage.map(mending)
  return { opens: false, step, remedies, opensWith: null, tried: [], inspection, symmetric: null }
}

/** Never throws for what stands in the text. */
export async function diagnose(patient: Patient): Promise<Diagnosis> {
  const inspection = inspect(patient.text)
  const pasted = readPasted(patient.text)
  const read = pasted && readMembers(pasted.members)
  if (!read || inspection.layout === null) return unreadable('layout', inspection)
  if (!read.ok) return unreadable(read.fault.endsWith('-base64') ? 'base64' : 'layout', inspection)
  const tried = await tryAll(read.envelope, patient)
  const set = tried[0]
  if (!set) return unreadable('unwrap', inspection)
  const best = tried.reduce((far, each) => (reached(each) > reached(far) ? each : far), set)
  return {
    opens: set.attempt.ok,
    step: stepOf(set),
    remedies: set.attempt.ok ? [] : await prescribe(read.envelope, best, patient, inspection),
    opensWith: best.attempt.ok ? { key: best.owner.name, scheme: best.scheme } : null,
    tried: tried.map((each) => ({ key: each.owner.name, scheme: each.scheme, step: stepOf(each) })),
    inspection,
    symmetric: await symmetricOf(read.envelope, patient.keys),
  }
}

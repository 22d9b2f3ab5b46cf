/**
 * Diagnosis of an envelope that does not open, for the owner of the keys: every scheme and every key is tried, and the
 * failing step is named with its remedies. Never for strangers: a receiver that answers by the step is an oracle (see
 * `open`).
 */
import type { ResultOf } from '../../result.ts'
import { attempt, type OpeningAttempt, type OpeningStep, openingSteps } from '../envelope.ts'
import type { KeyAndIv } from '../keys/key-text.ts'
import { type Envelope, readMembers } from '../layout.ts'
import type { Patient, Tried } from '../patient.ts'
import { schemesFor } from '../scheme.ts'
import { type Inspection, inspect } from './inspect.ts'
import { readPasted } from './pasted.ts'
import { prescribe, reached, symmetricOf } from './prescribe.ts'
import { mending, type Remedy } from './remedy.ts'
import type { diagnosedResult } from './result.ts'

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

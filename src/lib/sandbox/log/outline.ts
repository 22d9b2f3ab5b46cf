/**
 * The outline of an envelope that arrived: how it lay, how long its parts are, what opened it; for one that did not open, the
 * step that failed and what would mend it. On the wire each of them is the same 6010: this is for the owner of the sandbox,
 * and it is worked out when the answer is long out.
 */
import type { Operation } from '../../contract/operation.ts'
import { diagnose } from '../../envelope/diagnose/doctor.ts'
import { type Inspection, inspect, readPasted } from '../../envelope/diagnose/inspect.ts'
import { attempt, type NamedKey, type OpeningStep } from '../../envelope/envelope.ts'
import { readMembers } from '../../envelope/layout.ts'
import { type Scheme, schemeFacts, schemesFor } from '../../envelope/scheme.ts'
import { excessIn, isRecord, readMessage } from '../../json.ts'
import type { ReceivedRequest } from './exchange.ts'
import type { RequestFacts } from './facts.ts'

export interface Outline extends Omit<Inspection, 'damage'> {
  /** The scheme that opened it; null where none did. */
  readonly opened: Scheme | null
  /** The step that failed; null where it opened, or was never tried. */
  readonly step: OpeningStep | null
  /** The owner of the key that it is sealed to, where that is another than the service; null where none is known. */
  readonly sealedTo: string | null
  /** Words on anything unusual about it, or on its remedy. */
  readonly remarks: readonly string[]
}

/** The envelope as it came. */
function textOf(operation: Operation, { body, query }: ReceivedRequest): string {
  if (operation.carriedIn === 'body') return body ?? ''
  return query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
}

function check(text: string): readonly string[] {
  try {
    return isRecord(readMessage(text)) ? [] : ['it is no JSON object']
  } catch {
    return ['it is no JSON']
  }
}

function outlined(
  { damage, ...inspection }: Inspection,
  rest: Pick<Outline, 'opened' | 'step' | 'sealedTo'>,
  more: string[] = [],
) {
  const remarks = damage.map(({ where, message }) => `${where} ${message}`)
  return { ...inspection, ...rest, remarks: [...new Set([...remarks, ...more])] }
}

/** Names the scheme that was used and the one that is set, where that alone is wrong or unusual. */
export function sealedOtherwise(used: Scheme, setting: Scheme): string {
  return `sealed with ${used}, and ${setting} is set for this integrator`
}

/** The first whose key opens it; null where none does. */
async function sealedTo(text: string, keys: readonly NamedKey[]): Promise<string | null> {
  const pasted = readPasted(text)
  const read = pasted && readMembers(pasted.members)
  if (!read?.ok) return null
  for (const { name, key } of keys) {
    for (const scheme of schemesFor(read.envelope)) {
      const opened = await attempt(read.envelope, key, scheme)
      if (opened.ok && check(opened.text).length === 0) return name
    }
  }
  return null
}

/** Null where the operation seals nothing. `others` are the keys of the world beside that which should have opened it. */
export async function outlineOf(
  operation: Operation | null,
  asked: ReceivedRequest,
  facts: RequestFacts,
  others: () => Promise<readonly NamedKey[]>,
): Promise<Outline | null> {
  if (operation?.wire !== 'sealed' && operation?.wire !== 'wallet') return null
  const text = textOf(operation, asked)
  if (excessIn(text) !== null) return null
  const { unopened, opened } = facts
  if (!unopened) return outlined(inspect(text), { opened: opened?.scheme ?? null, step: null, sealedTo: null })
  const { key, setting, used } = unopened
  if (used !== null) {
    const step = schemeFacts[used].aes === schemeFacts[setting].aes ? 'unwrap' : 'layout'
    return outlined(inspect(text), { opened: null, step, sealedTo: null }, [sealedOtherwise(used, setting)])
  }
  const service = { name: 'the key of the service', key }
  const { step, remedies, inspection } = await diagnose({ text, keys: [service], publicKeys: [], setting, check })
  const owner = step === 'unwrap' || step === 'block-length' ? await sealedTo(text, await others()) : null
  if (owner !== null) return outlined(inspection, { opened: null, step, sealedTo: owner })
  const damage = inspection.damage.map(({ message }) => message)
  // The remedy for a client that opens a request is none here: this is the service, which gets requests.
  const meant = remedies.filter(({ code }) => code !== 'wrong-direction')
  const mending = meant.map(({ message }) => message).filter((message) => !damage.includes(message))
  return outlined(inspection, { opened: null, step, sealedTo: null }, mending)
}

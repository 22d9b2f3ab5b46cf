/**
 * The outline of an envelope that arrived: how it lay, how long its parts are, what opened it; for one that did not open, the
 * step that failed and what would mend it. On the wire each of them is the same 6010: this is for the owner of the sandbox,
 * and it is worked out when the answer is long out.
 */
import type { Operation } from '../../contract/operation.ts'
import { diagnose } from '../../envelope/diagnose/doctor.ts'
import { type Inspection, inspect } from '../../envelope/diagnose/inspect.ts'
import type { OpeningStep } from '../../envelope/envelope.ts'
import { type Scheme, schemeFacts } from '../../envelope/scheme.ts'
import { isRecord, readJson } from '../../json.ts'
import type { ReceivedRequest } from './exchange.ts'
import type { RequestFacts } from './facts.ts'

export interface Outline extends Omit<Inspection, 'damage'> {
  /** What opened it; null where nothing did. */
  readonly opened: Scheme | null
  /** The step that failed; null where it opened, or was never tried. */
  readonly step: OpeningStep | null
  /** What is unusual about it, or what would mend it, in words. */
  readonly remarks: readonly string[]
}

/** The envelope as it came. */
function textOf(operation: Operation, { body, query }: ReceivedRequest): string {
  if (operation.carriedIn === 'body') return body ?? ''
  return query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
}

function check(text: string): readonly string[] {
  try {
    return isRecord(readJson(text)) ? [] : ['it is no JSON object']
  } catch {
    return ['it is no JSON']
  }
}

function outlined({ damage, ...inspection }: Inspection, rest: Pick<Outline, 'opened' | 'step'>, more: string[] = []) {
  const remarks = damage.map(({ where, message }) => `${where} ${message}`)
  return { ...inspection, ...rest, remarks: [...new Set([...remarks, ...more])] }
}

/** Names the scheme that was used and the one that is set, where that alone is wrong or unusual. */
export function sealedOtherwise(used: Scheme, setting: Scheme): string {
  return `sealed with ${used}, and ${setting} is set for this integrator`
}

/** Null where the operation seals nothing. */
export async function outlineOf(
  operation: Operation | null,
  asked: ReceivedRequest,
  facts: RequestFacts,
): Promise<Outline | null> {
  if (operation?.wire !== 'sealed' && operation?.wire !== 'wallet') return null
  const text = textOf(operation, asked)
  const { unopened, opened } = facts
  if (!unopened) return outlined(inspect(text), { opened: opened?.scheme ?? null, step: null })
  const { key, setting, used } = unopened
  if (used !== null) {
    const step = schemeFacts[used].aes === schemeFacts[setting].aes ? 'unwrap' : 'layout'
    return outlined(inspect(text), { opened: null, step }, [sealedOtherwise(used, setting)])
  }
  const service = { name: 'the key of the service', key }
  const { step, remedies, inspection } = await diagnose({ text, keys: [service], publicKeys: [], setting, check })
  const damage = inspection.damage.map(({ message }) => message)
  // That it is a request is no remedy here: this is the service.
  const meant = remedies.filter(({ code }) => code !== 'wrong-direction')
  const mending = meant.map(({ message }) => message).filter((message) => !damage.includes(message))
  return outlined(inspection, { opened: null, step }, mending)
}

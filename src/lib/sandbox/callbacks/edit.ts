/** Edits of a payload, as `field=value`: what a receiver must be able to bear. The ledger knows nothing of them. */
import { Failure } from '../../failure.ts'
import { isRecord, readJson } from '../../json.ts'
import type { Payload } from './payload.ts'

export interface PayloadEdit {
  /** The names from the outside in: `cardInfo.token` has two. */
  readonly path: readonly string[]
  readonly value: unknown
}

/** A JSON value where it is one (12.50, true, null, "12.50"), else the text itself. */
function jsonOrText(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return text
  }
}

/** Throws Failure('usage') where it is no `field=value`. */
export function readPayloadEdit(text: string): PayloadEdit {
  const at = text.indexOf('=')
  const path = text.slice(0, Math.max(at, 0)).split('.')
  if (path.includes('')) {
    throw new Failure('usage', 'an edit is a field and its value: status=FAILED, or cardInfo.token=x further in')
  }
  return { path, value: jsonOrText(text.slice(at + 1)) }
}

function put(record: Payload, [name = '', ...inner]: readonly string[], value: unknown): Payload {
  const before = record[name]
  const rest = inner.length === 0 ? value : put(isRecord(before) ? before : {}, inner, value)
  return { ...record, [name]: rest }
}

export function edited(payload: Payload, edits: readonly PayloadEdit[]): Payload {
  return edits.reduce((changed, { path, value }) => put(changed, path, value), payload)
}

/**
 * Evidence of a read about a write whose answer was lost (money-safety.md#evidence). A read can prove that a write was
 * executed, or that it never will be. A service that does not know the write *yet* proves nothing: the request may still be
 * on its way.
 */

import { otherId } from '../../client/answer.ts'
import { differenceIn } from '../../contract/answer.ts'
import { minorUnits, plainDecimal } from '../../contract/core/decimal.ts'
import { fieldsOf } from '../../contract/core/field.ts'
import type { Members } from '../../contract/core/members.ts'
import type { Shown } from '../../contract/evidence.ts'
import type { EvidenceRead, ReadOperation } from '../../contract/operation.ts'
import { writeNamed } from '../../contract/operations.ts'
import { Failure } from '../../failure.ts'
import { withCurrency } from '../../journal/entry.ts'
import type { Intent } from '../../journal/intent.ts'
import { isOpen, type PastAttempt } from '../../journal/verdict.ts'
import { isRecord, readJson } from '../../json.ts'
import type { Desk } from '../desk.ts'
import { readThing } from '../line/read-thing.ts'
import { isUnknownObject } from '../receipt/refusal.ts'
import type { Evidence } from './kinds.ts'
import { toldBefore } from './told-before.ts'

type Read = Exclude<Evidence, { readonly kind: 'none' }>

/** True if an amount is shown: details may show none, or 0 for none (service.md#wallet). */
export function showsAmount({ amount }: Members): boolean {
  return Boolean(minorUnits(plainDecimal(String(amount)) ?? ''))
}

/** The fields of a write that a read asks with. */
export function questionTo(by: ReadOperation, request: Members): Members {
  return Object.fromEntries(fieldsOf(by.request).map(({ name }) => [name, request[name]]))
}

/** True if the service says that it does not know the thing; there are other codes for what it does not find (no card, no plan). */
export function isAbsent(by: ReadOperation, { facts: { service } }: Failure): boolean {
  return service ? isUnknownObject(by, service) : false
}

/** A status of the thing that the write is about, as evidence of the write. */
function evidenceIn(
  { by, shows, showsSum, sum }: EvidenceRead,
  status: string,
  request: Members,
  answer: Members,
): Evidence {
  const kind: Shown = shows(status)
  const because = `${by.name} reads ${status}`
  if (kind !== 'executed') return { kind, status, because }
  const differs = differenceIn(answer, sum(request))
  if (differs !== null) return { kind: 'differs', status, because: `${because}, and ${differs}` }
  return { kind, status, because, sumConfirmed: showsSum && showsAmount(answer) }
}

/**
 * Reads what the service shows of an open write. `inFlight`: the number of an attempt whose answer is being looked at; the others tell
 * what was known before it. Throws only when it was interrupted.
 */
export async function evidenceOf(desk: Desk, intent: Intent, deadline: number, inFlight?: number): Promise<Evidence> {
  const read = await shown(desk, intent, deadline)
  if (!('because' in read) || read.kind === 'unreadable') return read
  const attempts = (await desk.journal.attempts(intent)).filter(({ number }) => number !== inFlight)
  const evidence = agreedUpon(intent, attempts, read)
  const before = await toldBefore(desk, intent, attempts, evidence)
  if (before === null) return evidence
  return { ...evidence, kind: 'unclear', because: `${evidence.because}, and ${before}` }
}

/** An end that comes by time alone is believed where the service refused the write for it, behind all that was lost of it. */
function agreedUpon({ operation }: Intent, attempts: readonly PastAttempt[], read: Read): Read {
  if (read.kind !== 'lapsed') return read
  const refused = writeNamed(operation)?.proof.refused ?? {}
  const last = attempts.findLast((attempt) => isOpen(attempt) || attempt.outcome === 'refused')
  const isByStatus = last?.outcome === 'refused' && (last.statusCode ?? null) === null
  const isAgreed = isByStatus && refused[last.message ?? '']?.deniesAll === true
  return isAgreed ? { ...read, kind: 'over' } : read
}

async function shown(desk: Desk, intent: Intent, deadline: number): Promise<Evidence> {
  const read = writeNamed(intent.operation)?.evidence
  const request = readJson(intent.body)
  if (!read || !isRecord(request)) return { kind: 'none' }
  const asked = questionTo(read.by, request)
  const [{ currency } = intent] = await withCurrency(desk.journal, [intent])
  try {
    const { answer } = await readThing(desk, read.by, asked, { deadline })
    const other = isRecord(answer) ? otherId(asked, answer) : null
    if (other !== null) return { kind: 'unreadable', because: other }
    if (!isRecord(answer) || typeof answer.status !== 'string') {
      return { kind: 'unreadable', because: `${read.by.name} shows no status` }
    }
    return evidenceIn(read, answer.status, { ...(currency === null ? {} : { currency }), ...request }, answer)
  } catch (error) {
    if (desk.signal.aborted || !(error instanceof Failure)) throw error
    if (!isAbsent(read.by, error)) return { kind: 'unreadable', because: error.message, failure: error }
    // Even what the write is about may still be on its way: its create may have been late, too.
    return { kind: 'absent', because: `${read.by.name} does not know it` }
  }
}

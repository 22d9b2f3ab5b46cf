/** The thing of a write, read beside one of its attempts: what it shows, whether that is older than what is known, or why there is nothing. */

import { otherId } from '../../client/answer.ts'
import type { Members } from '../../contract/core/members.ts'
import type { EvidenceRead } from '../../contract/operation.ts'
import { isOlder } from '../../contract/status.ts'
import { Failure } from '../../failure.ts'
import type { Intent } from '../../journal/intent.ts'
import { isRecord, readJson } from '../../json.ts'
import type { Desk } from '../desk.ts'
import { readThing } from '../line/read-thing.ts'
import { isAbsent, questionTo } from './evidence.ts'

/** Milliseconds that an attempt, or its refusal, waits for a read beside it. */
export const timeForRead = 5_000

/** The thing of a write, as a read shows it. */
export interface Look {
  /** `absent` where the service says that it knows no such thing, null where it shows none that is known. */
  readonly status: string | null
  /** It could not be asked, did not answer, or refused. */
  readonly failure?: Failure
  /** This journal knows of a newer status: a copy that lags behind has shown it. */
  readonly isOlder?: boolean
  /** The journal could not note it, and knows nothing of it. */
  readonly isUnnoted?: true
  /** Its amount as the service tells it; absent where it tells none. */
  readonly amount?: unknown
  /** The answer, where it speaks of this thing: its status may be one that is not known. */
  readonly answer?: Members
  /** The failure may be over the next time. */
  readonly isPassing?: boolean
}

const nothingSeen: Look = { status: null }

/** `time`: milliseconds for the read; `unsent` as of `readThing`. Never throws. */
export async function look(
  desk: Desk,
  { by }: EvidenceRead,
  { body }: Intent,
  { time = timeForRead, ...asking }: { readonly time?: number; readonly unsent?: string } = {},
): Promise<Look> {
  const request = readJson(body)
  if (!isRecord(request)) return nothingSeen
  const asked = questionTo(by, request)
  const deadline = desk.clock.now() + time
  try {
    const read = await readThing(desk, by, asked, { deadline, ...asking })
    const answer: unknown = read.answer
    const facts = (told: string | null) => (told === null ? null : (by.statuses?.(told) ?? null))
    if (!isRecord(answer) || otherId(asked, answer) !== null) return nothingSeen
    const { status } = answer
    const { isUnnoted } = read
    const seen = { answer, ...(isUnnoted && { isUnnoted }) }
    if (typeof status !== 'string' || facts(status) === null) return { ...nothingSeen, ...seen }
    const isLate = read.writes.some((write) => isOlder(facts(status), facts(write.status)))
    return { ...seen, status, isOlder: isLate, amount: answer.amount }
  } catch (error) {
    if (!(error instanceof Failure)) return nothingSeen
    const isPassing = error.kind === 'unknown' || error.kind === 'unsent'
    return { status: isAbsent(by, error) ? 'absent' : null, failure: error, isPassing }
  }
}

/**
 * A refusal that says "not any more", beside a read of what the thing is now. A request that something on the way sent twice is
 * executed once, and its second answer is this refusal: where the read shows what was asked for, nothing is told as "not
 * executed" (money-safety.md#duplicates).
 */
import { absentAfter } from '../../contract/assumed.ts'
import type { StatusRefusals } from '../../contract/evidence.ts'
import type { EvidenceRead } from '../../contract/operation.ts'
import { writeNamed } from '../../contract/operations.ts'
import { type Intent, idAtService } from '../../journal/intent.ts'
import type { Verdict } from '../../journal/verdict.ts'
import { isRecord, readJson } from '../../json.ts'
import { otherId } from '../acceptance.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { writesTo } from './at-stake.ts'
import { questionTo } from './evidence.ts'

/** Milliseconds that a refusal waits for a read beside it. */
const timeForRead = 5_000

type Refused = Extract<Verdict, { kind: 'refused' }>

/** The refusal in the light of that read. `isRepeat`: an attempt before this one has no definite answer. */
export async function inLightOfStatus(
  desk: Desk,
  intent: Intent,
  refused: Refused,
  isRepeat: boolean,
): Promise<Verdict> {
  const evidence = writeNamed(intent.operation)?.evidence
  const refusals = evidence?.refusals
  const code = refused.words.statusCode
  if (!evidence || !refusals || code === null || !refusals.codes.includes(code)) return refused
  const status = await statusOf(desk, evidence, intent)
  if (status === null) return refused
  const because = `${evidence.by.name} reads ${status}`
  if (!refusals.shows(status)) return { ...refused, seen: refusals.possibleIn.includes(status) ? null : status }
  const { words } = refused
  switch (refusals.means) {
    case 'done':
      return { kind: 'duplicate', words, shown: { status, because, isDone: true } }
    case 'conflict':
      // The outcome of an earlier attempt is told by the evidence of its own read.
      return isRepeat ? refused : { kind: 'duplicate', words, shown: { status, because, isDone: false } }
    case 'open':
      if (await isOfAnother(desk, intent, refusals, { code, status })) return { ...refused, seen: status }
      return { kind: 'unknown', why: `the service refuses (${code}), but ${because}`, words }
  }
}

/** Null where it cannot be read: then the refusal has to speak for itself. */
async function statusOf(desk: Desk, { by }: EvidenceRead, { body }: Intent): Promise<string | null> {
  const request = readJson(body)
  if (!isRecord(request)) return null
  const asked = questionTo(by, request)
  const answer = await call(desk, by, asked, desk.clock.now() + timeForRead).catch(() => null)
  if (!isRecord(answer) || otherId(asked, answer) !== null || typeof answer.status !== 'string') return null
  return by.statuses?.(answer.status) ? answer.status : null
}

/**
 * True if the status is the work of another write that this journal knows: one of the last quarter of an hour, which may be
 * under way, or so many that this one would be more than there was.
 */
async function isOfAnother(
  desk: Desk,
  intent: Intent,
  { tooMuch, isWhole }: StatusRefusals,
  { code, status }: { readonly code: number; readonly status: string },
): Promise<boolean> {
  const operation = writeNamed(intent.operation)
  const writes = operation ? await writesTo(desk, operation.about, idAtService(intent)) : []
  const executed = writes.filter(({ state }) => state === 'accepted' || state === 'exists')
  const others = executed.filter((each) => each.operation === intent.operation && each.journalId !== intent.journalId)
  const whole = executed.find((each) => writeNamed(each.operation)?.payment)
  if (whole && unitsOf([...others, intent]) > unitsOf([whole])) return true
  const since = desk.clock.now() - absentAfter * 1000
  const isUnderWay = others.some(({ changedAt }) => Date.parse(changedAt) >= since)
  return isUnderWay && !tooMuch.includes(code) && !isWhole(status)
}

function unitsOf(writes: readonly Intent[]): bigint {
  return writes.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor ?? '0'), 0n)
}

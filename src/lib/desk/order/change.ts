/**
 * A write that changes an existing order. Where the service refuses with "not any more", a read shows the order's status: the
 * refusal stands, and gets words that help.
 */
import type { Members } from '../../contract/core/members.ts'
import type { StatusRefusals } from '../../contract/evidence.ts'
import type { EvidenceRead, RequestOf, WriteOperation } from '../../contract/operation.ts'
import { Failure } from '../../failure.ts'
import { filledIn } from '../../hint.ts'
import { isRecord } from '../../json.ts'
import { otherId } from '../acceptance.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { askedAgain } from '../recover/asked-again.ts'
import { questionTo } from '../recover/evidence.ts'
import { type SubmitOptions, type Submitted, submit } from '../submit.ts'

/** Milliseconds that a refusal waits for a read beside it. */
const timeForRead = 5_000

/** As `submit`, and as `askedAgain` where it was done before. */
export async function submitChange<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  options: SubmitOptions = {},
): Promise<Submitted> {
  try {
    return await askedAgain(desk, await submit(desk, operation, request, options))
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'refused') throw error
    throw await explained(desk, operation, request, error)
  }
}

/** The refusal, with what the order is now where that is the reason for it. */
async function explained(
  desk: Desk,
  { evidence }: WriteOperation,
  request: Members,
  refused: Failure,
): Promise<Failure> {
  const refusals = evidence?.refusals
  const code = refused.facts.service?.statusCode ?? null
  if (!evidence || !refusals || code === null || !refusals.codes.includes(code)) return refused
  const status = await statusOf(desk, evidence, request, desk.clock.now() + timeForRead)
  const facts = status === null ? null : evidence.by.statuses?.(status)
  if (status === null || !facts || refusals.possibleIn.includes(status)) return refused
  return inStatus(refused, refusals, { status, means: facts.means }, request)
}

/** Null where it cannot be read: then the refusal has to speak for itself. */
async function statusOf(desk: Desk, { by }: EvidenceRead, request: Members, deadline: number): Promise<string | null> {
  const asked = questionTo(by, request)
  const answer = await call(desk, by, asked, deadline).catch(() => null)
  if (!isRecord(answer) || otherId(asked, answer) !== null) return null
  return typeof answer.status === 'string' ? answer.status : null
}

function inStatus(
  refused: Failure,
  { done, next }: StatusRefusals,
  { status, means }: { readonly status: string; readonly means: string },
  request: Members,
): Failure {
  const { service } = refused.facts
  const message = `the service refused (${service?.statusCode}): the order is ${status} (${means}) and cannot be ${done}`
  const step = next[status]
  return new Failure('refused', message, {
    ...refused.facts,
    status,
    hints: step === undefined ? [] : [filledIn(step, request)],
  })
}

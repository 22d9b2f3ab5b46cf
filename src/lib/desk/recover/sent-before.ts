/** A write that this journal knows under its key or id, before what it still lacks is read for it. */
import type { RequestOf, WriteOperation } from '../../contract/operation.ts'
import type { Failure } from '../../failure.ts'
import { otherBody } from '../../journal/duplicates.ts'
import { factsOf } from '../../journal/intent.ts'
import { isRecord, readJson } from '../../json.ts'
import type { Desk } from '../desk.ts'
import { draftOf, sameButForSecrets, scopeOf } from '../draft.ts'
import { notEndedUnpaid } from '../receipt/ended.ts'
import { asReplayed, type Submitted } from '../submit.ts'
import { inPlay } from './in-play.ts'
import { resolveOpen } from './resolve.ts'

/**
 * A write that was sent before, told or resolved without its secret: the journal answers before a card is read for it. Null if
 * it has to be sent. Throws a Failure: duplicate (7) for another body, and as `resolveOpen`.
 */
export async function knownWithoutSecret<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  businessKey: string | null,
): Promise<Submitted | null> {
  const { draft, intent } = await sentUnder(desk, operation, request, businessKey)
  if (!intent || !['accepted', 'exists', 'unknown'].includes(intent.state)) return null
  const sent = readJson(intent.body)
  if (!isRecord(sent) || !sameButForSecrets(operation, sent, request)) throw otherBody(intent, draft)
  if (intent.state !== 'unknown') return notEndedUnpaid(desk, operation, asReplayed(intent))
  const deadline = desk.clock.now() + desk.settings.timeout
  const ran = await inPlay(desk, intent, () => resolveOpen(desk, operation, intent, deadline))
  return ran && notEndedUnpaid(desk, operation, { intent: ran, replayed: false, warnings: [] })
}

async function sentUnder<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  businessKey: string | null,
) {
  const draft = draftOf(desk.profile, operation, request, { businessKey, ownId: '' })
  const filter = { uniqueIds: [draft.uniqueId], operations: [operation], limit: 1 }
  const [intent] = await desk.journal.list({ scope: scopeOf(desk.profile), ...filter })
  return { draft, intent }
}

/** A failure on the way to sending a write: of one that is a conflict it must not say that no money moved. */
export async function inLightOfConflict<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  businessKey: string | null,
  failure: Failure,
): Promise<Failure> {
  const { intent } = await sentUnder(desk, operation, request, businessKey)
  return intent?.isTaken ? failure.as(failure.kind, { ...failure.facts, ...factsOf(intent) }) : failure
}

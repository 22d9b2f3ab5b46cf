/**
 * A write: submitted through the journal, step by step as design/money-safety has it. Token first, where the area has one;
 * then intent and attempt in one durable commit; only then the socket. What `run.ts` does with the attempts is settled here
 * for the caller.
 */
import type { WriteOperation } from '../contract/operation.ts'
import { Failure } from '../failure.ts'
import { type Draft, factsOf, type Intent } from '../journal/intent.ts'
import { otherBody } from '../journal/objection.ts'
import type { Guard } from '../journal/opening.ts'
import { isRecord, readJson } from '../json.ts'
import type { Desk } from './desk.ts'
import { draftOf, idOfKey, sameButForSecrets, scopeOf } from './draft.ts'
import { encode } from './exchange.ts'
import { isMasked, secretsIn } from './mask.ts'
import { Run, signedIn } from './run.ts'
import { settleOpen } from './settle.ts'
import type { Settled } from './settled.ts'

export interface SubmitOptions {
  readonly businessKey?: string | null
  /** The journal id of the look-alike that this payment may follow. */
  readonly allowDuplicate?: string | null
  /** Until when; the time of the command from now on, if not given. */
  readonly deadline?: number
  /** After this nothing is sent any more, though an answer may still be waited for and the service be asked. */
  readonly sendUntil?: number
}

type Request = Readonly<Record<string, unknown>>

/** Sends a write, once. Throws a Failure with the exit code of design/exit-codes. */
export function submit(
  desk: Desk,
  operation: WriteOperation,
  request: Request,
  options: SubmitOptions = {},
): Promise<Settled> {
  const businessKey = options.businessKey ?? null
  const ownId = businessKey === null ? desk.random.uuid() : idOfKey(desk.profile, operation.name, businessKey)
  const draft = draftOf(desk.profile, operation, request, { businessKey, ownId })
  for (const secret of secretsIn(operation, request)) desk.tell.hide(secret)
  const { guarded } = operation.moves(request)
  const guard: Guard = {
    twins: guarded ? desk.profile.duplicateGuard : 'off',
    allowed: options.allowDuplicate ?? null,
    // Nobody could tell the second one from the first: it would be the repeat that is never made.
    ...(guarded && operation.repeats(request).unanswered === 'stop' ? { unknownTwins: 'refuse' } : {}),
  }
  return send(desk, operation, request, draft, guard, options)
}

/**
 * A write that was sent before, told or settled without its secret: the journal answers before a card is read for it. Null if
 * it has to be sent. Throws a Failure: duplicate (7) for another body, and as `settleOpen`.
 */
export async function knownWithoutSecret(
  desk: Desk,
  operation: WriteOperation,
  request: Request,
  businessKey: string | null,
): Promise<Settled | null> {
  const draft = draftOf(desk.profile, operation, request, { businessKey, ownId: '' })
  const filter = { named: draft.uniqueId, operations: [operation.name], limit: 1 }
  const [intent] = await desk.journal.list({ ...scopeOf(desk.profile), ...filter })
  if (!intent || !['accepted', 'exists', 'unknown'].includes(intent.state)) return null
  const sent = readJson(intent.body)
  if (!isRecord(sent) || !sameButForSecrets(operation, sent, request)) throw otherBody(intent, draft)
  if (intent.state !== 'unknown') return replay(intent)
  const settled = await settleOpen(desk, operation, intent, desk.clock.now() + desk.settings.timeout)
  return settled ? { intent: settled, replayed: false, warnings: [] } : null
}

/** Settles an intent of the journal: by what a read shows of it, or by sending it once more under the same id. */
export function resubmit(desk: Desk, operation: WriteOperation, intent: Intent): Promise<Settled> {
  const request = readJson(intent.body)
  if (!isRecord(request)) throw new Failure('bug', `the journal holds no request for ${intent.journalId}`)
  return send(desk, operation, request, intent, { twins: 'off', allowed: null })
}

function mustBeWhole(operation: WriteOperation, request: Request, { uniqueId, businessKey }: Draft): void {
  if (!isMasked(operation, request)) return
  throw new Failure('usage', `${operation.name} ${uniqueId} has a card token, which the journal does not keep`, {
    operation: operation.name,
    uniqueId,
    hints: [`Run its command again with the same ${businessKey === null ? 'id' : '--key'} and the token.`],
  })
}

async function send(
  desk: Desk,
  operation: WriteOperation,
  request: Request,
  draft: Draft,
  guard: Guard,
  { deadline = desk.clock.now() + desk.settings.timeout, sendUntil = deadline }: SubmitOptions = {},
): Promise<Settled> {
  const { journal, settings } = desk
  const seen = await journal.look(draft, guard)
  if (seen.kind === 'settled') return replay(seen.intent)
  const known = seen.unsettled && (await settleOpen(desk, operation, seen.unsettled, deadline))
  if (known) return { intent: known, replayed: false, warnings: [] }
  mustBeWhole(operation, request, draft)
  // Sealed once for nothing: what is too long for its envelope (2) must not stand in the journal as an attempt.
  if (operation.wire !== 'bearer') encode(desk.profile, operation, request, null)
  let token: string | null
  try {
    token = await signedIn(desk, operation, seen.unsettled, (tokens) => tokens.get(deadline))
  } catch (error) {
    // Another process may have sent the same payment in the meantime: then "nothing was sent" would be wrong.
    const now = await journal.look(draft, guard)
    if (now.kind === 'settled') return replay(now.intent)
    throw now.unsettled && !seen.unsettled ? overtaken(now.unsettled) : error
  }
  const held = settings.timeout + settings.connectTimeout + settings.answerTimeout
  const begun = await journal.begin(draft, guard, held)
  if (begun.kind === 'settled') return replay(begun.intent)
  const warnings = begun.twin ? [twinWarning(begun.twin)] : []
  const run = new Run(desk, operation, request, begun, token, { deadline, sendUntil })
  try {
    return { intent: await run.drive(begun.attempt), replayed: false, warnings }
  } catch (error) {
    throw error instanceof Failure ? error.with({ warnings }) : error
  } finally {
    await journal.release(begun.intent).catch(() => undefined)
  }
}

function replay(intent: Intent): Settled {
  return { intent, replayed: true, warnings: [] }
}

function overtaken(intent: Intent): Failure {
  return new Failure('unknown', 'another run has sent this payment meanwhile, and its outcome is unknown', {
    ...factsOf(intent),
    hints: [`Never create it anew. Settle it: \`paydesk resume ${intent.journalId}\`.`],
  })
}

function twinWarning(twin: Intent): string {
  return `the same amount went to the same payee less than 24 hours ago: ${twin.journalId} (${twin.state}, ${twin.openedAt})`
}

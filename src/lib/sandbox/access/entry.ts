/**
 * The way of a sealed request into the service, the same for areas B, C and D. The order of the checks: the sender by the
 * envelope's own identifier; the presence of every field of the envelope; opening; the same sender in the payload; the
 * permission for the operation; the rules of the payload (decisive.ts picks the breach that is told); then the state of the
 * thing. An envelope that does not open gets the same 6010 to the byte, whatever the reason.
 */

import { receivedMembers, writeSealedAnswer } from '../../client/sealed.ts'
import { permissions } from '../../contract/core/permission.ts'
import type { ReadOperation, RequestOf, WriteOperation } from '../../contract/operation.ts'
import { validate } from '../../contract/validate.ts'
import { schemeFacts } from '../../envelope/scheme.ts'
import { Failure } from '../../failure.ts'
import type { HttpAnswer, HttpRequest } from '../../http/message.ts'
import type { SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { executeDue, readUpToDate } from '../clock/due.ts'
import type { Route, Surroundings } from '../handler.ts'
import { rulePermitting } from '../log/rule.ts'
import { type HandlerOutcome, type Refusal, writeSealedRefusal } from '../shape.ts'
import type { Integrator, Sealer } from '../world/integrator.ts'
import { otherSenderInside, unknownIdentifier, unsealed } from './cause.ts'
import { decisiveRefusal } from './decisive.ts'
import { type Gate, orderGate, walletGate } from './gate.ts'
import { keysIn, publicKeyOf } from './key-ring.ts'
import { takeLeniently } from './lenience.ts'
import { openedBy, unopened } from './opening.ts'

/** A request that was opened and keeps every rule. */
export interface Entered<Op extends ReadOperation | WriteOperation, Who extends Sealer> {
  readonly request: RequestOf<Op>
  /** The payload to the letter. */
  readonly text: string
  readonly integrator: Who
  readonly http: HttpRequest
  readonly around: Surroundings
  readonly now: number
}

type Opened<Op extends ReadOperation | WriteOperation, Who extends Sealer> =
  | { readonly ok: true; readonly entered: Entered<Op, Who> }
  | { readonly ok: false; readonly refusal: Refusal }

function missingField(members: Readonly<Record<string, unknown>>, aes: boolean): string | undefined {
  const fields = aes ? ['encryptedData', 'encryptedKeys', 'aes'] : ['encryptedData']
  return fields.find((name) => members[name] === undefined || members[name] === null || members[name] === '')
}

async function enter<Op extends ReadOperation | WriteOperation, Who extends Sealer>(
  gate: Gate<Who>,
  operation: Op,
  http: HttpRequest,
  around: Surroundings,
): Promise<Opened<Op, Who> & { readonly integrator: Who | null }> {
  const missing = (name: string): Refusal => ({
    code: operation.breachCode,
    message: `${name} is missing`,
    rule: `${operation.section}, envelope: ${name} is always present`,
  })
  const no = (integrator: Who | null, refusal: Refusal, cause: string | null = null) => {
    if (cause !== null) around.record({ cause })
    return { ok: false, integrator, refusal } as const
  }
  const members = receivedMembers(operation, http) ?? {}
  if (members.identifier === undefined || members.identifier === null || members.identifier === '') {
    return no(null, missing('identifier'), unsealed(operation, http, members))
  }
  around.record({ who: members.identifier })
  const integrator = gate.find(members.identifier)
  if (!integrator) return no(null, gate.unknownSender, unknownIdentifier(members.identifier))
  const lacking = missingField(members, schemeFacts[integrator.scheme].aes)
  if (lacking !== undefined) return no(integrator, missing(lacking), unsealed(operation, http, members))
  const received = await openedBy(integrator, operation, members, around)
  if ('code' in received) return no(integrator, received)
  const inner = received.request[gate.inner]
  if (inner !== undefined && String(inner).trim().toLowerCase() !== integrator.identifier) {
    return no(integrator, gate.unknownSender, otherSenderInside(gate.inner, inner, integrator.identifier))
  }
  const now = around.clock.now()
  const circumstances = gate.circumstances(integrator, around)
  const { permission } = operation
  if (permission !== null && !circumstances.permits.has(permission)) {
    const { code, words } = permissions[permission]
    const rule = rulePermitting(operation, operation.name, permission)
    return no(integrator, { code, message: `The integrator has no permission ${words}`, rule })
  }
  const { payload, request: read, text } = received
  const { request, refusal } = takeLeniently(
    operation,
    { payload, read: gate.mended(read), headers: http.headers },
    around,
  )
  const valid = validate(operation, request, circumstances)
  if (!valid.ok) return no(integrator, decisiveRefusal(operation, request, circumstances, valid.violations))
  if (refusal) return no(integrator, refusal)
  return { ok: true, integrator, entered: { request: valid.request, text, integrator, http, around, now } }
}

const refusedWith = (refusal: Refusal): HandlerOutcome => ({ kind: 'refused', refusal })

/** A success sealed to the integrator, an error plain. */
async function written(outcome: HandlerOutcome, integrator: Sealer, around: Surroundings): Promise<HttpAnswer> {
  if (outcome.kind !== 'value') return writeSealedRefusal(outcome.kind === 'refused' ? outcome.refusal : unopened)
  const { publicKey } = await keysIn(around, integrator)
  try {
    return writeSealedAnswer(outcome.value, publicKeyOf(publicKey), integrator.scheme)
  } catch (error) {
    // Too long for one block: whatever was done is done, and the answer cannot be sealed (service.md#order-codes: 6009).
    if (error instanceof Failure) {
      const refusal = { code: 6009, message: 'Encryption failed' }
      around.record({ outcome: refusedWith(refusal) })
      return writeSealedRefusal(refusal)
    }
    throw error
  }
}

function answering<Op extends ReadOperation | WriteOperation, Who extends Sealer>(
  gate: Gate<Who>,
  operation: Op,
  work: (entered: Entered<Op, Who>) => Promise<HandlerOutcome>,
): Route {
  return [
    operation,
    async (http, around) => {
      const opened = await enter(gate, operation, http, around)
      const outcome = opened.ok ? await work(opened.entered) : refusedWith(opened.refusal)
      around.record({ outcome })
      return opened.ok ? await written(outcome, opened.entered.integrator, around) : writeSealedRefusal(opened.refusal)
    },
  ]
}

type Look<Op extends ReadOperation, Who extends Sealer> = (
  db: SandboxReader,
  entered: Entered<Op, Who>,
) => Promise<HandlerOutcome>

type Decide<Op extends WriteOperation, Who extends Sealer> = (
  db: SandboxWriter,
  entered: Entered<Op, Who>,
) => Promise<HandlerOutcome>

const looking =
  <Op extends ReadOperation, Who extends Sealer>(look: Look<Op, Who>) =>
  async (entered: Entered<Op, Who>) =>
    await readUpToDate(entered.around, (db) => look(db, entered))

/** Decided and written in one transaction: two processes can neither charge nor refund twice. */
const deciding =
  <Op extends WriteOperation, Who extends Sealer>(decide: Decide<Op, Who>) =>
  async (entered: Entered<Op, Who>) =>
    await entered.around.store.write(async (db) => {
      await executeDue(db, entered.now, entered.around)
      return await decide(db, entered)
    })

export function sealedRead<Op extends ReadOperation>(operation: Op, look: Look<Op, Integrator>): Route {
  return answering(orderGate, operation, looking(look))
}

export function sealedWrite<Op extends WriteOperation>(operation: Op, decide: Decide<Op, Integrator>): Route {
  return answering(orderGate, operation, deciding(decide))
}

export function walletRead<Op extends ReadOperation>(operation: Op, look: Look<Op, Sealer>): Route {
  return answering(walletGate, operation, looking(look))
}

/** `stated` is the operation of the contract where the service takes more than that. */
export function walletWrite<Op extends WriteOperation>(
  operation: Op,
  decide: Decide<Op, Sealer>,
  stated: WriteOperation = operation,
): Route {
  const [, answer] = answering(walletGate, operation, deciding(decide))
  return [stated, answer]
}

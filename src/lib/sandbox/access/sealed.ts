/**
 * How a sealed request gets into the service, the same for areas B, C and D. The order of the checks: the sender by
 * the envelope's own identifier; every field of the envelope is present; opening; the same sender in the payload; the
 * permission for the operation; the rules of the payload; then the state of the object. An envelope that does not open
 * gets the same 6010 to the byte, whatever the reason.
 */
import { type OpenedMessage, openRequest, receivedMembers, writeSealedAnswer } from '../../client/sealed.ts'
import { opensMgf1Sha1 } from '../../contract/assumed.ts'
import { type Permission, permissionNames, permissionOf, permissions } from '../../contract/core/permission.ts'
import type {
  Circumstances,
  Operation,
  ReadOperation,
  RequestOf,
  Violation,
  WriteOperation,
} from '../../contract/operation.ts'
import { validate } from '../../contract/validate.ts'
import type { EnvelopeMembers } from '../../envelope/layout.ts'
import { schemeFacts } from '../../envelope/scheme.ts'
import { Failure } from '../../failure.ts'
import type { HttpAnswer, HttpRequest } from '../../http/message.ts'
import type { SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { type Integrator, integratorOf, type Sealer, walletIntegratorOf } from '../accounts/fixtures.ts'
import { keysOf, privateKeyOf, publicKeyOf } from '../accounts/keys.ts'
import {
  type Answerer,
  executeDue,
  type HandlerContext,
  type Route,
  readUpToDate,
  usualCircumstances,
  violationsInWords,
} from '../handler.ts'
import { sealedOtherwise } from '../log/log.ts'
import { otherSenderInside, ruleBroken, rulePermitting, unknownIdentifier, whyNoEnvelope } from '../log/reasons.ts'
import { type Answer, type Refusal, Refused, refuse, settle, writeSealedRefusal } from '../shape.ts'
import { takeLeniently } from './leniency.ts'

// Decides which breach of a payload's rules gives the refusal its code; the message names them all. First values that
// no single field may have, then fields that this integrator may not send, then combinations that are not allowed:
// without the permission to save cards no missing provider is told (the specification's own example, 6031). Among
// missing permissions the one that needs others comes first: a plan needs a saved card, a saved card needs a
// provider.

const needingOthers: readonly (Permission | null)[] = ['plan', 'saveCard']

function rank({ code }: Violation): number {
  const at = needingOthers.indexOf(permissionOf(code))
  return at < 0 ? needingOthers.length : at
}

function decisiveRefusal(
  operation: Operation,
  request: Readonly<Record<string, unknown>>,
  circumstances: Circumstances,
  violations: readonly Violation[],
): Refusal {
  const everything = { ...circumstances, permits: new Set(permissionNames) }
  const ofFields = validate<Operation>({ ...operation, rules: [] }, request, everything)
  const forbidden = violations.filter(({ code }) => permissionOf(code) !== null).toSorted((a, b) => rank(a) - rank(b))
  const [first] = [...(ofFields.ok ? [] : ofFields.violations), ...forbidden, ...violations]
  return {
    code: first?.code ?? operation.breachCode,
    message: violationsInWords(violations),
    ...(first ? { rule: ruleBroken(operation, first) } : {}),
  }
}

/** The senders that may come in, and the name under which a payload repeats its sender. */
interface Gate<Who extends Sealer> {
  readonly find: (identifier: unknown) => Who | null
  readonly unknownSender: Refusal
  readonly inner: string
  readonly normalised: (request: Record<string, unknown>) => Record<string, unknown>
  readonly circumstances: (who: Who, context: HandlerContext) => Circumstances
}

const orderGate: Gate<Integrator> = {
  find: integratorOf,
  unknownSender: { code: 6004, message: 'Active integrator not found' },
  inner: 'integratorId',
  normalised: (request) => request,
  circumstances: ({ permissions, orderType }, { clock, shape }) => ({
    ...{ permits: new Set(permissions), orderType, now: clock.now() },
    savesCardForNothing: shape === 'recorded',
    takesEmptyParts: shape === 'recorded',
  }),
}

const walletGate: Gate<Sealer> = {
  find: walletIntegratorOf,
  unknownSender: { code: 6044, message: 'Active third party not found' },
  inner: 'identifier',
  // A sample of the guide writes " SUCCESS" (service.md#wallet-envelope), and people send what they have copied.
  normalised: (request) =>
    typeof request.finalStatus === 'string' ? { ...request, finalStatus: request.finalStatus.trim() } : request,
  circumstances: (_who, { clock }) => usualCircumstances(clock.now()),
}

// Opening of a request with the keys of its sender: on the wire every failure is the same, and the log hears which it
// was.

const decryptionFailed: Refusal = { code: 6010, message: 'Decryption failed' }

/** Tells the log how it went. */
async function openWithKeys(
  integrator: Sealer,
  operation: Operation,
  members: EnvelopeMembers,
  context: HandlerContext,
): Promise<Extract<OpenedMessage, { ok: true }>> {
  const { servicePrivateKey } = await keysOf(context, integrator)
  const key = privateKeyOf(servicePrivateKey)
  const setting = integrator.scheme
  const received = await openRequest(operation, members, { key, scheme: setting })
  if (!received.ok) {
    const isDenied = received.why === 'aes'
    context.record({ unopened: { key, setting, used: isDenied ? null : received.used } })
    throw new Refused(isDenied ? { code: 6011, message: 'aes denies encryptedKeys' } : decryptionFailed)
  }
  const used = received.scheme
  if (used !== setting) {
    context.record({ remarks: [sealedOtherwise(used, setting)] })
    if (context.settings.strict || !opensMgf1Sha1) {
      context.record({ unopened: { key, setting, used } })
      throw new Refused(decryptionFailed)
    }
  }
  context.record({ opened: received })
  return received
}

/** A request that was opened and keeps every rule. */
export interface CheckedRequest<Op extends ReadOperation | WriteOperation, Who extends Sealer> {
  readonly request: RequestOf<Op>
  /** The payload to the letter. */
  readonly text: string
  readonly integrator: Who
  readonly context: HandlerContext
  readonly now: number
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** Throws Refused for a request that does not come so far. */
async function openAndCheck<Op extends ReadOperation | WriteOperation, Who extends Sealer>(
  gate: Gate<Who>,
  operation: Op,
  http: HttpRequest,
  context: HandlerContext,
): Promise<CheckedRequest<Op, Who>> {
  const members = receivedMembers(operation, http) ?? {}
  const mustHave = (...names: readonly string[]) => {
    const name = names.find((each) => isEmpty(members[each]))
    if (name === undefined) return
    context.record({ cause: whyNoEnvelope(operation, http, members) })
    const rule = `${operation.section}, envelope: ${name} is always present`
    refuse(operation.breachCode, `${name} is missing`, { rule })
  }
  mustHave('identifier')
  context.record({ who: members.identifier })
  const integrator = gate.find(members.identifier)
  if (!integrator) {
    context.record({ cause: unknownIdentifier(members.identifier) })
    throw new Refused(gate.unknownSender)
  }
  mustHave('encryptedData', ...(schemeFacts[integrator.scheme].aes ? ['encryptedKeys', 'aes'] : []))
  const { payload, request: read, text } = await openWithKeys(integrator, operation, members, context)
  const inner = read[gate.inner]
  if (inner !== undefined && String(inner).trim().toLowerCase() !== integrator.identifier) {
    context.record({ cause: otherSenderInside(gate.inner, inner, integrator.identifier) })
    throw new Refused(gate.unknownSender)
  }
  const now = context.clock.now()
  const circumstances = gate.circumstances(integrator, context)
  const { permission } = operation
  if (permission !== null && !circumstances.permits.has(permission)) {
    const { code, words } = permissions[permission]
    const rule = rulePermitting(operation, operation.name, permission)
    refuse(code, `The integrator has no permission ${words}`, { rule })
  }
  const received = { payload, read: gate.normalised(read), headers: http.headers }
  const { request, refusal } = takeLeniently(operation, received, context)
  const valid = validate(operation, request, circumstances)
  if (!valid.ok) throw new Refused(decisiveRefusal(operation, request, circumstances, valid.violations))
  if (refusal) throw new Refused(refusal)
  return { request: valid.request, text, integrator, context, now }
}

async function sealAnswer(value: Answer, integrator: Sealer, context: HandlerContext): Promise<HttpAnswer> {
  const { publicKey } = await keysOf(context, integrator)
  try {
    return writeSealedAnswer(value, publicKeyOf(publicKey), integrator.scheme)
  } catch (error) {
    // Too long for one block: whatever was done is done, and the answer cannot be sealed (service.md#order-codes: 6009).
    if (!(error instanceof Failure)) throw error
    const refusal = { code: 6009, message: 'Encryption failed' }
    context.record({ outcome: { kind: 'refused', refusal } })
    return writeSealedRefusal(refusal)
  }
}

type Sealed = ReadOperation | WriteOperation

/** A write is decided and written in one transaction: two processes can neither charge nor refund twice. */
type Work<Op extends Sealed, Who extends Sealer> = (
  db: Op extends WriteOperation ? SandboxWriter : SandboxReader,
  entered: CheckedRequest<Op, Who>,
) => Promise<Answer>

function sealedRoute<Op extends Sealed, Who extends Sealer>(
  gate: Gate<Who>,
  operation: Op,
  work: Work<Op, Who>,
): Answerer {
  const decide = (entered: CheckedRequest<Op, Who>, context: HandlerContext) => {
    const answer = async (db: SandboxReader) => await settle(() => work(db as Parameters<typeof work>[0], entered))
    if (operation.effect === 'read') return readUpToDate(context, answer)
    return context.store.write(async (db) => {
      await executeDue(db, entered.now, context)
      return await answer(db)
    })
  }
  return async (http, context) => {
    const opened = await settle(() => openAndCheck(gate, operation, http, context))
    const outcome = opened.kind === 'value' ? await decide(opened.value, context) : opened
    context.record({ outcome })
    if (opened.kind === 'value' && outcome.kind === 'value')
      return await sealAnswer(outcome.value, opened.value.integrator, context)
    return writeSealedRefusal(outcome.kind === 'refused' ? outcome.refusal : decryptionFailed)
  }
}

/** A route of areas B and D. */
export function orderRoute<Op extends Sealed>(operation: Op, work: Work<Op, Integrator>): Route {
  return [operation, sealedRoute(orderGate, operation, work)]
}

/** A route of area C. `stated` is the operation of the contract where the service takes more than that. */
export function walletRoute<Op extends Sealed>(
  operation: Op,
  work: Work<Op, Sealer>,
  stated: Operation = operation,
): Route {
  return [stated, sealedRoute(walletGate, operation, work)]
}

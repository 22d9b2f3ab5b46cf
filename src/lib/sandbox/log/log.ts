/**
 * The log of what the sandbox was asked. No answer waits for it: exchanges are collected in memory and written
 * together a quarter of a second later, and at the end. A crash may lose that much of the log, and nothing of the
 * ledger.
 */
import { readable } from '../../client/answer.ts'
import { withoutSecrets } from '../../contract/mask.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Clock } from '../../edge.ts'
import { diagnose } from '../../envelope/diagnose/doctor.ts'
import { type Inspection, inspect, readPasted } from '../../envelope/diagnose/inspect.ts'
import { attempt, type NamedKey } from '../../envelope/envelope.ts'
import { readMembers } from '../../envelope/layout.ts'
import { type Scheme, schemeFacts, schemesFor } from '../../envelope/scheme.ts'
import { excessIn, isRecord, writeJson } from '../../json.ts'
import type { Store } from '../../store/engine/store.ts'
import { addRequests, type RequestFilter } from '../../store/sandbox/requests.ts'
import { listRows, type NewRow } from '../../store/sandbox/rows.ts'
import type { SandboxTables } from '../../store/sandbox/schema.ts'
import { largestBody } from '../../text.ts'
import { integratorOf, walletIntegratorOf } from '../accounts/fixtures.ts'
import { privateKeyOf } from '../accounts/keys.ts'
import { findEntry, listEntries, type Outline, type RequestEntry, type WholeRequest } from './entry.ts'
import type { Exchange, ReceivedRequest, RecordFacts, RequestFacts } from './facts.ts'
import { ruleOfCode } from './reasons.ts'

// Keys of the world beside the one that should have opened an envelope: they tell to whom it is sealed instead.

/** The owner in words: `service 4096`, `integrator sandbox` and `wallet sandbox` are the names in the store. */
function ownerInWords(owner: string, own: readonly (string | undefined)[]): string {
  if (own.includes(owner)) return 'your own public key'
  const [kind = '', name = ''] = owner.split(' ')
  return kind === 'service' ? `the service's public key of ${name} bits` : `the public key of ${name}`
}

/** The sender's own first: it is the usual mistake. */
async function keysBeside(store: Store<SandboxTables>, { who, unopened }: RequestFacts): Promise<readonly NamedKey[]> {
  const own = [integratorOf(who)?.owner, walletIntegratorOf(who)?.owner]
  const pairs = (await store.ask((db) => listRows(db, 'key_pairs'))).toSorted(
    (one, other) => Number(own.includes(other.owner)) - Number(own.includes(one.owner)),
  )
  const all = pairs.map(({ owner, private_key }) => ({
    name: ownerInWords(owner, own),
    key: privateKeyOf(private_key),
  }))
  return all.filter(({ key }) => !unopened?.key.equals(key))
}

// The outline of an envelope that arrived: how it lay, how long its parts are, what opened it; for one that did not
// open, the step that failed and what would mend it. On the wire each of them is the same 6010: this is for the owner
// of the sandbox, and it is worked out when the answer is long out.

function textOf(operation: Operation, { body, query }: ReceivedRequest): string {
  if (operation.carriedIn === 'body') return body ?? ''
  return query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
}

function complaintsAbout(text: string): readonly string[] {
  const value = readable(text)
  if (value === undefined) return ['it is not JSON']
  return isRecord(value) ? [] : ['it is no JSON object']
}

function completeOutline(
  { damage, ...inspection }: Inspection,
  rest: Pick<Outline, 'opened' | 'step' | 'sealedTo'>,
  more: string[] = [],
) {
  const remarks = damage.map(({ message }) => message)
  return { ...inspection, ...rest, remarks: [...new Set([...remarks, ...more])] }
}

/** Names the scheme that was used and the one that is set, where that alone is wrong or unusual. */
export function sealedOtherwise(used: Scheme, setting: Scheme): string {
  return `sealed with ${used}, and ${setting} is set for this integrator`
}

/** The first whose key opens it; null where none does. */
async function findOwner(text: string, keys: readonly NamedKey[]): Promise<string | null> {
  const pasted = readPasted(text)
  const read = pasted && readMembers(pasted.members)
  if (!read?.ok) return null
  for (const { name, key } of keys) {
    for (const scheme of schemesFor(read.envelope)) {
      const opened = await attempt(read.envelope, key, scheme)
      if (opened.ok && complaintsAbout(opened.text).length === 0) return name
    }
  }
  return null
}

/** Null where the operation seals nothing. `others` are the keys of the world beside that which should have opened it. */
async function outlineOf(
  operation: Operation | null,
  asked: ReceivedRequest,
  facts: RequestFacts,
  others: () => Promise<readonly NamedKey[]>,
): Promise<Outline | null> {
  if (operation?.wire !== 'sealed' && operation?.wire !== 'wallet') return null
  const text = textOf(operation, asked)
  if (excessIn(text) !== null) return null
  const { unopened, opened } = facts
  if (!unopened) return completeOutline(inspect(text), { opened: opened?.scheme ?? null, step: null, sealedTo: null })
  const { key, setting, used } = unopened
  if (used !== null) {
    const step = schemeFacts[used].aes === schemeFacts[setting].aes ? 'unwrap' : 'layout'
    return completeOutline(inspect(text), { opened: null, step, sealedTo: null }, [sealedOtherwise(used, setting)])
  }
  const service = { name: 'the key of the service', key }
  const { step, remedies, inspection } = await diagnose({
    text,
    keys: [service],
    opensRequests: true,
    publicKeys: [],
    setting,
    check: complaintsAbout,
  })
  const owner = step === 'unwrap' || step === 'block-length' ? await findOwner(text, await others()) : null
  if (owner !== null) return completeOutline(inspection, { opened: null, step, sealedTo: owner })
  const damage = inspection.damage.map(({ message }) => message)
  const mending = remedies.map(({ message }) => message).filter((message) => !damage.includes(message))
  return completeOutline(inspection, { opened: null, step, sealedTo: null }, mending)
}

// The verdict about a request, in words, and its rule: from the facts recorded on its way.

interface RequestVerdict {
  readonly words: string
  readonly code: number | null
  readonly rule: string | null
}

/** The first words of the verdict on a refusal that is no error. */
export const notExecuted = 'not executed'

function verdictOf({ operation, facts, decision, fault }: Exchange): RequestVerdict {
  const { outcome, executed } = facts
  const verdict = (words: string, code: number | null = null, rule: string | null = null) => ({ words, code, rule })
  if (fault?.at === 'before' && decision === null) return verdict('never seen: the fault struck before the service')
  if (outcome?.kind === 'value') {
    const { value } = outcome
    // A recorded answer may stand inside `value`.
    const answer = isRecord(value) && isRecord(value.value) ? value.value : value
    const status = isRecord(answer) && typeof answer.status === 'string' ? answer.status : null
    const done = executed === false ? notExecuted : operation?.effect === 'write' ? 'accepted' : 'answered'
    const rule = executed === undefined || operation?.area !== 'C' ? null : `wallet table: ${status}`
    return verdict(status === null ? done : `${done}: ${status}`, null, rule)
  }
  if (outcome?.kind === 'refused') {
    const { code, message, rule } = outcome.refusal
    return verdict(message, code, rule ?? (operation ? ruleOfCode(operation, code) : null))
  }
  if (outcome?.kind === 'unauthenticated') {
    const rule = 'Authentication, Errors: a missing or wrong token is 5021'
    return verdict('no access token, or one that is wrong or expired', 5021, rule)
  }
  if (!decision) return verdict('the client went away before it had sent everything')
  // Nothing was recorded of it: no such path, a body that is too large, a failure.
  const said = readable(decision.body)
  const { message, statusCode } = isRecord(said) ? said : {}
  const code = statusCode === undefined || statusCode === null ? null : Number(String(statusCode))
  return verdict(typeof message === 'string' ? message : 'answered', code)
}

// One exchange as it is kept: the payload in the clear, its secrets masked, and never longer than a page.

/** Longer texts are cut: 5,000 of them must fit. */
const longestText = 20_000
const longestLine = 500

function line(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text
}

/** A value as JSON text; of one that is too long its beginning, as a JSON text. */
function maskedJson(value: unknown): string {
  const text = writeJson(withoutSecrets(value))
  return text.length > longestText ? writeJson(`${text.slice(0, longestText)}…`) : text
}

function maskedJsonText(text: string | null): string | null {
  const value = text === null ? undefined : readable(text)
  return value === undefined ? null : maskedJson(value)
}

function plainOf({ operation, facts, asked }: Exchange): string | null {
  if (operation?.wire === 'sealed' || operation?.wire === 'wallet')
    return facts.opened ? maskedJson(facts.opened.payload) : null
  if (asked.body !== null) return maskedJsonText(asked.body)
  return asked.query.length > 0 ? maskedJson(Object.fromEntries(asked.query)) : null
}

function answerOf({ operation, facts, decision }: Exchange): string | null {
  const { outcome } = facts
  if (outcome?.kind !== 'value') return maskedJsonText(decision?.body ?? null)
  return maskedJson(operation?.wrapped ? { value: outcome.value } : outcome.value)
}

function outlineText(outline: Outline | null): string | null {
  return outline && maskedJson({ ...outline, identifier: outline.identifier && line(outline.identifier) })
}

/** The cause of a refusal that says little by itself. */
function causeOf({ facts }: Exchange, outline: Outline | null): string {
  if (facts.cause) return `: ${line(facts.cause)}`
  const { used = null, setting } = facts.unopened ?? {}
  if (used !== null && setting !== undefined) return `: ${sealedOtherwise(used, setting)}`
  if (outline?.sealedTo)
    return `: it is sealed to ${outline.sealedTo}, and the servicePublicKey of \`sandbox world\` is meant`
  if (!outline?.step) return ''
  const [step, ...why] = [`: the envelope does not open, at the step ${outline.step}`, ...outline.remarks]
  return why.length === 0 ? step : line(`${step}: ${why.join('; ')}`)
}

export async function rowOf(exchange: Exchange, keys: () => Promise<readonly NamedKey[]>): Promise<NewRow<'requests'>> {
  const { time, milliseconds, asked, operation, facts, http, fault } = exchange
  const { words, code, rule } = verdictOf(exchange)
  const outline = await outlineOf(operation, asked, facts, keys)
  const who = facts.who === undefined || facts.who === null ? null : line(String(facts.who))
  return {
    ...{ time, milliseconds, http, code },
    method: line(asked.method),
    path: line(asked.path),
    operation: operation?.name ?? null,
    identifier: who,
    plain: plainOf(exchange),
    outline: outlineText(outline),
    verdict: `${words}${causeOf(exchange, outline)}`,
    rule: rule === null ? null : line(rule),
    answer: answerOf(exchange),
    remarks: writeJson((facts.remarks ?? []).map(line)),
    fault: fault && `${fault.kind} ${fault.at}`,
  }
}

const newest = 5000
/** Milliseconds. Real ones, whatever the sandbox's clock shows: nothing in the world depends on them. */
const pause = 250
/** More than these at once are written without waiting, be it by number or by the letters of their bodies. */
const many = 500
const muchText = largestBody

export function requestLog(store: Store<SandboxTables>) {
  let gathered: Exchange[] = []
  let letters = 0
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    const exchanges = gathered
    gathered = []
    letters = 0
    if (exchanges.length === 0) return
    try {
      const rows: NewRow<'requests'>[] = []
      for (const exchange of exchanges) rows.push(await rowOf(exchange, () => keysBeside(store, exchange.facts)))
      await store.write((db) => addRequests(db, rows, newest))
    } catch {
      // A full disk, a store that was closed: the requests were answered, and that is what counts.
    }
  }
  /** Writes what has been gathered. A log that cannot be written stays away: no payment depends on it. */
  const flush = async (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    writing = writing.then(write)
    await writing
  }
  const add = (exchange: Exchange) => {
    gathered.push(exchange)
    letters += exchange.asked.body?.length ?? 0
    if (gathered.length >= many || letters > muchText) void flush()
    timer ??= setTimeout(() => void flush(), pause).unref()
  }
  return {
    /** A request comes in: from now on its time runs, until its end is taken down. Costs nothing, and never throws. */
    begin(clock: Clock) {
      const time = clock.now()
      let facts: RequestFacts = {}
      const record: RecordFacts = (more) => {
        facts = { ...facts, ...more, remarks: [...(facts.remarks ?? []), ...(more.remarks ?? [])] }
      }
      const end = (rest: Omit<Exchange, 'time' | 'milliseconds' | 'facts'>) =>
        add({ ...rest, facts, time, milliseconds: Math.max(0, clock.now() - time) })
      return { record, end }
    },
    /** The newest first. */
    list: async (filter: RequestFilter): Promise<RequestEntry[]> => await listEntries(store, filter),
    find: async (id: number): Promise<WholeRequest | null> => await findEntry(store, id),
    flush,
    /** Lets go of what has been gathered: it belongs to a world that is over. */
    forget(): void {
      gathered = []
    },
  }
}

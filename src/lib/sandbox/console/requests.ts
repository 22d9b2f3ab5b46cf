/** Section of the console: requests to the sandbox, what each was about, and the verdict on it. */
import { fromMinorUnits } from '../../contract/core/decimal.ts'
import { unitsOf } from '../../contract/core/rules.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { isRecord, membersAsText, readJson, writeJson } from '../../json.ts'
import { listRequests, type RequestFilter } from '../../store/sandbox/requests.ts'
import { findRow } from '../../store/sandbox/rows.ts'
import type { OrderRow, SandboxReader, Row as TableRow } from '../../store/sandbox/schema.ts'
import { shellWord, singleQuoted } from '../../text.ts'
import { names } from '../accounts/fixtures.ts'
import { localMoment } from '../clock.ts'
import { money, orderRequest, payoutRequest } from '../ledger.ts'
import { describeRequest, describeWhole, type RequestEntry, type WholeRequest } from '../log/entry.ts'
import { notExecuted } from '../log/log.ts'
import {
  type CopiedText,
  callbackLinks,
  type Detail,
  type EntryLink,
  type Facts,
  factsOf,
  mostRows,
  orderLink,
  type PageContext,
  type Row,
  type Section,
  shortId,
  shortMoment,
  type Tone,
} from './section.ts'

// The verdict on a request, for whoever sent it: the cause first, the step that failed after it, the rule last.

/** True if the service has said no. What a fault made of an answer is no verdict of the service. */
function isRefused({ http, code, verdict, fault }: RequestEntry): boolean {
  if (code !== null || verdict.startsWith(notExecuted)) return true
  return fault === null && (http === null || http >= 400)
}

function requestTone(request: RequestEntry): Tone {
  if (request.fault !== null) return 'waiting'
  return isRefused(request) ? 'bad' : 'good'
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** An envelope that does not open is the same 6010 whatever the reason: here the reason stands first. */
function causeOf(request: WholeRequest): string | null {
  if (!isRefused(request)) return null
  const { envelope, verdict } = request
  const [remedy] = envelope?.step ? envelope.remarks : []
  return sentence(remedy !== undefined && envelope?.sealedTo === null ? remedy : verdict)
}

/** The step that failed first, then how the envelope came, then the request. */
function requestFacts(request: WholeRequest, { amount, payee, id }: Gist): Facts {
  const { payload: _, answer: __, envelope, verdict, rule, remarks, fault, ...sent } = request
  const cause = causeOf(request)
  const { step = null, ...outline } = envelope ?? {}
  const more = envelope?.remarks.filter((remark) => sentence(remark) !== cause) ?? []
  return {
    ...factsOf('Verdict', { step, verdict: cause === sentence(verdict) ? null : verdict, rule, remarks, fault }),
    ...factsOf('Envelope', { ...outline, remarks: more }),
    ...factsOf('Request', { amount, payee, about: id, ...sent, time: localMoment(Date.parse(sent.time)) }),
  }
}

// A request to be pasted elsewhere: as JSON, and as a line for a shell.

const asJson = `-H 'content-type: application/json'`

function queryOf(payload: unknown): string {
  if (!isRecord(payload)) return ''
  const pairs = Object.entries(payload).map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Integrators of the world are profiles of the same name. */
function profileOf({ who }: WholeRequest): string {
  return shellWord(who?.split(' ', 1)[0] ?? 'sandbox')
}

/** Sealed anew on its way: the log keeps texts in the clear. */
function sealedLine({ name, carriedIn }: Operation, request: WholeRequest, address: string, text: string): string {
  const { method } = request
  const layout = carriedIn === 'query' ? ' --layout query' : ''
  const seal = `printf %s ${singleQuoted(text)} | paydesk envelope seal -p ${profileOf(request)} --as ${name}${layout}`
  if (carriedIn === 'query') return `curl -X ${method} ${singleQuoted(address)}"?$(${seal})"`
  return `${seal} |\n  curl -X ${method} ${singleQuoted(address)} ${asJson} --data-binary @-`
}

/** Null where the log does not have the whole of what was asked: another request would be none to copy. */
function asCurl(request: WholeRequest, base: string): string | null {
  const { operation: name, method, path, payload } = request
  const operation = operations.find((each) => each.name === name)
  const address = `${base}${path}`
  const sealed = operation?.wire === 'sealed' || operation?.wire === 'wallet'
  if (!isRecord(payload) && (sealed || payload !== null || operation?.carriedIn === 'body')) return null
  const text = payload === null ? '' : writeJson(payload)
  if (operation && sealed) {
    return sealedLine(operation, request, address, text)
  }
  const words = [
    `curl -X ${method}`,
    singleQuoted(operation?.carriedIn === 'query' ? `${address}${queryOf(payload)}` : address),
    ...(operation?.wire === 'bearer' ? [`-H "authorization: Bearer $TOKEN"`] : []),
    ...(text === '' || operation?.carriedIn === 'query' ? [] : [asJson, `--data-binary ${singleQuoted(text)}`]),
  ]
  return words.join(' \\\n  ')
}

/** Secrets stay hidden, as everywhere in the log. */
export function copiesOf(request: WholeRequest, base: string): readonly CopiedText[] {
  const curl = asCurl(request, base)
  return [{ as: 'JSON', text: writeJson(request, 2) }, ...(curl === null ? [] : [{ as: 'curl', text: curl }])]
}

/** Polls folded: the same read of the same thing with the same answer, again and again, is one row. */
export interface Gisted {
  readonly row: TableRow<'requests'>
  readonly gist: Gist
}

/** The newest first, at least one. */
type Alike = [Gisted, ...Gisted[]]

const reads = new Set(operations.filter(({ effect }) => effect === 'read').map(({ name }) => name))

/** Null for a request that is worth a row of its own. */
function pollOf({ row, gist }: Gisted): { readonly what: string; readonly heard: string } | null {
  if (row.operation === null || !reads.has(row.operation) || row.fault !== null) return null
  return {
    what: JSON.stringify([row.operation, row.identifier, gist.id]),
    heard: JSON.stringify([row.http, row.code, row.verdict, row.remarks]),
  }
}

/**
 * Requests, the newest first, in groups. Polls of several things may be mixed; a group ends where the answer was another one,
 * or where the thing was written to.
 */
export function foldPolls(requests: readonly Gisted[]): readonly Alike[] {
  const groups: Alike[] = []
  const open = new Map<string, { readonly heard: string; readonly about: string | null; readonly group: Alike }>()
  for (const each of requests) {
    const poll = pollOf(each)
    const before = poll && open.get(poll.what)
    if (poll && before?.heard === poll.heard) {
      before.group.push(each)
      continue
    }
    const group: Alike = [each]
    groups.push(group)
    if (poll) open.set(poll.what, { heard: poll.heard, about: each.gist.id, group })
    else for (const [what, { about }] of open) if (about === each.gist.id) open.delete(what)
  }
  return groups
}

/** The oldest names the group: it stays the same while newer ones join. */
export function groupName(alike: Alike): string {
  return String(alike.at(-1)?.row.request_id)
}

interface Gist {
  readonly amount: string | null
  readonly payee: string | null
  /** As the request writes it. */
  readonly id: string | null
  /** The thing that it is about; null where there is none, as after a refusal. */
  readonly entry: EntryLink | null
  /** The order of that thing; null where it belongs to none. */
  readonly order: string | null
}

/** The thing that a request is about. */
type Thing = Omit<Gist, 'id'>

const nothing: Thing = { amount: null, payee: null, entry: null, order: null }

type Given = Readonly<Record<string, unknown>>

/** The first of these members that is a text. */
function textIn(members: Given, ...names: readonly string[]): string | null {
  const found = names.map((name) => members[name]).find((value) => typeof value === 'string')
  return found === undefined ? null : String(found)
}

function receiverNamed(id: string | null | undefined): string | null {
  return id === null || id === undefined ? null : (names.get(id.toLowerCase()) ?? id)
}

function thingOfOrder(order: OrderRow): Thing {
  return {
    amount: `${order.currency} ${money(order.amount)}`,
    payee: receiverNamed(orderRequest(order).receiverId),
    entry: orderLink(order.order_id),
    order: order.order_id,
  }
}

/** By the id in the request; where it names none, by that in the answer. */
async function thingOf(db: SandboxReader, who: string, asked: Given, answered: Given): Promise<Thing> {
  const orderId = textIn(asked, 'integratorOrderId')
  if (orderId !== null) {
    const named = { integrator_id: who, integrator_order_id: orderId.toLowerCase() }
    const order = await findRow(db, 'orders', named)
    return order ? thingOfOrder(order) : nothing
  }
  const subscription_id = textIn(asked, 'subscriptionId')?.toLowerCase()
  if (subscription_id !== undefined) {
    const plan = await findRow(db, 'subscriptions', { subscription_id })
    const order = plan && (await findRow(db, 'orders', { order_id: plan.order_id }))
    if (!order) return nothing
    return { ...thingOfOrder(order), entry: { title: 'Subscription', view: 'subscriptions', id: subscription_id } }
  }
  const unique_id = textIn(asked, 'uniqueId')
  const wallet = unique_id === null ? null : await findRow(db, 'wallet_orders', { identifier: who, unique_id })
  if (wallet) {
    const sum = wallet.amount === null ? null : `GEL ${money(wallet.amount)}`
    const entry = { title: 'Wallet order', view: 'wallet', id: `${wallet.identifier}/${wallet.unique_id}` }
    return { ...nothing, amount: sum, payee: receiverNamed(wallet.receiver_id), entry }
  }
  const transaction_id = textIn(answered, 'transactionId') ?? textIn(asked, 'transaction_id', 'transactionId') ?? ''
  const named = unique_id === null ? null : await findRow(db, 'payouts', { client_id: who, unique_id })
  const payout = named ?? (await findRow(db, 'payouts', { client_id: who, transaction_id }))
  if (!payout) return nothing
  const { beneficiaryName, toIban, receiverId } = payoutRequest(payout)
  return {
    ...nothing,
    amount: `${payout.currency} ${money(payout.amount)}`,
    payee: beneficiaryName ?? receiverNamed(receiverId) ?? toIban ?? null,
    entry: { title: 'Payout', view: 'payouts', id: payout.transaction_id },
  }
}

function membersIn(text: string | null): Given {
  const value = text === null ? null : readJson(text)
  if (!isRecord(value)) return {}
  return membersAsText(isRecord(value.value) ? value.value : value)
}

/** The sum that was asked for; one that is no sum as it came. */
function sumAsked(asked: Given, { amount: known }: Thing): string | null {
  const text = textIn(asked, 'amount')
  if (text === null) return null
  const units = unitsOf(text)
  const currency = textIn(asked, 'currency') ?? known?.slice(0, 3)
  return [currency, units === null ? text : fromMinorUnits(units)].filter(Boolean).join(' ')
}

async function summarizeRequest(db: SandboxReader, { plain, answer, identifier }: TableRow<'requests'>): Promise<Gist> {
  const [asked, answered] = [membersIn(plain), membersIn(answer)]
  const thing = await thingOf(db, identifier?.trim().toLowerCase() ?? '', asked, answered)
  const payee =
    textIn(asked, 'beneficiaryName') ?? receiverNamed(textIn(asked, 'receiverId')) ?? textIn(asked, 'toIban')
  return {
    ...thing,
    amount: sumAsked(asked, thing) ?? thing.amount,
    payee: payee ?? thing.payee,
    id: textIn(asked, 'integratorOrderId', 'uniqueId', 'subscriptionId', 'transaction_id', 'transactionId'),
  }
}

const filters: Readonly<Record<string, Omit<RequestFilter, 'limit'>>> = {
  writes: { operations: operations.filter(({ effect }) => effect === 'write').map(({ name }) => name) },
  errors: { wrong: true, refusal: notExecuted },
  faults: { struck: true },
}

/** More than a list shows: folded they are fewer. */
const mostRequests = 3 * mostRows

async function listRecent({ db, words, only }: PageContext): Promise<Gisted[]> {
  const filter = (only === null ? undefined : filters[only]) ?? {}
  const gisted: Gisted[] = []
  for (const row of await listRequests(db, { ...filter, words, limit: mostRequests })) {
    gisted.push({ row, gist: await summarizeRequest(db, row) })
  }
  return gisted
}

function rowOf({ row, gist }: Gisted, { now }: PageContext, fold: Row['fold']): Row {
  const request = describeRequest(row)
  const { id, operation, method, path, http, code, who, identifier, verdict, milliseconds, fault } = request
  const said = verdict.startsWith(`${notExecuted}: `) ? verdict.slice(notExecuted.length + 2) : null
  // HTTP 404 is its own code.
  const coded = code === http ? null : code
  return {
    id: String(id),
    tone: requestTone(request),
    fold: fold ?? null,
    cells: [
      shortMoment(row.time, now),
      operation ?? `${method} ${path}`,
      gist.payee,
      gist.amount,
      shortId(gist.id),
      [http ?? 'none', coded, said, fault].filter((part) => part !== null).join(' · '),
      who ?? shortId(identifier),
      [verdict, ...request.remarks].join(' · '),
      milliseconds,
    ],
  }
}

function rowsOf(alike: Alike, context: PageContext): readonly Row[] {
  const [newest] = alike
  if (alike.length === 1) return [rowOf(newest, context, null)]
  const group = groupName(alike)
  const open = context.unfold === group
  const fold = { count: alike.length, group, open, ids: alike.map(({ row }) => String(row.request_id)) }
  if (!open) return [rowOf(newest, context, fold)]
  return alike.map((each, at) => rowOf(each, context, at === 0 ? fold : null))
}

/** A fault behind the service changed what was heard, and not what was answered. */
function answerTitle({ fault, http }: WholeRequest): string {
  if (fault === null) return 'Answer'
  return http === null ? 'Answer, which did not arrive whole' : 'Answer of the service, before the fault'
}

function json(title: string, value: unknown) {
  return value === null ? [] : [{ title, text: writeJson(value, 2) }]
}

async function detailOf(context: PageContext, name: string): Promise<Detail | null> {
  const row = await findRow(context.db, 'requests', { request_id: Number(name) })
  if (!row) return null
  const request = describeWhole(row)
  const gist = await summarizeRequest(context.db, row)
  const { entry, order, id } = gist
  const { operation, http, code, method, path } = request
  const coded = code === null || code === http ? '' : `, code ${code}`
  const callbacks = order === null ? [] : await callbackLinks(context.db, order)
  return {
    title: operation ?? `${method} ${path}`,
    tone: requestTone(request),
    status: `${http === null ? 'no whole answer' : `HTTP ${http}`}${coded}`,
    cause: causeOf(request),
    links: entry === null ? [] : [entry, ...callbacks],
    copies: copiesOf(request, context.base),
    ...(id === null ? {} : { about: id }),
    facts: requestFacts(request, gist),
    texts: [...json('Payload', request.payload), ...json(answerTitle(request), request.answer)],
  }
}

export const requestsSection: Section = {
  name: 'requests',
  title: 'Requests',
  table: 'requests',
  filters: [
    { name: 'writes', title: 'Writes' },
    { name: 'errors', title: 'Errors' },
    { name: 'faults', title: 'Faults' },
  ],
  columns: [
    { name: 'time', kind: 'id', zoned: true },
    { name: 'operation', folds: true },
    { name: 'payee', kind: 'words' },
    { name: 'amount', kind: 'amount' },
    { name: 'id', kind: 'id' },
    { name: 'answer', kind: 'status' },
    { name: 'who', kind: 'id', minor: true },
    { name: 'verdict', kind: 'words', minor: true },
    { name: 'ms', kind: 'amount', minor: true },
  ],
  empty: 'Nobody has asked anything yet.',
  rows: async (context) => {
    const rows = foldPolls(await listRecent(context)).flatMap((alike) => rowsOf(alike, context))
    return rows.slice(0, mostRows)
  },
  detail: detailOf,
}

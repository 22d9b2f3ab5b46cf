/** Callbacks as people see them. */

import type { CallbackEntry } from '../../callback/entry.ts'
import type { ForwardNews, TargetNews } from '../../callback/forwarder.ts'
import type { Replayed } from '../../callback/replay.ts'
import type { ShownCallback } from '../../callback/show.ts'
import { isMembers, type Members } from '../../contract/core/members.ts'
import { howMany } from '../../contract/core/text.ts'
import { orderStatusFacts } from '../../contract/order/status.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import { writeJson } from '../../json.ts'
import type { Block, Cell, View } from '../output/view.ts'
import { statusInWords } from '../views.ts'

function sum({ currency, amount }: CallbackEntry): string | null {
  return amount === null ? null : [currency, amount].filter((part) => part !== null).join(' ')
}

const said = {
  sealed: 'sealed',
  plain: 'plain JSON, not sealed',
  unopened: 'sealed, not opened',
  unreadable: 'unreadable',
} as const

function howInWords({ how, scheme }: CallbackEntry): string {
  if (how === null) return 'not opened yet'
  return scheme === null ? said[how] : `${said[how]} (${scheme})`
}

function titleOf(entry: CallbackEntry): string {
  const kind = entry.kind === null || entry.kind === 'unknown' ? 'callback' : `${entry.kind} callback`
  const parts = [entry.receivedAt, kind, entry.status, sum(entry)]
  return `${parts.filter((part) => part !== null).join('  ')}${entry.duplicateOf === null ? '' : '  (duplicate)'}`
}

function facts(entry: CallbackEntry): (readonly [string, Cell])[] {
  return [
    ['callback', entry.callbackId],
    ['opened as', howInWords(entry)],
    ['but', entry.why],
    ['order', entry.integratorOrderId],
    ['transaction', entry.transactionId],
    ['subscription', entry.subscriptionId],
    ['same as', entry.duplicateOf],
    ['signature', entry.signature],
    ['read again', entry.next],
  ]
}

/** One that has just come. */
export function arrivalView(entry: CallbackEntry): View {
  return [{ kind: 'facts', title: titleOf(entry), rows: facts(entry) }]
}

export function callbackList(entries: readonly CallbackEntry[]): View {
  return [
    {
      kind: 'table',
      head: ['callback', 'received', 'kind', 'status', 'amount', 'order', 'opened as', 'same as', 'forward'],
      rows: entries.map((entry) => [
        entry.callbackId,
        entry.receivedAt,
        entry.kind,
        entry.status,
        sum(entry),
        entry.integratorOrderId ?? entry.subscriptionId ?? entry.transactionId,
        entry.how ?? 'not yet',
        entry.duplicateOf,
        entry.forward,
      ]),
      empty: 'No callbacks found.',
    },
  ]
}

function cell(value: unknown): string {
  return isMembers(value) || Array.isArray(value) ? writeJson(value) : String(value)
}

/** Members of members by their path: cardInfo.cardMask. */
function fieldRows(fields: Members): (readonly [string, Cell])[] {
  return Object.entries(fields).flatMap(([name, value]): (readonly [string, Cell])[] => {
    if (value === null || value === undefined) return []
    if (name !== 'cardInfo' || !isMembers(value)) return [[name, name === 'status' ? status(value) : cell(value)]]
    return fieldRows(value).map(([inner, shown]) => [`${name}.${inner}`, shown] as const)
  })
}

function status(value: unknown): string {
  return typeof value === 'string' ? statusInWords(orderStatusFacts, value) : cell(value)
}

function requestRows({ request, bytes, receivedAt }: ShownCallback): (readonly [string, Cell])[] {
  return [
    ['received', `${receivedAt} from ${request.remote}`],
    ['request', `${request.method} ${request.target}`],
    ['body', `${bytes} bytes, sha256 ${request.sha256.slice(0, 16)}…`],
    ['begins', request.beginning],
    ...request.headers.map(({ name, value }) => [name.toLowerCase(), value] as const),
  ]
}

function deliveryInWords({ state, tries, due }: ShownCallback['deliveries'][number]): string {
  const next = due === null ? 'as soon as it can be reached' : `next at ${due}`
  return `${state}, ${howMany(tries, 'try', 'tries')}${state === 'pending' ? `, ${next}` : ''}`
}

export function callbackView(shown: ShownCallback): View {
  const { fields, deliveries, attempts } = shown
  const blocks: Block[] = [
    { kind: 'facts', title: titleOf(shown), rows: [...facts(shown), ['profile', shown.profile]] },
  ]
  if (fields)
    blocks.push({ kind: 'facts', title: 'Content (a hint: anybody can send a callback)', rows: fieldRows(fields) })
  blocks.push({ kind: 'facts', title: 'As received', rows: requestRows(shown) })
  const onTheWay = deliveries.map((each): readonly [string, Cell] => [each.target, deliveryInWords(each)])
  if (onTheWay.length > 0) blocks.push({ kind: 'facts', title: 'Forwarded', rows: onTheWay })
  if (attempts.length === 0) return blocks
  const head = ['started', 'by', 'target', 'outcome', 'HTTP', 'ms', 'words']
  const rows = attempts.map(({ startedAt, by, target, outcome, http, milliseconds, why, edited }) => [
    ...[startedAt, edited ? `${by}, edited` : by, target, outcome, http, milliseconds, why],
  ])
  return [...blocks, { kind: 'table', head, rows, empty: '' }]
}

export function replayedView(replayed: readonly Replayed[]): View {
  return [
    {
      kind: 'table',
      head: ['callback', 'target', 'HTTP', 'ms', 'sent'],
      rows: replayed.map(({ callbackId, target, http, milliseconds, edited }) => [
        ...[callbackId, target, http, milliseconds, edited ? 'edited' : 'as received'],
      ]),
      empty: 'No callbacks to send again.',
    },
  ]
}

/** Milliseconds as people say them. */
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

/** The end of one way of a callback; `loud` where a person has to act on it. */
export function forwardInWords(news: ForwardNews): { readonly line: string; readonly loud: boolean } {
  const { callbackId, target, outcome, http, why, tries, again } = news
  if (outcome === 'delivered') return { line: `${callbackId} → ${target}  ${http}`, loud: false }
  const what =
    outcome === 'refused' ? `${target} answered ${http} to ${callbackId}` : `${target} did not accept ${callbackId}`
  const reason = why === null ? '' : ` (${why})`
  // Of a target that cannot be reached there is news of its own.
  const loud = outcome !== 'unsent' && tries === 1
  if (again !== null) return { line: `${what}${reason}; next attempt in ${seconds(again)}`, loud }
  const way = hintInWords(hint`\`${paste('callback replay', callbackId)}\` sends it again`)
  return { line: `${what}${reason}; given up after a day and ${howMany(tries, 'try', 'tries')}: ${way}`, loud: true }
}

export function targetInWords({ target, state, why, waiting }: TargetNews): string {
  const wait = `${howMany(waiting, 'callback waits', 'callbacks wait')} for it`
  if (state === 'itself') return `${target}: ${why}`
  if (state === 'back') return `the target is back: ${target}${waiting === 0 ? '' : `; ${wait}`}`
  return `the target is DOWN: ${target}${why === null ? '' : ` (${why})`}; ${wait}, and ${waiting === 1 ? 'is' : 'they are'} kept`
}

/** Callbacks as people see them. */
import { nextAttempt } from '../../backoff.ts'
import type { CallbackEntry } from '../../callback/entry.ts'
import type { ForwardNews, TargetNews } from '../../callback/forwarder.ts'
import type { Replayed } from '../../callback/replay.ts'
import type { ShownCallback } from '../../callback/show.ts'
import { isMembers, type Members } from '../../contract/core/members.ts'
import { howMany } from '../../contract/core/text.ts'
import { orderStatusFacts } from '../../contract/order/status.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import {
  type Block,
  type Cell,
  factsOf,
  type Labels,
  labelled,
  sumInWords,
  tableOf,
  type View,
} from '../output/view.ts'
import { statusInWords } from '../views.ts'

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
  const parts = [entry.receivedAt, kind, entry.status, sumInWords(entry)]
  return `${parts.filter((part) => part !== null).join('  ')}${entry.duplicateOf === null ? '' : '  (duplicate)'}`
}

const labels: Labels<CallbackEntry> = {
  callback: 'callbackId',
  'opened as': howInWords,
  but: 'why',
  order: 'integratorOrderId',
  transaction: 'transactionId',
  subscription: 'subscriptionId',
  'same as': 'duplicateOf',
  signature: 'signature',
  'read again': 'next',
}

export const arrivalView = (entry: CallbackEntry): View => [factsOf(entry, labels, titleOf(entry))]

const columns: Labels<CallbackEntry> = {
  callback: 'callbackId',
  received: 'receivedAt',
  kind: 'kind',
  status: 'status',
  amount: sumInWords,
  order: (entry) => entry.integratorOrderId ?? entry.subscriptionId ?? entry.transactionId,
  'opened as': ({ how }) => how ?? 'not yet',
  'same as': 'duplicateOf',
  forward: 'forward',
}

export const callbackList = (entries: readonly CallbackEntry[]): View => [
  tableOf(entries, columns, 'No callbacks found.'),
]

function fieldRows(fields: Members): readonly (readonly [string, Cell])[] {
  return Object.entries(fields).flatMap(([name, value]): readonly (readonly [string, Cell])[] => {
    if (name === 'cardInfo' && isMembers(value)) {
      return fieldRows(value).map(([inner, shown]) => [`${name}.${inner}`, shown] as const)
    }
    const isStatus = name === 'status' && typeof value === 'string'
    return [[name, isStatus ? statusInWords(orderStatusFacts, value) : value]]
  })
}

const requestLabels: Labels<ShownCallback> = {
  received: ({ receivedAt, request }) => `${receivedAt} from ${request.remote}`,
  request: ({ request }) => `${request.method} ${request.target}`,
  body: ({ bytes, request }) => `${bytes} bytes, sha256 ${request.sha256.slice(0, 16)}…`,
  begins: ({ request }) => request.beginning,
}

const attemptColumns: Labels<ShownCallback['attempts'][number]> = {
  started: 'startedAt',
  by: ({ by, edited }) => (edited ? `${by}, edited` : by),
  target: 'target',
  outcome: 'outcome',
  HTTP: 'http',
  ms: 'milliseconds',
  'what it said': 'why',
}

function deliveryInWords({ state, tries, due }: ShownCallback['deliveries'][number]): string {
  const next = due === null ? 'as soon as it can be reached' : `next at ${due}`
  return `${state}, ${howMany(tries, 'try', 'tries')}${state === 'pending' ? `, ${next}` : ''}`
}

export function callbackView(shown: ShownCallback): View {
  const { fields, deliveries, attempts, request } = shown
  const block = (title: string, rows: readonly (readonly [string, Cell])[] | null): Block[] =>
    rows === null ? [] : [{ kind: 'facts', title, rows }]
  const headers = request.headers.map(({ name, value }) => [name.toLowerCase(), value] as const)
  const targets = deliveries.map((each) => [each.target, deliveryInWords(each)] as const)
  return [
    factsOf(shown, { ...labels, profile: 'profile' } as Labels<ShownCallback>, titleOf(shown)),
    ...block('Content (a hint: anybody can send a callback)', fields && fieldRows(fields)),
    ...block('As received', [...labelled(shown, requestLabels), ...headers]),
    ...block('Forwarded', targets.length > 0 ? targets : null),
    ...(attempts.length > 0 ? [tableOf(attempts, attemptColumns)] : []),
  ]
}

const replayedColumns: Labels<Replayed> = {
  callback: 'callbackId',
  target: 'target',
  HTTP: 'http',
  ms: 'milliseconds',
  sent: ({ edited }) => (edited ? 'edited' : 'as received'),
}

export const replayedView = (replayed: readonly Replayed[]): View => [
  tableOf(replayed, replayedColumns, 'No callbacks to send again.'),
]

/** The end of one way of a callback; `loud` where a person has to act on it. */
export function forwardInWords(news: ForwardNews): { readonly line: string; readonly loud: boolean } {
  const { callbackId, target, outcome, http, why, tries, again } = news
  if (outcome === 'delivered') return { line: `${callbackId} → ${target}  ${http}`, loud: false }
  const what =
    outcome === 'refused' ? `${target} answered ${http} to ${callbackId}` : `${target} did not accept ${callbackId}`
  const reason = why === null ? '' : ` (${why})`
  // Of a target that cannot be reached there is news of its own.
  const loud = outcome !== 'unsent' && tries === 1
  if (again !== null) return { line: `${what}${reason}; ${nextAttempt(again)}`, loud }
  const way = hintInWords(hint`\`${paste('callback replay', callbackId)}\` sends it again`)
  return { line: `${what}${reason}; given up after a day and ${howMany(tries, 'try', 'tries')}: ${way}`, loud: true }
}

export function targetInWords({ target, state, why, waiting }: TargetNews): string {
  const wait = `${howMany(waiting, 'callback waits', 'callbacks wait')} for it`
  if (state === 'itself') return `${target}: ${why}`
  if (state === 'back') return `the target is back: ${target}${waiting === 0 ? '' : `; ${wait}`}`
  return `the target is DOWN: ${target}${why === null ? '' : ` (${why})`}; ${wait}, and ${waiting === 1 ? 'is' : 'they are'} kept`
}

/**
 * The members of the service's answer that stand in a receipt. They stand beside paydesk's own and replace none of them,
 * whatever they are called.
 */
import type { Members } from '../../contract/core/members.ts'
import { writeNamed } from '../../contract/operations.ts'
import { checkoutAddress } from '../../contract/order/order.ts'
import type { Intent } from '../../journal/intent.ts'
import { isRecord, readJson } from '../../json.ts'

/** The id of the object that a write is about, by the name that the specification gives it. */
export function addressed(intent: Intent): Record<string, unknown> {
  const request = readJson(intent.body)
  if (!isRecord(request)) return {}
  const names = ['integratorOrderId', 'uniqueId', 'subscriptionId'].filter((name) => typeof request[name] === 'string')
  return Object.fromEntries(names.map((name) => [name, request[name]]))
}

/** The service's answer; no members where it was lost. */
export function answerMembers({ answer }: Intent): Members {
  const value = answer === null ? {} : readJson(answer)
  return isRecord(value) ? value : {}
}

/** Names by which receipts, their warnings and the views of them are known: no answer speaks under one of them. */
const ownNames: ReadonlySet<string> = new Set([
  ...['outcome', 'operation', 'journalId', 'journalHead', 'profile', 'environment', 'replayed', 'warnings'],
  ...[
    'moneyMoved',
    'error',
    'dryRun',
    'payee',
    'idUnknown',
    'sumConfirmed',
    'finalizeBy',
    'secondsLeft',
    '__proto__',
    'toJSON',
  ],
])

/** Members that the receipt tells from the request, whatever the answer has in them. */
const toldAlready: ReadonlySet<string> = new Set(['status', 'amount', 'currency', 'subscriptionPlan', 'statusCode'])

/** The members of an answer that stand beside those of the receipt and can replace none. */
export function beside(intent: Intent, answer: Members): Record<string, unknown> {
  const known = addressed(intent)
  const others = Object.entries(answer).filter(
    ([name]) => !ownNames.has(name) && !toldAlready.has(name) && !Object.hasOwn(known, name),
  )
  // An address that is none of the web is never shown as one: a warning quotes it.
  return Object.fromEntries(others.map(([name, value]) => [name, name === 'urlForQR' ? checkoutAddress(value) : value]))
}

/** Remarks on an answer that was taken for done. */
export function remarksOn(intent: Intent, answer: Members): readonly string[] {
  if (intent.answer === null) return []
  const request = readJson(intent.body)
  const remarks = writeNamed(intent.operation)?.proof.remarks(isRecord(request) ? request : {}, answer) ?? []
  const hidden = Object.keys(answer).filter((name) => ownNames.has(name))
  if (hidden.length === 0) return remarks
  return [...remarks, `the answer has members of names that are paydesk's own, not shown here: ${hidden.join(', ')}`]
}

/** Members in which paydesk speaks for itself beside everything that it reads. */
const besideReads: ReadonlySet<string> = new Set([
  'journalId',
  'profile',
  'environment',
  'warnings',
  '__proto__',
  'toJSON',
])

/** The answer to a read, or each of a list, without the members in which it would speak for paydesk. */
export function inItsOwnName<Answer>(answer: Answer): Answer {
  if (Array.isArray(answer)) return answer.map(inItsOwnName) as Answer
  if (!isRecord(answer)) return answer
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !besideReads.has(name))) as Answer
}

/**
 * An intent and its attempts as people see them: what was sent as an object, amounts as numbers, decisions in words, no bookkeeping of
 * leases.
 */
import { fromMinorUnits, JsonNumber } from '../contract/core/decimal.ts'
import { writePayload } from '../contract/core/field.ts'
import { operations, writeNamed } from '../contract/operations.ts'
import { createOrder } from '../contract/order/order.ts'
import { createWalletOrder, currencyOfCreated } from '../contract/wallet/wallet.ts'
import type { ServiceWords } from '../failure.ts'
import { isRecord, readJson } from '../json.ts'
import type { ResultOf } from '../result.ts'
import { type Attempt, type Intent, idAtService } from './intent.ts'
import type { Journal } from './journal.ts'
import { unpaidEnd } from './payment-end.ts'
import type { journalEntryResult } from './result.ts'
import { removedWord, splitRemoved } from './row.ts'
import type { AttemptOutcome, State, Verdict } from './verdict.ts'

export type JournalEntry = ResultOf<typeof journalEntryResult>

export function journalEntry(intent: Intent): JournalEntry {
  return {
    journalId: intent.journalId,
    operation: intent.operation,
    state: intent.state,
    uniqueId: intent.uniqueId,
    key: intent.businessKey,
    amount: intent.amountMinor === null ? null : new JsonNumber(fromMinorUnits(BigInt(intent.amountMinor))),
    currency: intent.currency,
    payee: intent.payee,
    transactionId: intent.transactionId,
    status: intent.status,
    statusDescription: intent.statusDescription,
    createdAt: intent.createdAt,
    because: intent.because,
    sumConfirmed: unpaidEnd(intent) ? null : intent.sumConfirmed,
    profile: intent.profile,
    environment: intent.environment,
    service: intent.service,
    serviceId: intent.serviceId,
    clientId: intent.clientId,
    openedAt: intent.openedAt,
    changedAt: intent.changedAt,
    request: requestOf(intent),
    removedAt: intent.removedAt,
    answer: intent.answer === null ? null : readJson(intent.answer),
  }
}

/** Held as text, and shown as it was sent. */
function requestOf(intent: Intent): unknown {
  const request = readJson(intent.body)
  const operation = operations.find(({ name }) => name === intent.operation)
  if (!isRecord(request) || !operation) return request
  if (intent.removedAt === null) return writePayload(operation.request, request)
  const { kept, gone } = splitRemoved(request)
  return { ...writePayload(operation.request, kept), ...Object.fromEntries(gone.map((name) => [name, removedWord])) }
}

/** The members of an attempt that its decision is told by. */
type Decided = Pick<Attempt, 'outcome' | 'http' | 'statusCode' | 'message' | 'why'>

/** "code 5038 (HTTP 400): no balance", as far as the service said something. */
function describeAnswer({ http, statusCode, message }: Decided): string {
  const status = http === null ? null : `HTTP ${http}`
  const code = statusCode === null ? status : `code ${statusCode}${status === null ? '' : ` (${status})`}`
  return [code, message].filter((part) => part !== null && part !== '').join(': ') || 'the answer'
}

const reasons: Readonly<Record<AttemptOutcome, (decided: Decided) => string>> = {
  accepted: () => 'the answer repeats the request, in a status that the contract names as done',
  exists: (decided) =>
    `${describeAnswer(decided)} says that the service has this id already, from an attempt without a definite answer`,
  refused: (decided) => `${describeAnswer(decided)} says that this attempt executed nothing`,
  'turned-away': (decided) => `${describeAnswer(decided)} says that this attempt was not applied`,
  unsent: ({ why }) => `nothing left this machine: ${why ?? 'the connection did not stand'}`,
  unknown: (decided) => `no definite answer: ${decided.why ?? describeAnswer(decided)}`,
}

/** "refused, because code 5038 (HTTP 400) says that …". */
function describeDecision(decided: Decided): string {
  const { outcome } = decided
  return outcome === null
    ? 'unknown, because the process ended before it recorded an outcome'
    : `${outcome}, because ${reasons[outcome](decided)}`
}

function outcomeAt(verdict: Verdict, state: State): AttemptOutcome {
  if (verdict.kind !== 'duplicate') return verdict.kind
  return state === 'exists' || state === 'accepted' ? 'exists' : 'refused'
}

/** The same of a verdict that the journal has taken; `state`: that of the intent since. */
export function describeVerdict(verdict: Verdict, state: State): string {
  const words: ServiceWords | null = 'words' in verdict ? verdict.words : null
  return describeDecision({
    outcome: outcomeAt(verdict, state),
    http: words?.http ?? null,
    statusCode: words?.statusCode ?? null,
    message: words?.message ?? null,
    why: 'why' in verdict ? verdict.why : null,
  })
}

/** Attempts as they are shown: with the decision about each. */
export function describeAttempts(attempts: readonly Attempt[]) {
  return attempts.map(({ startedSteady: _, bodyDigest: _digest, ...attempt }) => ({
    ...attempt,
    decision: describeDecision(attempt),
  }))
}

/** So many ids are asked for at once: a statement of SQLite takes 32 thousand at most. */
const atOnce = 1000

function nameOf(intent: Intent): string {
  const { operation, serviceId, environment, clientId } = intent
  return JSON.stringify([writeNamed(operation)?.about, serviceId, environment, clientId, idAtService(intent)])
}

function isBare({ amountMinor, currency }: Intent): boolean {
  return amountMinor !== null && currency === null
}

/**
 * The same intents for people: sums without a currency have that of their order, where this journal created it. The request of a
 * refund, a completion or a finalization names none. It is looked up here and never kept with the write: the duplicate check compares
 * requests, and a sum must look the same to it before and after its currency was found.
 */
export async function withCurrency(journal: Journal, intents: readonly Intent[]): Promise<readonly Intent[]> {
  const ids = [...new Set(intents.filter(isBare).map(idAtService))]
  const currencies = new Map<string, string | null>()
  for (let at = 0; at < ids.length; at += atOnce) {
    const uniqueIds = ids.slice(at, at + atOnce)
    const created = await journal.list({ operations: [createOrder, createWalletOrder], uniqueIds })
    // The newest comes first, and is the one that counts.
    for (const each of created.toReversed()) currencies.set(nameOf(each), currencyOfCreated(each))
  }
  return intents.map((intent) =>
    isBare(intent) ? { ...intent, currency: currencies.get(nameOf(intent)) ?? null } : intent,
  )
}

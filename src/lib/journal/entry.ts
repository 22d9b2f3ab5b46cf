/** An intent and its attempts as people see them: amounts as numbers, decisions in words, no leases. */
import { fromMinorUnits, JsonNumber } from '../contract/core/decimal.ts'
import { writePayload } from '../contract/core/field.ts'
import type { Members } from '../contract/core/members.ts'
import { writeNamed } from '../contract/operations.ts'
import { createOrder } from '../contract/order/order.ts'
import { createWalletOrder, currencyOfCreated } from '../contract/wallet/wallet.ts'
import type { ServiceWords } from '../failure.ts'
import { isRecord, readJson } from '../json.ts'
import type { ResultOf } from '../result.ts'
import { readPages } from './find.ts'
import { type Attempt, type Intent, idAtService, type JournalFilter } from './intent.ts'
import type { Journal } from './journal.ts'
import { requestIn, unpaidEnd } from './payment-end.ts'
import type { exportEndResult, journalEntryResult, journalShownResult } from './result.ts'
import { removedWord, splitRemoved } from './row.ts'
import type { AttemptOutcome, State, Verdict } from './verdict.ts'

export type JournalEntry = ResultOf<typeof journalEntryResult>

export function journalEntry(intent: Intent): JournalEntry {
  return {
    journalId: intent.journalId,
    operation: intent.operation,
    state: intent.state,
    uniqueId: intent.uniqueId,
    key: intent.idempotencyKey,
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

function requestOf(intent: Intent): unknown {
  const request = readJson(intent.body)
  const operation = writeNamed(intent.operation)
  if (!isRecord(request) || !operation) return request
  if (intent.removedAt === null) return writePayload(operation.request, request)
  const { kept, gone } = splitRemoved(request)
  return { ...writePayload(operation.request, kept), ...Object.fromEntries(gone.map((name) => [name, removedWord])) }
}

type Decided = Pick<Attempt, 'outcome' | 'http' | 'statusCode' | 'message' | 'why'>

/** "code 5038 (HTTP 400): no balance". */
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

/** `state`: that of the intent since. */
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

export function describeAttempts(attempts: readonly Attempt[]) {
  return attempts.map(({ startedSteady: _, bodyDigest: _digest, ...attempt }) => ({
    ...attempt,
    decision: describeDecision(attempt),
  }))
}

/** A statement of SQLite takes 32 thousand ids at most. */
const atOnce = 1000

function nameOf(intent: Intent): string {
  const { operation, serviceId, environment, clientId } = intent
  return JSON.stringify([writeNamed(operation)?.about, serviceId, environment, clientId, idAtService(intent)])
}

function isBare({ amountMinor, currency }: Intent): boolean {
  return amountMinor !== null && currency === null
}

/**
 * Sums without a currency get that of their order, where this journal created it. Not kept with the write: the
 * duplicate check compares requests, before and after.
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

/** The currency of one intent, that of its order where its request names none. */
export async function currencyOf(journal: Journal, intent: Intent): Promise<string | null> {
  const [{ currency } = intent] = await withCurrency(journal, [intent])
  return currency
}

/** The request of an intent, with the currency of its order where it names none. */
export async function requestWithCurrency(journal: Journal, intent: Intent): Promise<Members> {
  const currency = await currencyOf(journal, intent)
  return { ...(currency === null ? {} : { currency }), ...requestIn(intent.body) }
}

/** Intents that are exported from one query. */
const exportedAtOnce = 500

/** All payments of a filter with their attempts, the newest first, and a last line that shows that the export is complete. */
export async function* exportEntries(
  journal: Journal,
  filter: Pick<JournalFilter, 'profile' | 'since' | 'until'>,
): AsyncGenerator<ResultOf<typeof journalShownResult> | ResultOf<typeof exportEndResult>> {
  let entries = 0
  for await (const page of readPages(journal, filter, exportedAtOnce)) {
    for (const intent of await withCurrency(journal, page)) {
      entries += 1
      yield { ...journalEntry(intent), attempts: describeAttempts(await journal.attempts(intent)) }
    }
  }
  // Read after the last payment, so that the head covers all payments.
  const journalHead = await journal.headNow()
  yield { entries, journalHead, exportedAt: new Date(journal.moment.now).toISOString() }
}

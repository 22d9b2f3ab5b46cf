/** An intent as the journal's commands show it: what was sent as an object, amounts as numbers, no bookkeeping of locks. */
import { fromMinorUnits, JsonNumber } from '../contract/core/decimal.ts'
import { writePayload } from '../contract/core/payload.ts'
import { operations } from '../contract/operations.ts'
import { isRecord, readJson } from '../json.ts'
import type { ResultOf } from '../result.ts'
import type { Intent } from './intent.ts'
import { unpaidEnd } from './payment-end.ts'
import { removedMembers, removedWord } from './purge/removed.ts'
import type { journalEntryResult } from './result.ts'

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
  const { kept, gone } = removedMembers(request)
  return { ...writePayload(operation.request, kept), ...Object.fromEntries(gone.map((name) => [name, removedWord])) }
}

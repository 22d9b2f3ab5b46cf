/** The journal's tables: intents, the attempts to carry them out, and what of them counts against limits. */
import type { Kysely, Transaction } from 'kysely'
import type { ChainedTable } from '../chain/chained.ts'
import type { Schema } from '../engine/store.ts'
import { type ApprovalTables, approvalTables } from './approval-tables.ts'
import { intents } from './migrations/001-intents.ts'
import { answers } from './migrations/002-answers.ts'
import { steadyTimes } from './migrations/003-steady-times.ts'
import { services } from './migrations/004-service-names.ts'
import { operatorWords } from './migrations/005-operator-words.ts'
import { spent } from './migrations/006-spent.ts'
import { chain } from './migrations/007-chain.ts'
import { payees } from './migrations/008-payees.ts'
import { approvals } from './migrations/009-approvals.ts'
import { removed } from './migrations/010-removed.ts'
import { toldStatuses } from './migrations/011-told.ts'
import { payeeDetails } from './migrations/012-payee-details.ts'

export interface IntentRow {
  readonly id: string
  readonly operation: string
  readonly profile: string
  readonly environment: string
  /** The service, and its client: together with the unique id they name a payment. */
  readonly service: string
  readonly client_id: string
  readonly unique_id: string
  readonly business_key: string | null
  /** The request as JSON text, values as they are held inside. */
  readonly body: string
  /** Digest of the request's meaning: "12.5" and "12.50" are the same body. */
  readonly body_digest: string
  /** toIban, receiver type and id, or the order it is about: what the duplicate guard compares. */
  readonly payee: string
  /** Minor units as text: one form for every engine. Empty where the write moves no sum of its own. */
  readonly amount_minor: string
  /** Empty where the request names none. */
  readonly currency: string
  readonly state: string
  readonly transaction_id: string | null
  readonly status: string | null
  readonly status_description: string | null
  /** createdAt as the service sent it, without zone. */
  readonly service_created_at: string | null
  /** The reason for its end, in words; null also where the operator's word resolved it. */
  readonly because: string | null
  /** The operator's source for its end (`resume --settle`); null where it was resolved in another way. */
  readonly operator_word: string | null
  readonly opened_at: string
  readonly changed_at: string
  /** The process that has it in flight, and until when at the latest (ISO). */
  readonly holder: string | null
  readonly held_until: string | null
  /** The end of the hold as a start of the machine and the milliseconds since: no setting of the clock moves it. */
  readonly held_until_steady: string | null
  /**
   * Knowledge of the executed sum: "yes" if it is known to be this one, "no" if not; "other" where a read has shown another
   * one, "answered" where the answer told of one; "taken" where another request has the id, or this one, sent twice on its
   * way; null where nothing was executed.
   */
  readonly sum_confirmed: string | null
  readonly digest: string
  /** The service's answer to the accepted attempt, as JSON text; null for payouts, whose columns hold it. */
  readonly answer: string | null
  /** The service's own name, which stays when it moves. */
  readonly service_id: string
  /** The one form of the address it was sent to. */
  readonly origin: string
  /** Chance in its digest: where it is gone, no digest of the row in the chain lets its values be guessed. */
  readonly salt: string | null
  /** The person it counts for and how many others had approved it; null where no rule spoke of it. Empty: no person. */
  readonly maker: string | null
  readonly approvers: number | null
  /** When its personal data was removed (ISO); null while it has it. Such a body is never sent. */
  readonly removed_at: string | null
}

export interface AttemptRow {
  readonly intent_id: string
  readonly number: number
  readonly started_at: string
  /** The same moment as a start of the machine and the milliseconds since; null where the system does not tell it. */
  readonly started_steady: string | null
  readonly ended_at: string | null
  readonly body_digest: string
  readonly outcome: string | null
  readonly http: number | null
  readonly status_code: number | null
  readonly exception_group: number | null
  readonly message: string | null
  readonly why: string | null
  /** The status in which its thing was read before it left; null where it was not read. */
  readonly known: string | null
  readonly digest: string
  /** That of its intent. */
  readonly salt: string | null
}

/** Payouts of one client that count against limits, added up by the minute in which they were opened: "2026-11-20T06:31". */
export interface SpentRow {
  readonly environment: string
  readonly client_id: string
  readonly minute: string
  readonly service_id: string
  readonly origin: string
  readonly currency: string
  readonly payouts: bigint
  /** Minor units. */
  readonly units: bigint
}

/** A beneficiary of payouts that was looked at once. */
export interface PayeeRow {
  readonly id: string
  readonly profile: string
  readonly name: string
  /** As the payee of an intent. */
  readonly account: string
  /** Null for none, as in the three that follow: what its payouts say besides. */
  readonly identity_number: string | null
  readonly address: string | null
  readonly birth_date: string | null
  readonly currency: string | null
  readonly added_at: string
  readonly salt: string
  readonly digest: string
}

export interface JournalTables extends ApprovalTables {
  intents: IntentRow
  attempts: AttemptRow
  spent: SpentRow
  payees: PayeeRow
}

export type JournalReader = Kysely<JournalTables>
export type JournalWriter = Transaction<JournalTables>

/** The tables that the chain began with. */
export const firstChained: readonly ChainedTable[] = [
  { name: 'intents', key: ['id'] },
  { name: 'attempts', key: ['intent_id', 'number'] },
  { name: 'payees', key: ['id'] },
  // Made less from outside, it would let more be spent.
  {
    name: 'spent',
    key: ['environment', 'client_id', 'minute', 'service_id', 'origin', 'currency'],
    plain: ['payouts', 'units'],
  },
]

/** All tables of the journal. */
export const chained: readonly ChainedTable[] = [...firstChained, ...approvalTables]

export const journalSchema: Schema = {
  title: 'the journal',
  migrations: [
    intents,
    answers,
    steadyTimes,
    services,
    operatorWords,
    spent,
    chain,
    payees,
    approvals,
    removed,
    toldStatuses,
    payeeDetails,
  ],
  chained,
}

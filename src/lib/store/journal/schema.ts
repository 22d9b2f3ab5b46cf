/** The journal's tables: intents, the attempts to carry them out, what counts against limits, payees, persons and their approvals. */
import type { Kysely, Transaction } from 'kysely'
import type { ChainedTable } from '../chain/chain.ts'
import { type CreateTables, columns, type Schema } from '../engine/store.ts'

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

/** A person with the public half of a key. What an administrator has agreed to is signed, with the person's own id in it. */
export interface PersonRow {
  readonly id: string
  readonly name: string
  /** "ed25519:" and the key, base64url. */
  readonly public_key: string
  readonly role: 'administrator' | 'member'
  readonly added_at: string
  /** The administrator; of the first person the person itself. */
  readonly added_by: string
  readonly signature: string
  readonly revoked_at: string | null
  readonly revoked_by: string | null
  readonly revocation: string | null
  readonly salt: string
  readonly digest: string
}

/** From which sum of a day on how many others have to approve. */
export interface RuleRow {
  readonly id: string
  readonly currency: string
  /** Minor units as text. */
  readonly from_units: string
  readonly approvers: number
  readonly added_at: string
  readonly added_by: string
  readonly signature: string
  readonly removed_at: string | null
  readonly removed_by: string | null
  readonly removal: string | null
  readonly salt: string
  readonly digest: string
}

/** A request to approve a payment or a plan, signed by its maker. */
export interface ApprovalRow {
  readonly id: string
  /** "payment" or "plan", and its id. */
  readonly subject: string
  readonly subject_id: string
  readonly maker: string
  readonly requested_at: string
  /** The signed members as JSON text. */
  readonly facts: string
  readonly signature: string
  /** The first attempt that was opened by it. */
  readonly used_at: string | null
  readonly salt: string
  readonly digest: string
}

/** The word of one person about a request. */
export interface VoteRow {
  readonly approval_id: string
  readonly person_id: string
  readonly decision: string
  readonly at: string
  readonly because: string
  readonly signature: string
  readonly salt: string
  readonly digest: string
}

/** The sums that a maker has sent on a day while there were rules, by the number of others who had approved them. */
export interface DaySumRow {
  readonly environment: string
  /** "2026-11-21", as limits count days. */
  readonly day: string
  /** A person; empty where the sender was none. */
  readonly maker: string
  readonly currency: string
  readonly approvers: number
  readonly payments: bigint
  /** Minor units. */
  readonly units: bigint
}

export interface JournalTables {
  intents: IntentRow
  attempts: AttemptRow
  spent: SpentRow
  payees: PayeeRow
  persons: PersonRow
  approval_rules: RuleRow
  approvals: ApprovalRow
  approval_votes: VoteRow
  day_sums: DaySumRow
}

export type JournalReader = Kysely<JournalTables>
export type JournalWriter = Transaction<JournalTables>

/** The tables under the hash chain: all of the journal. */
export const chained: readonly ChainedTable[] = [
  { name: 'intents', key: ['id'] },
  { name: 'attempts', key: ['intent_id', 'number'] },
  { name: 'payees', key: ['id'] },
  // Made less from outside, it would let more be spent.
  {
    name: 'spent',
    key: ['environment', 'client_id', 'minute', 'service_id', 'origin', 'currency'],
    plain: ['payouts', 'units'],
  },
  { name: 'persons', key: ['id'] },
  { name: 'approval_rules', key: ['id'] },
  { name: 'approvals', key: ['id'] },
  { name: 'approval_votes', key: ['approval_id', 'person_id'] },
  // Made less from outside, it would let more pass unseen.
  {
    name: 'day_sums',
    key: ['environment', 'day', 'maker', 'currency', 'approvers'],
    plain: ['payments', 'units'],
  },
]

const indexed = ['opened_at', 'state', 'business_key', 'payee']

/** The statements that make the tables, on both engines. */
export const createJournal: CreateTables = (text) => [
  `create table intents (
    id ${text} primary key,
    ${columns(`${text} not null`, 'operation', 'profile', 'environment', 'service', 'service_id', 'origin', 'client_id')},
    ${columns(`${text} not null`, 'unique_id', 'body', 'body_digest', 'payee', 'amount_minor', 'currency', 'state')},
    ${columns(`${text} not null`, 'opened_at', 'changed_at', 'digest')},
    ${columns(text, 'business_key', 'transaction_id', 'status', 'status_description', 'service_created_at', 'because')},
    ${columns(text, 'operator_word', 'holder', 'held_until', 'held_until_steady', 'sum_confirmed', 'answer', 'salt')},
    ${columns(text, 'maker', 'removed_at')},
    approvers integer,
    -- The id first: so it finds a row by its id alone.
    constraint one_intent_per_id unique (unique_id, operation, client_id, environment, service)
  )`,
  ...indexed.map((column) => `create index intents_by_${column} on intents (${column})`),
  // An opening has none yet.
  'create index intents_by_transaction_id on intents (transaction_id) where transaction_id is not null',
  `create table attempts (
    intent_id ${text} not null,
    number integer not null,
    ${columns(`${text} not null`, 'started_at', 'body_digest', 'digest')},
    ${columns(text, 'started_steady', 'ended_at', 'outcome', 'message', 'why', 'known', 'salt')},
    ${columns('integer', 'http', 'status_code', 'exception_group')},
    primary key (intent_id, number)
  )`,
  `create table spent (
    ${columns(`${text} not null`, 'environment', 'client_id', 'minute', 'service_id', 'origin', 'currency')},
    ${columns('bigint not null', 'payouts', 'units')},
    primary key (environment, client_id, minute, service_id, origin, currency)
  )`,
  `create table payees (
    id ${text} primary key,
    ${columns(`${text} not null`, 'profile', 'name', 'account', 'added_at', 'salt', 'digest')},
    ${columns(text, 'identity_number', 'address', 'birth_date', 'currency')},
    constraint one_payee_per_account unique (profile, account)
  )`,
  `create table persons (
    id ${text} primary key,
    ${columns(`${text} not null`, 'name', 'public_key', 'role', 'added_at', 'added_by', 'signature', 'salt', 'digest')},
    ${columns(text, 'revoked_at', 'revoked_by', 'revocation')},
    constraint one_person_per_key unique (public_key)
  )`,
  `create table approval_rules (
    id ${text} primary key,
    ${columns(`${text} not null`, 'currency', 'from_units', 'added_at', 'added_by', 'signature', 'salt', 'digest')},
    approvers integer not null,
    ${columns(text, 'removed_at', 'removed_by', 'removal')}
  )`,
  `create table approvals (
    id ${text} primary key,
    ${columns(`${text} not null`, 'subject', 'subject_id', 'maker', 'requested_at', 'facts', 'signature', 'salt', 'digest')},
    used_at ${text}
  )`,
  'create index approvals_by_subject on approvals (subject_id)',
  `create table approval_votes (
    ${columns(`${text} not null`, 'approval_id', 'person_id', 'decision', 'at', 'because', 'signature', 'salt', 'digest')},
    primary key (approval_id, person_id)
  )`,
  `create table day_sums (
    ${columns(`${text} not null`, 'environment', 'day', 'maker', 'currency')},
    approvers integer not null,
    ${columns('bigint not null', 'payments', 'units')},
    primary key (environment, day, maker, currency, approvers)
  )`,
]

/**
 * The journal of one person. Its version is one more than the number of its migrations. The first one after a release goes into
 * the list, beside the same change of `createJournal` and of the team's schema (../team/schema.ts).
 */
export const journalSchema: Schema = {
  title: 'the journal',
  version: 1,
  tables: createJournal('text'),
  migrations: [],
  chained,
}

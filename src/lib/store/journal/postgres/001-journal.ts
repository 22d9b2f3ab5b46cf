/**
 * The journal's tables as a team's store begins with them: those of a person's store after its eighth step.
 */
import { CompiledQuery } from 'kysely'
import type { MigrationContext } from '../../engine/store.ts'
import { chainOn } from '../../postgres/chain.ts'
import { firstChained } from '../schema.ts'
import { columns, neededText as needed, textColumn as text } from './columns.ts'

const intents = `create table intents (
  id ${text} primary key,
  ${columns(['operation', 'profile', 'environment', 'service', 'service_id', 'origin', 'client_id', 'unique_id'], needed)},
  ${columns(['body', 'body_digest', 'payee', 'amount_minor', 'currency', 'state', 'opened_at', 'changed_at'], needed)},
  ${columns(['business_key', 'transaction_id', 'status', 'status_description', 'service_created_at', 'because'], text)},
  ${columns(['operator_word', 'holder', 'held_until', 'held_until_steady', 'sum_confirmed', 'answer', 'salt'], text)},
  digest ${needed},
  constraint one_intent_per_id unique (service, environment, client_id, operation, unique_id)
)`

const attempts = `create table attempts (
  intent_id ${needed} references intents (id),
  number integer not null,
  ${columns(['started_at', 'body_digest', 'digest'], needed)},
  ${columns(['started_steady', 'ended_at', 'outcome', 'message', 'why', 'salt'], text)},
  ${columns(['http', 'status_code', 'exception_group'], 'integer')},
  primary key (intent_id, number)
)`

const spent = `create table spent (
  ${columns(['environment', 'client_id', 'minute', 'service_id', 'origin', 'currency'], needed)},
  ${columns(['payouts', 'units'], 'bigint not null')},
  primary key (environment, client_id, minute, service_id, origin, currency)
)`

const payees = `create table payees (
  id ${text} primary key,
  ${columns(['profile', 'name', 'account', 'added_at', 'salt', 'digest'], needed)},
  constraint one_payee_per_account unique (profile, account)
)`

const indexed = ['transaction_id', 'opened_at', 'state', 'unique_id', 'business_key', 'payee']

export async function journalTables(db: MigrationContext): Promise<void> {
  const indexes = indexed.map((column) => `create index intents_by_${column} on intents (${column})`)
  for (const statement of [intents, attempts, spent, payees, ...indexes, ...chainOn(firstChained)]) {
    await db.getExecutor().executeQuery(CompiledQuery.raw(statement))
  }
}

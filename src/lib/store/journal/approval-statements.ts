/** The statements that make room for approvals: the same on both engines, but for how a text is compared. */
import { columns } from './postgres/columns.ts'

/** `text`: the type of a text that is compared byte by byte. */
export function approvalStatements(text: string): readonly string[] {
  const needed = `${text} not null`
  return [
    `alter table intents add column maker ${text}`,
    'alter table intents add column approvers integer',
    `create table persons (
      id ${text} primary key,
      ${columns(['name', 'public_key', 'role', 'added_at', 'added_by', 'signature', 'salt', 'digest'], needed)},
      ${columns(['revoked_at', 'revoked_by', 'revocation'], text)},
      constraint one_person_per_key unique (public_key)
    )`,
    `create table approval_rules (
      id ${text} primary key,
      ${columns(['currency', 'from_units', 'added_at', 'added_by', 'signature', 'salt', 'digest'], needed)},
      approvers integer not null,
      ${columns(['removed_at', 'removed_by', 'removal'], text)}
    )`,
    `create table approvals (
      id ${text} primary key,
      ${columns(['subject', 'subject_id', 'maker', 'requested_at', 'facts', 'signature', 'salt', 'digest'], needed)},
      used_at ${text}
    )`,
    'create index approvals_by_subject on approvals (subject_id)',
    `create table approval_votes (
      ${columns(['approval_id', 'person_id', 'decision', 'at', 'because', 'signature', 'salt', 'digest'], needed)},
      primary key (approval_id, person_id)
    )`,
    `create table day_sums (
      ${columns(['environment', 'day', 'maker', 'currency'], needed)},
      approvers integer not null,
      ${columns(['payments', 'units'], 'bigint not null')},
      primary key (environment, day, maker, currency, approvers)
    )`,
  ]
}

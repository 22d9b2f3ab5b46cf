/** The statements that make room for approvals: the same on both engines, but for how a text is compared. */

function columnsOf(type: string, ...names: readonly string[]): string {
  return names.map((name) => `${name} ${type}`).join(', ')
}

/** `text`: the type of a text that is compared byte by byte. */
export function approvalStatements(text: string): readonly string[] {
  const needed = `${text} not null`
  return [
    `alter table intents add column maker ${text}`,
    'alter table intents add column approvers integer',
    `create table persons (
      id ${text} primary key,
      ${columnsOf(needed, 'name', 'public_key', 'role', 'added_at', 'added_by', 'signature', 'salt', 'digest')},
      ${columnsOf(text, 'revoked_at', 'revoked_by', 'revocation')},
      constraint one_person_per_key unique (public_key)
    )`,
    `create table approval_rules (
      id ${text} primary key,
      ${columnsOf(needed, 'currency', 'from_units', 'added_at', 'added_by', 'signature', 'salt', 'digest')},
      approvers integer not null,
      ${columnsOf(text, 'removed_at', 'removed_by', 'removal')}
    )`,
    `create table approvals (
      id ${text} primary key,
      ${columnsOf(needed, 'subject', 'subject_id', 'maker', 'requested_at', 'facts', 'signature', 'salt', 'digest')},
      used_at ${text}
    )`,
    'create index approvals_by_subject on approvals (subject_id)',
    `create table approval_votes (
      ${columnsOf(needed, 'approval_id', 'person_id', 'decision', 'at', 'because', 'signature', 'salt', 'digest')},
      primary key (approval_id, person_id)
    )`,
    `create table day_sums (
      ${columnsOf(needed, 'environment', 'day', 'maker', 'currency')},
      approvers integer not null,
      ${columnsOf('bigint not null', 'payments', 'units')},
      primary key (environment, day, maker, currency, approvers)
    )`,
  ]
}

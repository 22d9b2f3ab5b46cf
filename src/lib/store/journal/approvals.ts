/** The queries of four eyes. Rows have digests as all of the journal have. */
import { sql } from 'kysely'
import { template } from '../engine/template.ts'
import { isIntact, withDigest } from './digest.ts'
import { damagedRow } from './intents.ts'
import type { ApprovalRow, DaySumRow, JournalReader, JournalWriter, PersonRow, RuleRow, VoteRow } from './schema.ts'

function asWritten<Row extends { readonly digest: string }>(rows: Row[], nameOf: (row: Row) => string): Row[] {
  const changed = rows.find((row) => !isIntact(row))
  if (changed) throw damagedRow(nameOf(changed))
  return rows
}

const everyRule = template((db: JournalReader) => db.selectFrom('approval_rules').selectAll().orderBy('added_at'))

/** Those that were removed, too. The one statement that a payment costs where there is no rule. */
export async function rulesIn(db: JournalReader): Promise<RuleRow[]> {
  return asWritten(await everyRule(db, {}), ({ id }) => `the rule ${id}`)
}

/** Those that were revoked, too, in the order in which they were added. */
export async function personsIn(db: JournalReader): Promise<PersonRow[]> {
  const rows = await db.selectFrom('persons').selectAll().orderBy('added_at').orderBy('id').execute()
  return asWritten(rows, ({ id }) => `the person ${id}`)
}

/** The requests about a payment or a plan, the newest first; all of them where none is named. */
export async function approvalsAbout(db: JournalReader, subjectId: string | null): Promise<ApprovalRow[]> {
  const all = db.selectFrom('approvals').selectAll().orderBy('requested_at', 'desc').orderBy('id')
  const rows = await (subjectId === null ? all : all.where('subject_id', '=', subjectId)).execute()
  return asWritten(rows, ({ id }) => `the approval ${id}`)
}

export async function approvalOfId(db: JournalReader, id: string): Promise<ApprovalRow | null> {
  const rows = await db.selectFrom('approvals').selectAll().where('id', '=', id).execute()
  return asWritten(rows, ({ id: own }) => `the approval ${own}`)[0] ?? null
}

export async function votesOn(db: JournalReader, approvalId: string): Promise<VoteRow[]> {
  const votes = db.selectFrom('approval_votes').selectAll().where('approval_id', '=', approvalId)
  const rows = await votes.orderBy('at').orderBy('person_id').execute()
  return asWritten(rows, ({ approval_id, person_id }) => `the word of ${person_id} about ${approval_id}`)
}

export async function addPerson(db: JournalWriter, row: Omit<PersonRow, 'digest'>): Promise<PersonRow> {
  const person = withDigest<PersonRow>(row)
  await db.insertInto('persons').values(person).execute()
  return person
}

export async function revokePerson(
  db: JournalWriter,
  row: PersonRow,
  by: Pick<PersonRow, 'revoked_at' | 'revoked_by' | 'revocation'>,
): Promise<PersonRow> {
  const { id, ...rest } = withDigest<PersonRow>({ ...row, ...by })
  await db.updateTable('persons').set(rest).where('id', '=', id).execute()
  return { id, ...rest }
}

export async function addRule(db: JournalWriter, row: Omit<RuleRow, 'digest'>): Promise<RuleRow> {
  const rule = withDigest<RuleRow>(row)
  await db.insertInto('approval_rules').values(rule).execute()
  return rule
}

export async function removeRule(
  db: JournalWriter,
  row: RuleRow,
  by: Pick<RuleRow, 'removed_at' | 'removed_by' | 'removal'>,
): Promise<RuleRow> {
  const { id, ...rest } = withDigest<RuleRow>({ ...row, ...by })
  await db.updateTable('approval_rules').set(rest).where('id', '=', id).execute()
  return { id, ...rest }
}

export async function addApproval(db: JournalWriter, row: Omit<ApprovalRow, 'digest'>): Promise<ApprovalRow> {
  const approval = withDigest<ApprovalRow>(row)
  await db.insertInto('approvals').values(approval).execute()
  return approval
}

export async function useApproval(db: JournalWriter, row: ApprovalRow, used_at: string): Promise<void> {
  const { digest } = withDigest<ApprovalRow>({ ...row, used_at })
  await db.updateTable('approvals').set({ used_at, digest }).where('id', '=', row.id).execute()
}

export async function addVote(db: JournalWriter, row: Omit<VoteRow, 'digest'>): Promise<VoteRow> {
  const vote = withDigest<VoteRow>(row)
  await db.insertInto('approval_votes').values(vote).execute()
  return vote
}

/** A sum of a day; whole numbers come as text on both engines. */
export interface DaySum {
  readonly maker: string
  readonly currency: string
  readonly approvers: number
  readonly units: bigint
}

/** The sums since a day, of all makers. */
export async function daySumsSince(db: JournalReader, environment: string, day: string): Promise<DaySum[]> {
  const { rows } = await sql<Omit<DaySum, 'units'> & { readonly units: string }>`
    select maker, currency, approvers, cast(sum(units) as text) as units from day_sums
    where environment = ${environment} and day >= ${day} group by maker, currency, approvers`.execute(db)
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }))
}

/** Adds to the sums of a day. */
export async function addToDay(db: JournalWriter, row: DaySumRow): Promise<void> {
  const { environment, day, maker, currency, approvers, payments, units } = row
  await sql`
    insert into day_sums (environment, day, maker, currency, approvers, payments, units)
    values (${environment}, ${day}, ${maker}, ${currency}, ${approvers}, ${payments}, ${units})
    on conflict (environment, day, maker, currency, approvers)
    do update set payments = day_sums.payments + excluded.payments, units = day_sums.units + excluded.units
  `.execute(db)
}

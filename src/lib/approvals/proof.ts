/** The proof of a request and of the words about it, looked at by the process that sends. */
import { isRecord, readJson } from '../json.ts'
import { votesOn } from '../store/journal/approvals.ts'
import type { ApprovalRow, JournalReader, VoteRow } from '../store/journal/schema.ts'
import type { ProvenPersons } from './persons.ts'
import { isSignedBy, type Statement, statementMembers } from './signatures.ts'
import type { ApprovalSubject } from './subject.ts'

/** `outdated`: it does not cover what is to be sent now. `void`: its signature is none. */
export type ApprovalState = 'open' | 'rejected' | 'expired' | 'used' | 'outdated' | 'void'

export interface ProvenApproval {
  readonly row: ApprovalRow
  readonly facts: Statement<'request'>
  readonly state: ApprovalState
  readonly isExpired: boolean
  /** Each once, and none of them its maker. */
  readonly approvers: readonly string[]
  readonly votes: readonly VoteRow[]
}

/** What is missing is empty, and then no signature fits. */
function factsIn({ facts }: Pick<ApprovalRow, 'facts'>): Statement<'request'> {
  const read = readJson(facts)
  const values = isRecord(read) ? read : {}
  const members = statementMembers.request.map((name) => [name, String(values[name] ?? '')] as const)
  return Object.fromEntries(members) as Statement<'request'>
}

/** All that the maker signed, and the word about it. */
export function decisionOn(
  facts: Statement<'request'>,
  { decision, person_id, because, at }: Pick<VoteRow, 'decision' | 'person_id' | 'because' | 'at'>,
): Statement<'decision'> {
  return { ...facts, decision, approver: person_id, because, at }
}

/** `subject`: what is to be sent now; null where that is not known. `now`: milliseconds since 1970. */
export async function provenApproval(
  db: JournalReader,
  row: ApprovalRow,
  subject: ApprovalSubject | null,
  persons: ProvenPersons,
  now: number,
): Promise<ProvenApproval> {
  const facts = factsIn(row)
  const votes = await votesOn(db, row.id)
  const proven = votes.filter((vote) => isProvenVote(vote, facts, persons))
  const approvers = proven.filter(({ decision }) => decision === 'approve').map(({ person_id }) => person_id)
  const isExpired = !(now < Date.parse(facts.expiresAt))
  return { row, facts, votes, approvers: [...new Set(approvers)], isExpired, state: stateOf() }

  function stateOf(): ApprovalState {
    const maker = persons.active(row.maker)
    const isWhole = row.id === facts.approval && row.maker === facts.maker && row.subject_id === facts.id
    if (!maker || !isWhole || !isSignedBy(maker.public_key, 'request', facts, row.signature)) return 'void'
    if (subject !== null && !isAbout(facts, subject)) return 'outdated'
    if (proven.some(({ decision }) => decision === 'reject')) return 'rejected'
    if (row.used_at !== null) return 'used'
    return isExpired ? 'expired' : 'open'
  }
}

/** The name of a profile is each machine's own, and shown only. */
function isAbout(facts: Statement<'request'>, { profile: _, ...subject }: ApprovalSubject): boolean {
  return (Object.keys(subject) as (keyof typeof subject)[]).every((name) => facts[name] === subject[name])
}

function isProvenVote(vote: VoteRow, facts: Statement<'request'>, persons: ProvenPersons): boolean {
  const person = persons.active(vote.person_id)
  if (!person || person.id === facts.maker) return false
  return isSignedBy(person.public_key, 'decision', decisionOn(facts, vote), vote.signature)
}

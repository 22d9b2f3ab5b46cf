/** The tables of four eyes: persons and their keys, the rules of the store, what is asked of approvers, and what they said. */

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

export interface ApprovalTables {
  persons: PersonRow
  approval_rules: RuleRow
  approvals: ApprovalRow
  approval_votes: VoteRow
  day_sums: DaySumRow
}

/** All of them under the chain. */
export const approvalTables = [
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
] as const

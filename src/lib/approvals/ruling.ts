/** The word of a store's rules about a write. */
import type { ServicePlace } from '../contract/service.ts'
import type { ApprovalRow, IntentRow } from '../store/journal/schema.ts'
import type { ApprovablePlan } from './subject.ts'

export interface Ruling {
  /** The reason for which it waits, in words; null where it does not. */
  readonly because: string | null
  /** The request that is open for it, where it waits and one was made. */
  readonly asked: string | null
  /** Columns of the intent; null where no rule is about it. */
  readonly counted: Pick<IntentRow, 'maker' | 'approvers'> | null
  /** The number of others who have to approve it; 0 where no rule asks. */
  readonly needs: number
  /** The approval that its first attempt uses. */
  readonly uses: ApprovalRow | null
}

/** No rule is about it. */
export const unruled: Ruling = { because: null, asked: null, counted: null, needs: 0, uses: null }

/** The part of a guard that decides whether a write has been approved. */
export interface Approvable {
  /** The client that sends it, at the address where that is now; as the draft says, if not given. */
  readonly sender?: ServicePlace
  /** The plan that it is a row of. */
  readonly plan?: ApprovablePlan | null
}

/** The person at this machine, by a public key that is read when it is asked for. */
export interface AtMachine {
  readonly person?: () => Promise<string | null>
}

/** The moment of a decision, and the public key of the person at this machine; null without one. */
export interface Deciding {
  readonly now: number
  readonly holding?: AtMachine
}

/** The question to the rules: about an intent that is known (`row`), or about new ones. `isRunning`: by the run that opened it. */
export interface Asking extends Approvable {
  readonly row: IntentRow | null
  readonly isRunning?: boolean
}

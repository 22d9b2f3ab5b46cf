/** The standing of a beneficiary before it is paid: listed by the profile, paid before from this journal, or new. */
import type { Members } from '../contract/core/members.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { createPayout } from '../contract/payout/payout.ts'
import type { ServicePlace } from '../contract/service.ts'
import type { Journal } from '../journal/journal.ts'
import { KnownPayees, type PayeeAlarm } from '../journal/payees.ts'
import { unpaidEnd } from '../journal/payment-end.ts'
import { scopeOf } from './draft.ts'

/** The journal, and the profile that pays. */
export interface PaidFrom {
  readonly journal: Pick<Journal, 'list' | 'payees'>
  readonly profile: ServicePlace & { readonly name: string }
}

export interface PayeeStanding {
  /** Null where nobody is told. */
  readonly kind: 'known' | 'seen' | 'new' | null
  readonly alarm: PayeeAlarm | null
  /** The listed payee that has the account. */
  readonly payeeId: string | null
}

/** The newest payouts to an account that are looked at: of those that all came back it is a new one. */
const enough = 20

/** The accounts among these that a payout was made to, and did not come back from. */
export async function paidAccounts(
  { journal, profile }: PaidFrom,
  accounts: readonly string[],
): Promise<ReadonlySet<string>> {
  const paid = { operations: [createPayout], states: ['accepted', 'exists'] }
  const limit = accounts.length === 1 ? { limit: enough } : {}
  const intents = await journal.list({ scope: scopeOf(profile), ...paid, payees: accounts, ...limit })
  // One that was rejected says nothing for the account.
  return new Set(intents.filter((intent) => unpaidEnd(intent) === null).map(({ payee }) => payee))
}

/** `operation`: one that pays a beneficiary out. `isTold`: true if earlier payments are to be looked for. */
export async function payeeStanding(
  from: PaidFrom,
  operation: WriteOperation,
  request: Members,
  isTold: boolean,
): Promise<PayeeStanding> {
  const { payee: account, payeeName: name = null } = operation.moves(request)
  const known = new KnownPayees(await from.journal.payees.list(from.profile.name))
  const alarm = known.alarm({ name, account })
  const payeeId = known.idOf(account)
  if (!isTold) return { kind: null, alarm, payeeId }
  if (payeeId !== null) return { kind: 'known', alarm, payeeId }
  return { kind: (await paidAccounts(from, [account])).has(account) ? 'seen' : 'new', alarm, payeeId }
}

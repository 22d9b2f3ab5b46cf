/** The standing of a beneficiary before it is paid: listed by the profile, paid before from this journal, or new. */
import type { Members } from '../contract/core/members.ts'
import type { WriteOperation } from '../contract/operation.ts'
import { createPayout } from '../contract/payout/payout.ts'
import type { ServicePlace } from '../contract/service.ts'
import type { Journal } from '../journal/journal.ts'
import { KnownPayees, type PayeeAlarm, payeeAlarm } from '../journal/payees.ts'
import { requestIn, unpaidEnd } from '../journal/payment-end.ts'
import { sameName } from '../text.ts'
import { scopeOf } from './new-intent.ts'

/** The journal, and the profile that pays. */
export interface PaidFrom {
  readonly journal: Pick<Journal, 'list' | 'payees'>
  readonly profile: ServicePlace & { readonly name: string }
}

export interface PayeeStanding {
  /** Null where nobody is told. */
  readonly kind: 'known' | 'seen' | 'new' | null
  /** Whatever speaks against the name: the list of payees, and the names that the account was paid under. */
  readonly alarms: readonly PayeeAlarm[]
  /** The listed payee that has the account. */
  readonly payeeId: string | null
}

/** The newest payouts to an account that are looked at: of those that all came back it is a new one. */
const enough = 20

/** The accounts among these that a payout was made to, and did not come back from; each with the names of its beneficiary. */
export async function paidAccounts(
  { journal, profile }: PaidFrom,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const executed = { operations: [createPayout], states: ['accepted', 'exists'] }
  const limit = accounts.length === 1 ? { limit: enough } : {}
  const intents = await journal.list({ scope: scopeOf(profile), ...executed, payees: accounts, ...limit })
  // One that was rejected says nothing for the account.
  const paid = new Map<string, string[]>()
  for (const intent of intents.filter((each) => unpaidEnd(each) === null)) {
    const { beneficiaryName: name } = requestIn(intent.body)
    const names = paid.get(intent.payee) ?? []
    if (typeof name === 'string' && !names.some((each) => sameName(each, name))) names.push(name)
    paid.set(intent.payee, names)
  }
  return paid
}

/** Null where the account was paid under this name, or under none. */
export function alarmAfter(before: readonly string[], name: string | null): PayeeAlarm | null {
  if (name === null || before.length === 0 || before.some((each) => sameName(each, name))) return null
  return payeeAlarm('this account was paid before under another name', before)
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
  const listed = known.alarm({ name, account })
  const alarms = listed ? [listed] : []
  const payeeId = known.idOf(account)
  if (!isTold) return { kind: null, alarms, payeeId }
  if (payeeId !== null) return { kind: 'known', alarms, payeeId }
  const before = (await paidAccounts(from, [account])).get(account)
  const paid = alarmAfter(before ?? [], name)
  return { kind: before ? 'seen' : 'new', alarms: paid ? [...alarms, paid] : alarms, payeeId }
}

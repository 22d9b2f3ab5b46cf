/** All that is known of a write before it is sent, for the person who is asked: nothing of it is told only afterwards. */

import { minorUnits } from '../../contract/core/decimal.ts'
import type { Members } from '../../contract/core/members.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { createPayout, payoutBalance } from '../../contract/payout/payout.ts'
import type { Desk } from '../../desk/desk.ts'
import { scopeOf } from '../../desk/draft.ts'
import { foresee } from '../../desk/preflight.ts'
import { call } from '../../desk/read.ts'
import { Failure } from '../../failure.ts'
import { hintInWords } from '../../hint.ts'
import { duplicateWarning } from '../../journal/duplicates.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Profile } from '../../profile/profile.ts'
import type { WriteFlags } from './flags.ts'
import type { RequestFields, RequestMaker } from './request.ts'

/** Milliseconds of a day: payments of one sum to one payee within it are suspected to be the same. */
const day = 24 * 60 * 60 * 1000
/** Milliseconds that a person waits for the balance. */
const timeForBalance = 5_000
/** More suspected duplicates are not told one by one. */
const mostDuplicates = 5

/** The words for a payout without a name. The name is not required, but a bank may want it (assumed). */
export const nameless = 'some banks reject payouts whose name they cannot compare'

/** `desk`: opened as the profile that pays. */
export async function knownOfPayout(desk: Desk, request: Members, isNamedByKey: boolean): Promise<readonly string[]> {
  const [alike, balance] = await Promise.all([
    isNamedByKey ? [] : paymentsAlike(desk, request),
    balanceOf(desk, request),
  ])
  const isNameless = request.toIban !== undefined && request.beneficiaryName === undefined
  return [
    ...(balance === null ? [] : [`from a balance of ${balance}`]),
    ...(isNameless ? [`CAUTION: no beneficiary name: ${nameless}`] : []),
    ...alike.slice(0, mostDuplicates).map((each) => `CAUTION: ${duplicateWarning(each)}`),
    ...(alike.length > mostDuplicates ? [`CAUTION: and ${alike.length - mostDuplicates} more like it`] : []),
  ]
}

async function paymentsAlike({ journal, profile, clock }: Desk, request: Members): Promise<readonly Intent[]> {
  const { payee, amount, currency } = createPayout.moves(request)
  if (profile.duplicateGuard === 'off' || amount === null) return []
  const since = new Date(clock.now() - day).toISOString()
  const found = await journal.list({ scope: scopeOf(profile), operations: [createPayout], payees: [payee], since })
  const units = minorUnits(amount)
  const isAlike = (each: Intent) =>
    each.amountMinor !== null &&
    BigInt(each.amountMinor) === units &&
    each.currency === currency &&
    (mayRun.has(each.state) || each.isTaken)
  return found.filter((each) => isAlike(each) && each.uniqueId !== request.uniqueId)
}

const mayRun: ReadonlySet<string> = new Set(['accepted', 'exists', 'turned-away', 'unknown', 'held'])

/** Null where the service does not tell it: then it says so when the payout is sent. */
async function balanceOf(desk: Desk, { currency }: Members): Promise<string | null> {
  const asked = payoutBalance.request.safeParse({ currency })
  if (!asked.success) return null
  const told = await call(desk, payoutBalance, asked.data, desk.clock.now() + timeForBalance).catch(() => null)
  return told && `${told.currency} ${told.amount}`
}

/** Everything by which the journal would stop this write, or warn of it, in lines for the person who is asked. */
export async function obstaclesOf(
  { invocation, journal }: RequestMaker,
  operation: WriteOperation,
  request: RequestFields,
  { flags, profile }: { readonly flags: WriteFlags; readonly profile: Profile },
): Promise<readonly string[]> {
  const { key: businessKey = null, 'allow-duplicate': allowDuplicate = null } = flags
  const desk = { journal: await journal(), profile, random: invocation.edge.random }
  try {
    const remarks = await foresee(desk, operation, request, { businessKey, allowDuplicate })
    return remarks.map((each) => `CAUTION: ${each}`)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const hints = (error.facts.hints ?? []).map((each) => `  ${hintInWords(each, invocation.naming)}`)
    return [`STOP: ${error.message}`, ...hints]
  }
}

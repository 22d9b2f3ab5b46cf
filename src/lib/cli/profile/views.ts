/** A profile as people see it: with what is spent of its limits, and checked. */
import { existsSync } from 'node:fs'
import { type Check, checkProfile } from '../../desk/check.ts'
import { type DescribedLimit, type DescribedProfile, describeProfile } from '../../profile/describe.ts'
import type { Part } from '../../profile/parts.ts'
import type { Kept } from '../../profile/profiles.ts'
import { payoutsPlace } from '../../profile/service-names.ts'
import { settingNames, settings } from '../../profile/settings.ts'
import type { StoredProfile } from '../../profile/stored.ts'
import { nothingSpent, type Spent } from '../../spending.ts'
import { openDesk } from '../desk/desk.ts'
import { journalPlace } from '../desk/journal.ts'
import { partsOfProfile } from '../desk/profile.ts'
import type { Invocation } from '../invocation.ts'
import { factsOf, type Labels, labelled, tableOf, type View } from '../output/view.ts'

/** Milliseconds that a look at a profile waits for the team's server: the profile itself is known without it. */
const patience = 2_000

interface SpentNow {
  /** Null where it is not known, or not asked for because there is no limit. */
  readonly spent: Spent | null
  /** The reason why the journal does not tell it; null for none. */
  readonly problem: string | null
}

/** A profile as people may see it, with what is spent of its limits. */
export async function describeProfileNow(
  invocation: Invocation,
  profile: StoredProfile,
  kept: Kept,
): Promise<DescribedProfile> {
  const { spent, problem } = await spentOf(invocation, profile)
  const described = describeProfile(profile, kept, invocation.edge.env, spent)
  return problem === null ? described : { ...described, problems: [...described.problems, problem] }
}

/** Opens the journal only where there is one, and a limit: looking at a profile makes no file. */
async function spentOf(invocation: Invocation, profile: StoredProfile): Promise<SpentNow> {
  const place = payoutsPlace(profile)
  const { places, edge } = invocation
  const team = profile.store ?? places.team
  if (!profile.limits?.length) return { spent: null, problem: null }
  if (!place || !(team !== null || existsSync(places.journal))) return { spent: nothingSpent, problem: null }
  const { openJournal } = await import('../../journal/open.ts')
  try {
    const { journal, close } = await openJournal(
      { patience, ...journalPlace(invocation), team },
      edge.clock,
      edge.random,
    )
    invocation.closeAtEnd(close)
    return { spent: await journal.spent(place), problem: null }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { spent: null, problem: `the use of its limits is not known: ${why}` }
  }
}

/** The limits for people: "GEL 20000.00/day: GEL 500.00 spent today, GEL 19500.00 left". */
function limitInWords({ limit, currency, per, spent, left }: DescribedLimit): string {
  if (spent === null) return limit
  const sum = (amount: typeof spent) => (currency === null ? `${amount}` : `${currency} ${amount}`)
  const when = per === 'day' ? 'today' : 'in the last hour'
  return `${limit}: ${sum(spent)} ${currency === null ? 'sent' : 'spent'} ${when}, ${sum(left ?? spent)} left`
}

/** The settings by the names of their flags, so that they can be given again. */
const settingLabels: Labels<DescribedProfile> = {
  ...Object.fromEntries(settingNames.map((name) => [settings[name].flag, name])),
  'client secret': ({ clientSecret: secret }) =>
    secret && (secret.remark === null ? secret.where : `${secret.where} (${secret.remark})`),
}

export function profileView(profile: DescribedProfile, title: string): View {
  // Of a part whose service has moved: the name that its keys and its journal go on under.
  const moved = Object.entries(profile.services ?? {}).filter(([, service]) => service.moved)
  const rows = [
    ...labelled(profile, settingLabels),
    ...profile.limits.map((limit) => ['limit', limitInWords(limit)] as const),
    ...moved.map(([part, { serviceId }]) => [`service of ${part}`, serviceId] as const),
    ['default', profile.default ? 'yes' : null] as const,
    ...profile.problems.map((problem) => ['problem', problem] as const),
  ]
  return [{ kind: 'facts', title, rows }]
}

/** A checked profile for people. */
export function checkView(check: Check): View {
  const { profile, address, clientId, parts, balances } = check
  const partLabels: Labels<Check['parts'][number]> = {
    address: (part) => (part.address === address ? null : part.address),
    identity: ({ identity }) => (identity === clientId ? null : identity),
    scheme: 'scheme',
    says: 'says',
  }
  const isOfPayouts = parts.some(({ part }) => part === 'payouts')
  return [
    factsOf(
      check,
      { environment: 'environment', address: 'address', 'client id': 'clientId' },
      `Profile ${profile} works`,
    ),
    ...parts.map((part) => factsOf(part, partLabels, part.part)),
    ...(isOfPayouts ? [tableOf(balances, { currency: 'currency', balance: 'amount', '': 'note' }, 'No account.')] : []),
  ]
}

/** Tries every part of a profile, and shows on stderr what it found. Throws the failure of the first part that fails. */
export async function checkProfileNow(invocation: Invocation, profile: string): Promise<void> {
  const parts = await partsOfProfile(invocation, { profile })
  const check = await checkProfile(parts, (part: Part) => openDesk(invocation, { profile }, part))
  invocation.output.show(checkView(check))
}

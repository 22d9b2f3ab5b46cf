/** A profile as people see it: with what is spent of its limits, and checked. */
import { existsSync } from 'node:fs'
import { type Check, checkProfile } from '../../desk/check.ts'
import { type DescribedProfile, describeProfile } from '../../profile/describe.ts'
import type { Part } from '../../profile/parts.ts'
import type { Kept } from '../../profile/profiles.ts'
import { payoutsPlace } from '../../profile/service-names.ts'
import type { StoredProfile } from '../../profile/stored.ts'
import { nothingSpent, type Spent } from '../../spending.ts'
import { DeskAccess } from '../desk/desk.ts'
import { journalPlace } from '../desk/journal.ts'
import type { Invocation } from '../invocation.ts'
import type { Block, Cell, View } from '../output/view.ts'

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
export function limitRows({ limits }: DescribedProfile): readonly (readonly [string, Cell])[] {
  return limits.map(({ limit, currency, per, spent, left }) => {
    if (spent === null) return ['limit', limit]
    const sum = (amount: typeof spent) => (currency === null ? `${amount}` : `${currency} ${amount}`)
    const when = per === 'day' ? 'today' : 'in the last hour'
    return [
      'limit',
      `${limit}: ${sum(spent)} ${currency === null ? 'sent' : 'spent'} ${when}, ${sum(left ?? spent)} left`,
    ]
  })
}

/** A checked profile for people. */
export function checkView(check: Check): View {
  const payouts = check.parts.some(({ part }) => part === 'payouts')
  const balances: Block = {
    kind: 'table',
    head: ['currency', 'balance', ''],
    rows: check.balances.map(({ currency, amount, note }) => [currency, amount, note]),
    empty: 'No account.',
  }
  return [
    {
      kind: 'facts',
      title: `Profile ${check.profile} works`,
      rows: [
        ['environment', check.environment],
        ['address', check.address],
        ['client id', check.clientId],
      ],
    },
    ...check.parts.map(
      ({ part, address, identity, scheme, says }): Block => ({
        kind: 'facts',
        title: part,
        rows: [
          ['address', address === check.address ? null : address],
          ['identity', identity === check.clientId ? null : identity],
          ['scheme', scheme],
          ['says', says],
        ],
      }),
    ),
    ...(payouts ? [balances] : []),
  ]
}

/** Tries every part of a profile, and shows on stderr what it found. Throws the failure of the first part that fails. */
export async function checkProfileNow(invocation: Invocation, profile: string): Promise<void> {
  const desk = new DeskAccess(invocation)
  const parts = await desk.profiles.parts({ profile })
  const check = await checkProfile(parts, (part: Part) => desk.open({ profile }, part))
  invocation.output.show(checkView(check))
}

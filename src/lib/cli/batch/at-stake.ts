/**
 * The money of the plans that a command is about. A wrong flag, a word of consent that does not match, a home that cannot be
 * looked at: none of them undoes what earlier runs of the plan have sent.
 */
import { basename } from 'node:path'
import type { Plan } from '../../batch/plan.ts'
import type { PlanStore, Plans } from '../../batch/plans.ts'
import { Failure, type MoneyMoved } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { Journal } from '../../journal/journal.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import { isRecord } from '../../json.ts'
import { BareStop, nothingSentNow } from '../../signals.ts'
import type { Invocation } from '../invocation.ts'

/** The stores of a command, opened when they are asked for. */
export interface PlanPlaces {
  readonly plans: () => Promise<Plans>
  readonly journal: () => Promise<{ readonly journal: Journal; readonly holding: ThisProcess }>
  /** The plan that a word stands for which is not its own id; null where it stands for none. */
  readonly planOf?: (word: string) => Promise<string | null>
}

interface AtStake {
  readonly moneyMoved: MoneyMoved
  /** The plan whose rows decide it; null where none could be asked. */
  readonly planId: string | null
}

/** A failure with how the money of its plans stands. One that holds the counts of a plan has said so itself. */
export async function withMoneyOfPlans(
  failure: Failure,
  invocation: Invocation,
  places: () => PlanPlaces,
): Promise<Failure> {
  if (holdsCounts(failure) || failure.moneyMoved !== 'no' || !isAboutPlans(invocation)) return failure
  const { moneyMoved, planId } = await atStakeIn(invocation, places).catch(
    (): AtStake => ({ moneyMoved: 'unknown', planId: null }),
  )
  if (moneyMoved === 'no') return failure
  const { kind, facts } = failure
  const status = hint`Rows of this plan were sent before, or are on their way: \`${paste('batch status', planId ?? '')}\` says how they stand.`
  const unread = hint`What earlier runs of the plan have sent could not be looked at, and stays what it is.`
  const about = { ...facts, moneyMoved, hints: [...(facts.hints ?? []), planId === null ? unread : status] }
  if (!(failure instanceof BareStop)) return failure.as(kind, about)
  const { said, ...stopped } = nothingSentNow
  return new Failure(kind, said, { ...stopped, ...about })
}

function holdsCounts({ facts: { document } }: Failure): boolean {
  return isRecord(document) && 'planId' in document
}

/** True if a command names a plan, or a file that may have been planned. */
function isAboutPlans({ id, line: { words } }: Invocation): boolean {
  const isOfApprovals = id?.startsWith('approval:') ?? false
  const named = isOfApprovals ? /^[ab]-/i : /^b-/i
  return words.some((word) => id === 'batch:plan' || named.test(word.trim()))
}

async function atStakeIn({ id, line: { words } }: Invocation, places: () => PlanPlaces): Promise<AtStake> {
  const { plans, journal, planOf = async () => null } = places()
  const { isPlanId, openPlan } = await import('../../batch/plans.ts')
  const meant = words.map(async (word) => (await planOf(word)) ?? word.trim().toLowerCase())
  const named = (await Promise.all(meant)).filter(isPlanId)
  const isNamed = named.length > 0
  if (!isNamed && id !== 'batch:plan') return { moneyMoved: 'no', planId: null }
  const all = await plans()
  const ids = isNamed ? named : await all.ids()
  const files = new Set(words.map((word) => basename(word)))
  let found: AtStake = { moneyMoved: 'no', planId: null }
  for (const planId of ids) {
    const opened = await openPlan(all, planId).catch(whereThereIsNone)
    if (!opened) continue
    try {
      if (!isNamed && !files.has(opened.plan.file)) continue
      const moneyMoved = await moneyOfPlan(opened, await journal(), all)
      if (moneyMoved === 'unknown') return { moneyMoved, planId }
      if (moneyMoved === 'yes') found = { moneyMoved, planId }
    } finally {
      await opened.store.close()
    }
  }
  return found
}

/** A plan that was refused before its last row was agreed to is none: nothing of it was sent. */
function whereThereIsNone(error: unknown): null {
  if (error instanceof Failure && error.kind === 'not-found') return null
  throw error
}

async function moneyOfPlan(
  { store, plan }: { readonly store: PlanStore; readonly plan: Plan },
  { journal, holding }: Awaited<ReturnType<PlanPlaces['journal']>>,
  plans: Plans,
): Promise<MoneyMoved> {
  const { countRows } = await import('../../batch/run.ts')
  const { ownerOf } = await import('../../batch/rows.ts')
  const { isBeingRun } = await import('../../batch/lease.ts')
  const isWorked = await isBeingRun({ plans, holding, store }, plan.planId)
  const count = await countRows({ desk: ownerOf(plan, journal), holding, store })
  return isWorked && !count.isDone ? 'unknown' : count.moneyMoved
}

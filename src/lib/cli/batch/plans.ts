/**
 * The plans of a command, one of them opened, and a desk that carries many payouts at once. A failure says how the money
 * of its plans stands: no wrong flag undoes what earlier runs of a plan have sent.
 */
import { setMaxListeners } from 'node:events'
import { basename } from 'node:path'
import { Args } from '@oclif/core'
import { type Plan, type Resumable, resumeLine } from '../../batch/plan.ts'
import type { OpenedPlan, PlanStore, Plans } from '../../batch/plans.ts'
import type { RateLimiter } from '../../batch/rate-limiter.ts'
import type { Desk } from '../../desk/desk.ts'
import { Failure, type MoneyMoved } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { Journal } from '../../journal/journal.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import { isRecord } from '../../json.ts'
import type { Profile } from '../../profile/profile.ts'
import { BareStop, nothingSentNow, type StoppedFacts } from '../../signals.ts'
import { DeskAccess } from '../desk/desk.ts'
import { journalPlace, openAndTell } from '../desk/journal.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Capability, Invocation } from '../invocation.ts'

/** The plan that most commands of batches name. */
export const planArgs = {
  plan: Args.string({ ignoreStdin: true, required: true, description: 'a plan id, such as b-3f9a1c2b7d10' }),
}

/** The plans of this machine, or of its team, closed when the command ends. */
export async function plansOf(invocation: Invocation): Promise<Plans> {
  const { openPlans } = await import('../../batch/local-plans.ts')
  const plans = await openPlans(invocation.places.batches, journalPlace(invocation), invocation.edge.clock)
  invocation.closeAtEnd(() => plans.close())
  return plans
}

/** The stores of a command, opened when they are asked for. */
interface PlanPlaces {
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
  const status = hint`Rows of this plan were sent or are in flight: \`${paste('batch status', planId ?? '')}\` shows their state.`
  const unread = hint`Rows that earlier runs sent could not be read, and stay as they are.`
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

/** A journal, its view of who is at work, and the ways to make up for what its store could not take. */
interface BatchJournal {
  readonly journal: Journal
  readonly holding: ThisProcess
  /** Stores answers. Gives how many are stored by that. */
  readonly flushOutbox: () => Promise<number>
  /** Gives free what is done with. Gives how many are still held (src/lib/journal/lease.ts). */
  readonly leave: () => Promise<number>
}

/** The plans of a command, one of them opened, and a desk that carries many payouts at once. */
interface BatchDesk extends Omit<BatchJournal, 'journal'> {
  readonly desk: Desk
}

const stoppedWorker: StoppedFacts = {
  said: 'stopped while rows were in flight, or just after',
  moneyMoved: 'unknown',
  retry: 'same-id',
  hints: [hint`Another worker continues when their leases end; \`${paste('batch list')}\` lists the plans.`],
}

export class BatchAccess implements Capability {
  readonly acts = true
  readonly #invocation: Invocation
  readonly #desks: DeskAccess
  #journal: Promise<BatchJournal> | undefined
  #plans: Promise<Plans> | undefined
  /** The plan whose rows are or were on their way: what was sent stays so when the work is over. */
  #running: Resumable | null = null
  #isWorker = false

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.#desks = new DeskAccess(invocation)
    invocation.attach(this)
  }

  /** Those of this machine, or of its team. */
  plans(): Promise<Plans> {
    this.#plans ??= plansOf(this.#invocation)
    return this.#plans
  }

  /** Throws usage (2), not-found (6). */
  async plan(planId: string): Promise<OpenedPlan> {
    const { openPlan } = await import('../../batch/plans.ts')
    const opened = await openPlan(await this.plans(), planId)
    this.#invocation.closeAtEnd(() => opened.store.close())
    return opened
  }

  profile(flags: SharedFlags): Promise<Profile> {
    return this.#desks.profile(flags, 'payouts')
  }

  /** The profile that a plan was made for; another one may be named only to be told so. */
  async profileOf(plan: Plan, flags: SharedFlags): Promise<Profile> {
    const profile = await this.profile({ ...flags, profile: flags.profile ?? plan.profile })
    if (profile.name === plan.profile) return profile
    throw new Failure('usage', `${plan.planId} was planned for the profile ${plan.profile}, not ${profile.name}`, {
      hints: [hint`Omit --profile: the plan has its own.`],
    })
  }

  /** A look at a plan: no service is asked, and no profile is needed. */
  async view(plan: Plan) {
    const { journal, holding } = await this.journal()
    return { desk: { journal, profile: { ...plan, name: plan.profile } }, holding }
  }

  async journal() {
    this.#journal ??= this.#openJournal()
    return this.#journal
  }

  /**
   * A desk for many payouts. The first ^C does not reach what is in flight: that ends by itself. `limiter` hears of a service that
   * asks for patience; `connections` are kept for requests that are sent for the first time.
   */
  async desk(
    profile: Profile,
    flags: SharedFlags,
    { limiter = null, connections = 0 }: { readonly limiter?: RateLimiter | null; readonly connections?: number } = {},
  ): Promise<BatchDesk> {
    const { journal, ...more } = await this.journal()
    const { output } = this.#invocation
    const tell: Desk['tell'] = {
      trace: (text) => {
        if (flags.trace) output.trace(text())
      },
      // A remark without its row helps nobody.
      say: () => undefined,
      rest: () => () => undefined,
      hide: (secret) => output.redactor.hide(secret),
      redact: (value) => output.redactor.withoutSecrets(value),
    }
    const over = new AbortController()
    // Every row on its way listens to it.
    setMaxListeners(0, over.signal)
    const own = { journal, tell, signal: over.signal, connections }
    const desk = await this.#desks.openAs(profile, flags, own)
    // A sign-in may go on that no row waits for any more.
    this.#invocation.closeAtEnd(async () => over.abort())
    if (!limiter) return { desk, ...more }
    const { pausingOn429 } = await import('../../batch/rate-limiter.ts')
    return { desk: { ...desk, transport: pausingOn429(desk.transport, limiter, desk.clock) }, ...more }
  }

  /** Does the work of a run; a command that is ended at once in it, or after it, says so. */
  running<Result>(plan: Resumable, work: () => Promise<Result>): Promise<Result> {
    this.#running = plan
    return work()
  }

  /** The same for a worker, whose rows may be of several plans. */
  working<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#isWorker = true
    return work()
  }

  readonly standing = (): StoppedFacts | null => {
    if (this.#isWorker) return stoppedWorker
    if (this.#running === null) return null
    return {
      said: `stopped while rows of ${this.#running.planId} were in flight, or just after`,
      moneyMoved: 'unknown',
      retry: 'same-id',
      hints: [hint`\`${resumeLine(this.#running)}\` continues, and resolves unknown rows.`],
    }
  }

  readonly placed = (failure: Failure): Promise<Failure> =>
    withMoneyOfPlans(failure, this.#invocation, () => ({ plans: () => this.plans(), journal: () => this.journal() }))

  async #openJournal() {
    const { openBusyJournal } = await import('../../journal/open.ts')
    const { edge } = this.#invocation
    const open = () => openBusyJournal(journalPlace(this.#invocation), edge.clock, edge.random)
    const { close, ...opened } = await openAndTell(this.#invocation, open)
    this.#invocation.closeAtEnd(close)
    return opened
  }
}

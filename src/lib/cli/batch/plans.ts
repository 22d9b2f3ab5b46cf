/** The plans of a command, one of them opened, and a desk that carries many payouts at once. */
import { setMaxListeners } from 'node:events'
import { Args } from '@oclif/core'
import { type Plan, type Resumable, resumeLine } from '../../batch/plan.ts'
import type { OpenedPlan, Plans } from '../../batch/plans.ts'
import type { RateLimiter } from '../../batch/rate-limiter.ts'
import type { Desk } from '../../desk/desk.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { Journal } from '../../journal/journal.ts'
import type { ThisProcess } from '../../journal/lease.ts'
import type { Profile } from '../../profile/profile.ts'
import type { StoppedFacts } from '../../signals.ts'
import { openDeskAs } from '../desk/desk.ts'
import { journalPlace, openAndTell } from '../desk/journal.ts'
import { profileOf } from '../desk/profile.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'

/** The plan that most commands of batches name. */
export const planArgs = {
  plan: Args.string({ ignoreStdin: true, required: true, description: 'a plan id, such as b-3f9a1c2b7d10' }),
}

/** The plans of this machine, or of its team, closed when the command ends. */
export const plansOf = (invocation: Invocation): Promise<Plans> => invocation.once(openPlans)

async function openPlans(invocation: Invocation): Promise<Plans> {
  const { openPlans } = await import('../../batch/local-plans.ts')
  const plans = await openPlans(invocation.places.batches, journalPlace(invocation), invocation.edge.clock)
  invocation.closeAtEnd(() => plans.close())
  return plans
}

/** Throws usage (2), not-found (6). */
export async function planOf(invocation: Invocation, planId: string): Promise<OpenedPlan> {
  const { openPlan } = await import('../../batch/plans.ts')
  const opened = await openPlan(await plansOf(invocation), planId)
  invocation.closeAtEnd(() => opened.store.close())
  return opened
}

/** The profile that a plan was made for; another one may be named only to be told so. */
export async function profileOfPlan(invocation: Invocation, plan: Plan, flags: SharedFlags): Promise<Profile> {
  const profile = await profileOf(invocation, { profile: flags.profile ?? plan.profile }, 'payouts')
  if (profile.name === plan.profile) return profile
  throw new Failure('usage', `${plan.planId} was planned for the profile ${plan.profile}, not ${profile.name}`, {
    hints: [hint`Omit --profile: the plan has its own.`],
  })
}

/** A journal, its view of who is at work, and the ways to make up for what its store could not take. */
interface BatchJournal {
  readonly journal: Journal
  readonly leaseHolder: ThisProcess
  /** Stores answers. Gives how many are stored by that. */
  readonly flushOutbox: () => Promise<number>
  /** Gives free what is done with. Gives how many are still held (src/lib/journal/lease.ts). */
  readonly leave: () => Promise<number>
}

/** The journal for many payouts at once. */
export const batchJournalOf = (invocation: Invocation): Promise<BatchJournal> => invocation.once(openBatchJournal)

async function openBatchJournal(invocation: Invocation): Promise<BatchJournal> {
  const { openBusyJournal } = await import('../../journal/open.ts')
  const { edge } = invocation
  const open = () => openBusyJournal(journalPlace(invocation), edge.clock, edge.random)
  const { close, ...opened } = await openAndTell(invocation, open)
  invocation.closeAtEnd(close)
  return opened
}

/** A look at a plan: no service is asked, and no profile is needed. */
export async function viewOfPlan(invocation: Invocation, plan: Plan) {
  const { journal, leaseHolder } = await batchJournalOf(invocation)
  return { desk: { journal, profile: { ...plan, name: plan.profile } }, leaseHolder }
}

interface BatchDesk extends Omit<BatchJournal, 'journal'> {
  readonly desk: Desk
}

/**
 * A desk for many payouts. The first ^C does not reach what is in flight: that ends by itself. `limiter` hears of a service that
 * asks for patience; `connections` are kept for requests that are sent for the first time.
 */
export async function openBatchDesk(
  invocation: Invocation,
  profile: Profile,
  flags: SharedFlags,
  { limiter = null, connections = 0 }: { readonly limiter?: RateLimiter | null; readonly connections?: number } = {},
): Promise<BatchDesk> {
  invocation.acts = true
  const { journal, ...more } = await batchJournalOf(invocation)
  const { output } = invocation
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
  const desk = await openDeskAs(invocation, profile, flags, { journal, tell, signal: over.signal, connections })
  // A sign-in may go on that no row waits for any more.
  invocation.closeAtEnd(async () => over.abort())
  if (!limiter) return { desk, ...more }
  const { pausingOn429 } = await import('../../batch/rate-limiter.ts')
  return { desk: { ...desk, transport: pausingOn429(desk.transport, limiter, desk.clock) }, ...more }
}

/** The last words of a worker, whose rows may be of several plans. */
export const stoppedWorker: StoppedFacts = {
  said: 'stopped while rows were in flight, or just after',
  moneyMoved: 'unknown',
  retry: 'same-id',
  hints: [hint`Another worker continues when their leases end; \`${paste('batch list')}\` lists the plans.`],
}

/** The last words of a run of a plan: what was sent stays so when the work is over. */
export function stoppedRun(plan: Resumable): StoppedFacts {
  return {
    said: `stopped while rows of ${plan.planId} were in flight, or just after`,
    moneyMoved: 'unknown',
    retry: 'same-id',
    hints: [hint`\`${resumeLine(plan)}\` continues, and resolves unknown rows.`],
  }
}

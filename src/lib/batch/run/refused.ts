/** Runs that may not begin, in words. */
import { howMany } from '../../contract/core/text.ts'
import { originOf, type ServicePlace } from '../../contract/service.ts'
import { Failure } from '../../failure.ts'
import { type Hint, hint, paste } from '../../hint.ts'
import type { Plan } from '../plan/plan.ts'
import { type Resumable, resumeLine } from '../resume-line.ts'
import type { Count } from '../rows/count.ts'
import type { Stop } from './stop.ts'

/** A plan that the workers of a team have: locked (12). They may be about to pay any of its rows. */
export function workedByFleet({ planId }: Plan): Failure {
  return new Failure('locked', `the workers of the team have the plan ${planId}`, {
    moneyMoved: 'unknown',
    hints: [
      hint`\`${paste('batch status', planId)}\` says how far they are; \`${paste('batch discard', planId)}\` takes it back.`,
    ],
  })
}

/** A plan that may send nothing new: locked (12). Rows whose outcome is unknown are resolved all the same. */
export function stalePlan(plan: Plan, why: string): Failure {
  return new Failure('locked', `the plan ${plan.planId} sends no row any more: ${why}`, {
    retry: 'after-fix',
    hints: [renewing(plan)],
  })
}

/** The way back to a plan that sends nothing new. */
export function renewing({ file, discardedAt }: Pick<Plan, 'file' | 'discardedAt'>): Hint {
  const renewed = 'the plan keeps its id, and its rows theirs'
  return discardedAt === null
    ? hint`Plan ${file} again: ${renewed}.`
    : hint`If it is to be paid after all, plan ${file} again: ${renewed}.`
}

/** Rows whose outcome is unknown are resolved by a plan that sends nothing new, too. */
export function resolving(plan: Resumable): Hint {
  return hint`\`${resumeLine(plan)}\` resolves rows whose outcome is unknown.`
}

/** The reason to stop where another process has taken the plan: locked (12). */
export function lostTo(plan: Plan | null): Stop {
  if (plan?.discardedAt) return { kind: 'failure', failure: stalePlan(plan, 'it was discarded') }
  return { kind: 'taken-over', failure: new Failure('locked', 'another run has taken the plan over') }
}

/** A row that is another one than it was when the plan was held against its hash: bug (1), and the run ends before it. */
export function rowChanged({ planId, file }: Plan, number: number): Failure {
  return new Failure(
    'bug',
    `the plan ${planId} is damaged: its row ${number} was changed outside paydesk while it was paid; it was not sent`,
    {
      hints: [hint`Plan ${file} once more on a disk that is whole: rows that were sent keep their ids.`],
    },
  )
}

/**
 * A plan whose profile is another client, or another service, by now: locked (12). No row is sent, and none can be asked for:
 * ids belong to the client that sent them.
 */
export function foreignPlan(plan: Plan, now: ServicePlace & { readonly name: string }, count: Count): Failure {
  const { planId, file, profile } = plan
  const executed = count.of('accepted') + count.of('exists')
  const open = count.of('unknown') + count.of('sending')
  const message = `the plan ${planId} sends no row any more: it belongs to ${clientInWords(plan)}, and the profile ${profile} is ${clientInWords(now)} now`
  if (plan.environment === 'sandbox') {
    return new Failure('locked', message, { hints: [hint`That world of the sandbox is gone. Plan ${file} again.`] })
  }
  const address =
    originOf(plan.service) === originOf(now.service) ? [] : ['--base-url', plan.service, '--another-service']
  const client = plan.clientId === now.clientId.toLowerCase() ? [] : ['--client-id', plan.clientId]
  const back = paste('profile add', profile, ...client, ...address, '--replace')
  const resolves = open === 0 ? '' : `, which alone can resolve its ${howMany(open, 'unknown row')}`
  return new Failure('locked', message, {
    moneyMoved: count.moneyMoved,
    hints: [
      hint`Give the profile back to the client of the plan${resolves}: \`${back}\`, then \`${resumeLine(plan)}\`.`,
      hint`Planning ${file} again as it is now gives its rows OTHER ids, and pays once more what was executed: of this plan ${howMany(executed, 'row was', 'rows were')} accepted and ${open} ${open === 1 ? 'is' : 'are'} unknown.`,
    ],
  })
}

function clientInWords({ clientId, service, environment }: ServicePlace): string {
  return `the client ${clientId} of ${originOf(service)} (${environment})`
}

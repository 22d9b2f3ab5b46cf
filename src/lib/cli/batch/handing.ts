/** A plan that is handed to the workers of a team: the look at it from here until it is through. */

import { type Count, type CountResult, countResultOf } from '../../batch/count.ts'
import type { Plan } from '../../batch/plan.ts'
import { stopOfWorkers } from '../../batch/stop.ts'
import { Failure } from '../../failure.ts'
import type { OpenedFleet } from '../../fleet/fleet.ts'
import { hint, paste } from '../../hint.ts'
import { kindOf, signalInWords } from '../../signals.ts'
import type { Invocation } from '../invocation.ts'
import { ended } from './ended.ts'
import type { Progress } from './progress/progress.ts'

interface Followed {
  readonly plan: Plan
  /** The same as it is now: it may have been discarded. */
  readonly planNow: () => Promise<Plan>
  readonly fleet: OpenedFleet['fleet']
  /** True while workers may send rows of it. */
  readonly isWorked: () => Promise<boolean>
  /** The rows as they stand in the journal. */
  readonly count: () => Promise<Count>
  readonly progress: Progress
}

/** Milliseconds between two looks, at least. */
const betweenLooks = 500

/** Looks cost something: this part of the time at most is spent with them. */
const partOfTime = 5

/** Stays until nothing is left for the workers. Throws as the end of a run does; after ^C the workers go on (130). */
export async function followed(invocation: Invocation, followed: Followed): Promise<CountResult> {
  const { plan, fleet, progress } = followed
  const { edge, signal, output } = invocation
  let isTold = false
  for (;;) {
    const began = edge.clock.now()
    // The queue is looked at first: what it had ended with is in the count.
    const isOver = !(await followed.isWorked())
    const handed = await fleet.handed(plan.planId)
    const count = await followed.count()
    progress.seen(count)
    const stop = handed && stopOfWorkers({ stopped: handed.stopped, stoppedKind: handed.stopped_kind })
    if (count.isDone || (isOver && count.of('sending') === 0)) {
      if (count.isDone) await fleet.end(plan.planId)
      progress.end(count)
      return ended(invocation, await followed.planNow(), count, {
        reason: stop,
        last: null,
        hasSent: true,
        hasPaid: true,
      })
    }
    if (signal.aborted) throw leftToWorkers(signal, plan, count)
    if (!isTold && !(await hasWorkers(fleet))) {
      isTold = true
      output.say(`No worker is there for ${plan.profile} yet: the plan waits for \`paydesk worker start\`.`)
    }
    const pause = Math.max(betweenLooks, (edge.clock.now() - began) * partOfTime)
    await edge.clock.sleep(pause, signal).catch(() => undefined)
  }
}

async function hasWorkers(fleet: OpenedFleet['fleet']): Promise<boolean> {
  return (await fleet.workers()).some(({ queue }) => queue === fleet.queue.name)
}

function leftToWorkers({ reason }: AbortSignal, plan: Plan, count: Count): Failure {
  const { planId } = plan
  return new Failure(kindOf(reason), `the look at ${planId} was stopped; the workers go on with it`, {
    moneyMoved: 'unknown',
    retry: 'same-id',
    hints: [
      hint`\`${paste('batch status', planId)}\` says how far they are, and \`${paste('batch discard', planId)}\` stops them.`,
    ],
    document: countResultOf(plan, count, { stopped: `by ${signalInWords(reason)}`, warnings: [] }),
  })
}

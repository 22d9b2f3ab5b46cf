/** The looks of a worker at whole plans, before its first row of each: once for each time that a plan was handed over. */
import type { Plan } from '../batch/plan/plan.ts'
import type { HandedRow } from '../store/team/schema.ts'

interface Look<Seen> {
  readonly handedAt: string
  readonly seen: Promise<Seen>
}

export class WholePlans<Seen> {
  readonly #looks = new Map<string, Look<Seen>>()

  /** Gives what was seen of a plan; two chunks share a look. One that failed is made anew: the store may have been away. */
  of({ planId }: Pick<Plan, 'planId'>, { handed_at }: HandedRow, look: () => Promise<Seen>): Promise<Seen> {
    const known = this.#looks.get(planId)
    if (known?.handedAt === handed_at) return known.seen
    const looking: Look<Seen> = { handedAt: handed_at, seen: look() }
    this.#looks.set(planId, looking)
    looking.seen.catch(() => {
      if (this.#looks.get(planId) === looking) this.#looks.delete(planId)
    })
    return looking.seen
  }
}

/** Rows that a run tells as not paid: they had not run by then, or somebody else paid them behind it. */
import { isConflict, type PlannedRow } from '../../src/lib/batch/row-state.ts'
import { overtakenAt } from './overtaken.ts'
import type { ErrandProcess } from './trade.ts'
import type { World } from './world.ts'

/** When a row was told, and behind which attempt of the process that told it; null where that made none. */
interface Denial {
  readonly toldAt: number
  readonly ended: number | null
}

export type Denied = readonly (readonly [uniqueId: string, denial: Denial])[]

/** The rows of one run that were told last as not paid, and not on their way. */
export class Denials {
  readonly #world: World
  readonly #process: Pick<ErrandProcess, 'ended'>
  readonly #denied = new Map<string, Denial>()

  constructor(world: World, process: Pick<ErrandProcess, 'ended'>) {
    this.#world = world
    this.#process = process
  }

  hear(row: PlannedRow): void {
    const { unique_id: id } = row.planned
    const isDenied = ['refused', 'unsent', 'planned'].includes(row.state) && !isConflict(row)
    const ended = this.#process.ended.get(id) ?? null
    if (isDenied) this.#denied.set(id, { toldAt: this.#world.timeline.now(), ended })
    else this.#denied.delete(id)
  }

  get all(): Denied {
    return [...this.#denied]
  }
}

/** Throws where one of them ran before it was told, and before another process tried it behind the last attempt of the one that told it. */
export async function mustHaveStayed(world: World, denied: Denied): Promise<void> {
  const { payouts } = await world.sandbox.ledger()
  for (const [id, { toldAt, ended }] of denied) {
    if (world.deceived.has(id)) continue
    const before = Math.min(toldAt, (await overtakenAt(world, id, ended)) ?? toldAt)
    const ran = payouts.some(({ uniqueId, createdAt }) => uniqueId === id && Date.parse(`${createdAt}+04:00`) < before)
    if (ran) throw new Error(`a row told as not paid ran: ${id}`)
  }
}

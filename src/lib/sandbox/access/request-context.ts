/** The state of the sandbox as a request comes in: looked up once, for all of its way through the service. */
import type { Clock } from '../../edge.ts'
import type { Store } from '../../store/engine/store.ts'
import type { SandboxTables } from '../../store/sandbox/schema.ts'
import { readWorldState } from '../../store/sandbox/world.ts'
import { type WorldSettings, worldSettings } from '../world/settings.ts'

export interface RequestContext {
  /** The sandbox's: it does not jump while the request lasts. */
  readonly clock: Clock
  /** The world of the request: keys belong to one. */
  readonly worldId: string
  readonly settings: WorldSettings
  /** True if any fault waits, of any operation. */
  readonly faultsWait: boolean
  /** The address below which payers find their pages. */
  readonly payersAt: string
}

export async function readRequestContext(store: Store<SandboxTables>, machine: Clock): Promise<RequestContext> {
  const state = await store.ask(readWorldState)
  const { world_id, clock_offset: ahead, faults } = state
  const sleep: Clock['sleep'] = (milliseconds, signal) => machine.sleep(milliseconds, signal)
  return {
    clock: { now: () => machine.now() + ahead, steady: () => machine.steady(), sleep },
    worldId: world_id,
    settings: worldSettings(state),
    faultsWait: faults === 1,
    payersAt: 'http://127.0.0.1',
  }
}

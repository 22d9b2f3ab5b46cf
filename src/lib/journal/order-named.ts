/**
 * The order that a key or a journal id stands for, for players of the sandbox: the commands of orders take both, the sandbox
 * itself knows neither.
 */
import { writesAbout } from '../contract/operations.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { idAtService } from './intent.ts'
import type { Journal } from './journal.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The integratorOrderId that a name stands for in this world; the name itself where the journal knows none. Throws usage (2). */
export async function orderIdOf(journal: () => Promise<Journal>, name: string, worldId: string): Promise<string> {
  const typed = name.trim()
  if (uuid.test(typed)) return typed
  const named = /^j-[0-9a-f]{12}$/i.test(typed) ? typed.toLowerCase() : typed
  const known = await (await journal()).list({ named, operations: writesAbout('order') })
  // A key of another world, or of a live service, stands for another order.
  const ofWorld = known.filter(({ service }) => service === `sandbox:${worldId}`)
  const ofTests = known.filter(({ environment }) => environment === 'test')
  const ids = [...new Set((ofWorld.length > 0 ? ofWorld : ofTests).map(idAtService))]
  if (ids.length <= 1) return ids[0] ?? typed
  throw new Failure('usage', `${ids.length} orders have the key ${typed}`, {
    hints: [hint`Name it by its integratorOrderId: ${ids.join(', ')}.`],
  })
}

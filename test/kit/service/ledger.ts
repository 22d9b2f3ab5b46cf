/** A service that executes an id once, and says so (5017) when it comes again. */
import { json, type Reply, type ServiceByHand, serviceByHand } from './service-by-hand.ts'

export interface LedgerService {
  readonly service: ServiceByHand
  /** The cents of each id that was executed. */
  readonly executed: ReadonlyMap<string, number>
  /** The times of the executions, in milliseconds. */
  readonly moments: readonly number[]
}

/** `delay`: milliseconds before each answer. */
export async function ledgerService(delay = 0): Promise<LedgerService> {
  const executed = new Map<string, number>()
  const moments: number[] = []
  const service = await serviceByHand(async ({ method, path, body }): Promise<Reply | undefined> => {
    if (method !== 'POST' || path !== '/api/distributor') return undefined
    const { uniqueId, amount } = JSON.parse(body) as { readonly uniqueId: string; readonly amount: number }
    const isKnown = executed.has(uniqueId)
    if (!isKnown) executed.set(uniqueId, Math.round(amount * 100))
    if (!isKnown) moments.push(performance.now())
    const transactionId = executed.size
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    if (isKnown) return json({ statusCode: 5017, message: 'Duplicate', exceptionGroup: 1 }, 400)
    return json({ transactionId, status: 'INITIAL', statusDescription: 'Initial', uniqueId })
  })
  return { service, executed, moments }
}

/**
 * Finds the order that an operator means: by an integratorOrderId, or by a journal id or business key that the journal knows.
 */
import { writesAbout } from '../../contract/operations.ts'
import { createOrder } from '../../contract/order/order.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { Intent } from '../../journal/intent.ts'
import { isRecord, readJson } from '../../json.ts'
import type { Desk } from '../desk.ts'
import { normalId } from '../draft.ts'
import { knownIntent } from '../payout/find.ts'
import { writesTo } from '../recover/at-stake.ts'

export interface FoundOrder {
  readonly integratorOrderId: string
  /** Its creation in the journal; null for an order that another machine made. */
  readonly created: Intent | null
  /** Everything that this journal sent about it. */
  readonly writes: readonly Intent[]
}

/** The profile that looks, and the journal: no socket is needed. */
export type Knowing = Pick<Desk, 'journal' | 'profile'>

const creating = [createOrder]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The order that a write of the journal is about. */
export function orderOf({ body }: Intent): string | null {
  const request = readJson(body)
  return isRecord(request) && typeof request.integratorOrderId === 'string' ? normalId(request.integratorOrderId) : null
}

/** Throws a Failure: not-found (6), usage (2) for what can be no id. */
export async function orderOfId(knowing: Knowing, id: string): Promise<FoundOrder> {
  const created = await knownIntent(knowing, id, creating)
  if (created) return foundOrder(knowing, orderOf(created) ?? created.uniqueId, created)
  const about = await knownIntent(knowing, id, writesAbout('order'))
  const integratorOrderId = (about && orderOf(about)) ?? (uuid.test(id) ? normalId(id) : null)
  if (integratorOrderId === null) throw unknownId(id, knowing)
  return foundOrder(knowing, integratorOrderId, await knownIntent(knowing, integratorOrderId, creating))
}

async function foundOrder(knowing: Knowing, integratorOrderId: string, created: Intent | null): Promise<FoundOrder> {
  return { integratorOrderId, created, writes: await writesTo(knowing, 'order', integratorOrderId) }
}

function unknownId(id: string, { profile }: Knowing): Failure {
  if (!/^j-[0-9a-f]{12}$/i.test(id)) {
    return new Failure('usage', `"${id}" is no UUID, no journal id and no known --key`)
  }
  return new Failure('not-found', `the journal knows no order ${id} of the profile ${profile.name}`, {
    hints: [hint`\`${paste('journal list')}\` shows what it knows; another profile may have made it.`],
  })
}

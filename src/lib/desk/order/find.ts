/**
 * Finds the order that an operator means: by an integratorOrderId, or by a journal id or business key that the journal knows.
 */
import { uuidV4 } from '../../contract/core/rules.ts'
import { isUuid, normalId } from '../../contract/core/text.ts'
import type { Subject } from '../../contract/operation.ts'
import { writesAbout } from '../../contract/operations.ts'
import { createOrder } from '../../contract/order/order.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { findByName, isJournalId, type Name, type NameMatch, nameIn } from '../../journal/find.ts'
import { type Intent, isOf } from '../../journal/intent.ts'
import { isRecord, readJson } from '../../json.ts'
import type { Desk } from '../desk.ts'
import { scopeOf } from '../draft.ts'
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

/** The order that a write of the journal is about. */
function orderOf({ body }: Intent): string | null {
  const request = readJson(body)
  return isRecord(request) && typeof request.integratorOrderId === 'string' ? normalId(request.integratorOrderId) : null
}

/** Throws a Failure: not-found (6), usage (2) for what can be no id, and for a name that more than one order may have. */
export async function orderOfId(knowing: Knowing, typed: string): Promise<FoundOrder> {
  const name = nameIn(typed)
  const filter = { scope: scopeOf(knowing.profile), operations: writesAbout('order') }
  const meaning = await findByName(knowing.journal, typed, filter)
  const integratorOrderId = orderIn(meaning, name)
  if (integratorOrderId === null) throw unknownId(name, knowing)
  // The journal may have an order from before; the service has none of another version.
  if (meaning.by === null && !uuidV4.safeParse(integratorOrderId).success) throw otherVersion(name)
  const [created = null] = (
    await findByName(knowing.journal, `id:${integratorOrderId}`, { ...filter, operations: [createOrder] })
  ).intents
  const writes = await writesTo(knowing, 'order', integratorOrderId)
  return { integratorOrderId, created, writes }
}

/** A UUID that the journal does not know may be an order of another machine. */
function orderIn({ by, intents }: NameMatch, { text, mayBe }: Name): string | null {
  const created = intents.filter((each) => isOf(each, createOrder))
  const bearers = by === 'key' && created.length > 0 ? created : intents
  const orders = [...new Set(bearers.map(orderOf).filter((order) => order !== null))]
  if (by === 'id') return orders.find((order) => order === normalId(text)) ?? orders[0] ?? null
  if (by === null) return mayBe !== 'key' && isUuid(text) ? normalId(text) : null
  if (orders.length > 1) throw ambiguous(`${orders.length} orders have the key ${text}`, orders)
  if (mayBe === 'either' && isUuid(text) && orders[0] !== normalId(text))
    throw keyLikeAnId('order', text, orders[0] ?? '')
  return orders[0] ?? null
}

function ambiguous(message: string, orders: readonly string[]): Failure {
  return new Failure('usage', message, { hints: [hint`Name it by its integratorOrderId: ${orders.join(', ')}.`] })
}

/** The failure of a UUID that is known as a key only: the service may have another one of that id. */
export function keyLikeAnId(subject: Subject, text: string, id: string): Failure {
  return new Failure('usage', `${text} is the key of the ${subject} ${id}, and may be the id of another one`, {
    hints: [hint`Say which: key:${text} is the ${subject} ${id}, id:${text} the one of that id.`],
  })
}

function otherVersion({ text }: Name): Failure {
  return new Failure('usage', `"${text}" is no id of an order: an integratorOrderId is a UUID, version 4`, {
    hints: [hint`Nothing was asked. \`${paste('order list')}\` shows the orders that the journal knows.`],
  })
}

function unknownId({ text }: Name, { profile }: Knowing): Failure {
  if (!isJournalId(text)) {
    return new Failure('usage', `"${text}" is no UUID, no journal id and no known --key`)
  }
  return new Failure('not-found', `the journal knows no order ${text} of the profile ${profile.name}`, {
    hints: [hint`\`${paste('journal list')}\` shows what it knows; another profile may have made it.`],
  })
}

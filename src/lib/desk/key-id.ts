/**
 * The id under which a business key is sent. A payment that the journal knows keeps the id it was sent with, though its key
 * would stand for another one today: an address was spelled otherwise then, or another profile had it.
 */
import type { WriteOperation } from '../contract/operation.ts'
import type { Intent } from '../journal/intent.ts'
import type { Desk } from './desk.ts'
import { idOfKey, scopeOf } from './draft.ts'

/**
 * The order in which intents of one key count: first those that may have been executed. The others never were, and for them
 * any id will do.
 */
const weight: Readonly<Record<Intent['state'], number>> = {
  accepted: 0,
  exists: 0,
  unknown: 1,
  'turned-away': 2,
  refused: 3,
  unsent: 3,
}

export async function idForKey(
  { journal, profile }: Pick<Desk, 'journal' | 'profile'>,
  operation: WriteOperation,
  key: string,
): Promise<string> {
  const derived = idOfKey(profile, operation.name, key)
  const named = await journal.list({ scope: scopeOf(profile), named: key, operations: [operation] })
  const own = named.filter(({ businessKey }) => businessKey === key)
  const [known] = own.toSorted((a, b) => weight[a.state] - weight[b.state])
  return known && weight[known.state] < 3 ? known.uniqueId : derived
}

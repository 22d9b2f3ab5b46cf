/**
 * The id under which a business key is sent. A payment that the journal knows keeps the id it was sent with, though its key
 * would stand for another one today: an address was spelled otherwise then, or another profile had it.
 */
import type { WriteOperation } from '../contract/operation.ts'
import type { ServicePlace } from '../contract/service.ts'
import type { Intent } from '../journal/intent.ts'
import type { Desk } from './desk.ts'
import { idOfKey, scopeOf } from './draft.ts'

/**
 * The order in which intents of one key count: first those that may have been executed, then one that is kept to be sent under its
 * id. The others never were executed, and for them any id will do.
 */
const weight: Readonly<Record<Intent['state'], number>> = {
  accepted: 0,
  exists: 0,
  unknown: 1,
  'turned-away': 2,
  held: 3,
  refused: 4,
  unsent: 4,
}

/** The journal, and the client of a service whose keys they are. */
interface KeyOwner extends Pick<Desk, 'journal'> {
  readonly profile: ServicePlace
}

export async function idForKey(desk: KeyOwner, operation: WriteOperation, key: string): Promise<string> {
  const ids = await idsForKeys(desk, operation, [key])
  return ids.get(key) ?? idOfKey(desk.profile, operation.name, key)
}

/** The ids of many keys, each as `idForKey` tells it. The journal is asked once, so no more than some hundred at a time. */
export async function idsForKeys(
  { journal, profile }: KeyOwner,
  operation: WriteOperation,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const known = await journal.list({ scope: scopeOf(profile), businessKeys: keys, operations: [operation] })
  const ids = new Map(keys.map((key) => [key, idOfKey(profile, operation.name, key)]))
  // The one that counts most is set last; of two alike the newest.
  for (const { businessKey, state, uniqueId } of known
    .toReversed()
    .toSorted((a, b) => weight[b.state] - weight[a.state])) {
    if (businessKey !== null && weight[state] < 4) ids.set(businessKey, uniqueId)
  }
  return ids
}

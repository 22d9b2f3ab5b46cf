/** Keys of the world beside the one that should have opened an envelope: they tell to whom it is sealed instead. */
import type { NamedKey } from '../../envelope/envelope.ts'
import type { Store } from '../../store/engine/store.ts'
import type { SandboxTables } from '../../store/sandbox/schema.ts'
import { listKeyPairs } from '../../store/sandbox/world.ts'
import { privateKeyOf } from '../access/key-ring.ts'
import { integratorOf, walletIntegratorOf } from '../world/integrator.ts'
import type { RequestFacts } from './facts.ts'

/** The owner in words: `service 4096`, `integrator sandbox` and `wallet sandbox` are the names in the store. */
function inWords(owner: string, own: readonly (string | undefined)[]): string {
  if (own.includes(owner)) return 'your own public key'
  const [kind = '', name = ''] = owner.split(' ')
  return kind === 'service' ? `the service's public key of ${name} bits` : `the public key of ${name}`
}

/** The sender's own first: it is the usual mistake. */
export async function keysBeside(
  store: Store<SandboxTables>,
  { who, unopened }: RequestFacts,
): Promise<readonly NamedKey[]> {
  const own = [integratorOf(who)?.owner, walletIntegratorOf(who)?.owner]
  const pairs = (await store.ask(listKeyPairs)).toSorted(
    (one, other) => Number(own.includes(other.owner)) - Number(own.includes(one.owner)),
  )
  const all = pairs.map(({ owner, private_key }) => ({ name: inWords(owner, own), key: privateKeyOf(private_key) }))
  return all.filter(({ key }) => !unopened?.key.equals(key))
}

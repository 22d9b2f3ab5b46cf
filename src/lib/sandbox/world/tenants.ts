/** The integrators and receivers of a world as `sandbox world` shows them, keys among them. */
import { JsonNumber } from '../../contract/core/decimal.ts'
import type { Random } from '../../edge.ts'
import type { ResultOf } from '../../result.ts'
import type { Store } from '../../store/engine/store.ts'
import type { SandboxTables } from '../../store/sandbox/schema.ts'
import { keysOfAll } from '../access/key-ring.ts'
import { type Integrator, integrators, walletIntegrators } from './integrator.ts'
import { type Receiver, receivers, registered } from './receiver.ts'
import type { worldTenantsResult } from './result.ts'
import type { World } from './world.ts'

export type DescribedIntegrator = WorldTenants['integrators'][number]

export type DescribedWalletIntegrator = WorldTenants['walletIntegrators'][number]

export type DescribedReceiver = WorldTenants['receivers'][number]

/** The world with all of its members. */
export type WorldTenants = ResultOf<typeof worldTenantsResult>

const limitsOf = ({ minimum, maximum }: Integrator['orderLimits']) => ({
  minimum: new JsonNumber(minimum),
  maximum: new JsonNumber(maximum),
})

function described(receiver: Receiver): DescribedReceiver {
  const { receiverId, receiverType, name, use, note, defaultBank, language, takesTips } = receiver
  return { receiverId, receiverType, name, use, note, defaultBank, language, takesTips }
}

/** Makes the keys that are missing. */
export async function worldTenants(store: Store<SandboxTables>, random: Random, world: World): Promise<WorldTenants> {
  const all = [...integrators, ...walletIntegrators]
  const keys = await keysOfAll(store, random, all)
  const halves = (at: number) => ({
    servicePublicKey: keys[at]?.servicePublicKey ?? '',
    publicKey: keys[at]?.publicKey ?? '',
    privateKey: keys[at]?.privateKey ?? '',
  })
  return {
    ...world,
    integrators: integrators.map(
      ({ name, identifier, orderType, scheme, bits, permissions, orderLimits, defaults }, at) => ({
        ...{ name, integratorId: identifier, orderType, scheme, keyBits: bits },
        ...{ permissions, orderLimits: limitsOf(orderLimits) },
        ...halves(at),
        defaults,
      }),
    ),
    walletIntegrators: walletIntegrators.map(({ name, identifier, scheme, bits }, at) => ({
      ...{ name, identifier, scheme, keyBits: bits },
      ...halves(integrators.length + at),
    })),
    receivers: [
      ...world.receivers.map(
        ({ receiverId, receiverType, name }): DescribedReceiver => ({
          ...described(registered(receiverId, receiverType, name)),
          use: 'payouts',
        }),
      ),
      ...receivers.map(described),
    ],
  }
}

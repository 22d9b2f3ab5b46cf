/** The integrators and receivers of a world as `sandbox world` shows them, keys among them. */
import type { Random } from '../../edge.ts'
import type { ResultOf } from '../../result.ts'
import type { Store } from '../../store/engine/store.ts'
import type { SandboxTables } from '../../store/sandbox/schema/schema.ts'
import { keysOfAll } from '../access/key-ring.ts'
import { integrators, walletIntegrators } from './integrator.ts'
import { receivers } from './receiver.ts'
import type { worldTenantsResult } from './result.ts'
import type { World } from './world.ts'

export type DescribedIntegrator = WorldTenants['integrators'][number]

export type DescribedWalletIntegrator = WorldTenants['walletIntegrators'][number]

export type DescribedReceiver = WorldTenants['receivers'][number]

/** The world with all who take part in it. */
export type WorldTenants = ResultOf<typeof worldTenantsResult>

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
    integrators: integrators.map(({ name, identifier, orderType, scheme, permissions, defaults }, at) => ({
      ...{ name, integratorId: identifier, orderType, scheme, permissions },
      ...halves(at),
      defaults,
    })),
    walletIntegrators: walletIntegrators.map(({ name, identifier, scheme }, at) => ({
      ...{ name, identifier, scheme },
      ...halves(integrators.length + at),
    })),
    receivers: [
      ...world.receivers.map((each): DescribedReceiver => ({ ...each, use: 'payouts', note: '' })),
      ...receivers.map(({ receiverId, receiverType, name, use, note }) => ({
        ...{ receiverId, receiverType, name, use, note },
      })),
    ],
  }
}

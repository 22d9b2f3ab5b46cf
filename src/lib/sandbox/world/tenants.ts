/** The integrators and receivers of a world as `sandbox world` shows them, keys among them. */
import type { OrderType } from '../../contract/operation.ts'
import type { Permission } from '../../contract/permission.ts'
import type { Random } from '../../edge.ts'
import type { Scheme } from '../../envelope/scheme.ts'
import type { Store } from '../../store/engine/store.ts'
import type { SandboxTables } from '../../store/sandbox/schema/schema.ts'
import { keysOfAll } from '../access/key-ring.ts'
import { type Defaults, integrators, walletIntegrators } from './integrator.ts'
import { receivers } from './receiver.ts'
import type { World } from './world.ts'

interface Sealed {
  readonly name: string
  readonly scheme: Scheme
  /** Base64 of the DER in one line. */
  readonly servicePublicKey: string
  readonly publicKey: string
  readonly privateKey: string
}

export interface DescribedIntegrator extends Sealed {
  readonly integratorId: string
  readonly orderType: OrderType
  readonly permissions: readonly Permission[]
  readonly defaults: Defaults
}

export interface DescribedWalletIntegrator extends Sealed {
  readonly identifier: string
}

export interface DescribedReceiver {
  readonly receiverId: string
  readonly receiverType: 'BRANCH' | 'USER'
  readonly name: string
  readonly use: 'payouts' | 'orders' | 'tips' | 'wallet'
  readonly note: string
}

/** The world with all who take part in it. */
export interface WorldTenants extends Omit<World, 'receivers'> {
  readonly integrators: readonly DescribedIntegrator[]
  readonly walletIntegrators: readonly DescribedWalletIntegrator[]
  readonly receivers: readonly DescribedReceiver[]
}

/** Keys that nobody has needed so far are made for it. */
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

/** The integrators, receivers, QR addresses and cards of a world as `sandbox world` shows them, keys among them. */
import { ratesToGel } from '../../contract/assumed.ts'
import { JsonNumber } from '../../contract/core/decimal.ts'
import type { OrderType } from '../../contract/operation.ts'
import type { Permission } from '../../contract/permission.ts'
import type { Random } from '../../edge.ts'
import type { Scheme } from '../../envelope/scheme.ts'
import type { Store } from '../../store/engine/store.ts'
import type { SandboxTables } from '../../store/sandbox/schema/schema.ts'
import { keysOfAll } from '../access/key-ring.ts'
import { testCards } from '../cards/test-card.ts'
import { type PrintedQrAddress, qrAddresses } from '../wallet/qr-address.ts'
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

/** The world with all who live in it. */
export interface WholeWorld extends Omit<World, 'receivers'> {
  readonly integrators: readonly DescribedIntegrator[]
  readonly walletIntegrators: readonly DescribedWalletIntegrator[]
  readonly receivers: readonly DescribedReceiver[]
  readonly qrAddresses: readonly PrintedQrAddress[]
  readonly testCards: readonly {
    readonly name: string
    readonly cardMask: string
    readonly cardBrand: string
    readonly expirationDate: string
    readonly outcome: string
  }[]
  /** What one unit is worth in GEL. */
  readonly rates: Readonly<Record<string, JsonNumber>>
}

/** Keys that nobody has needed so far are made for it. */
export async function wholeWorld(store: Store<SandboxTables>, random: Random, world: World): Promise<WholeWorld> {
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
      ...world.receivers.map((each) => ({ ...each, use: 'payouts' as const, note: '' })),
      ...receivers.map(({ receiverId, receiverType, name, use, note }) => ({
        ...{ receiverId, receiverType, name, use, note },
      })),
    ],
    qrAddresses,
    testCards: testCards.map(({ name, cardMask, cardBrand, expirationDate, outcome }) => ({
      ...{ name, cardMask, cardBrand, expirationDate, outcome },
    })),
    rates: Object.fromEntries(Object.entries(ratesToGel).map(([currency, rate]) => [currency, new JsonNumber(rate)])),
  }
}

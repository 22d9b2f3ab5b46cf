/** The identity of the built-in profiles for orders and the wallet: an integrator, and both halves of its envelope. */
import type { OrderType } from '../../contract/operation.ts'
import type { Scheme } from '../../envelope/scheme.ts'

/** Both keys are base64 of the DER in one line. */
interface Seals {
  readonly scheme: Scheme
  readonly servicePublicKey: string
  readonly privateKey: string
}

export interface IntegratorSeals extends Seals {
  readonly integratorId: string
  readonly orderType: OrderType
}

export interface WalletIntegratorSeals extends Seals {
  readonly identifier: string
}

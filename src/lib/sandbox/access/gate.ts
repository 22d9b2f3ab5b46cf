/** The senders that may come in with an envelope, and the circumstances of each. */
import type { Circumstances } from '../../contract/operation.ts'
import { anybody, type Surroundings } from '../handler.ts'
import type { Refusal } from '../shape.ts'
import { type Integrator, integratorOf, type Sealer, walletIntegratorOf } from '../world/integrator.ts'

/** The senders that may come in, and the name under which a payload repeats its sender. */
export interface Gate<Who extends Sealer> {
  readonly find: (identifier: unknown) => Who | null
  readonly unknownSender: Refusal
  readonly inner: string
  /** Mends a payload before the rules look at it. */
  readonly mended: (request: Record<string, unknown>) => Record<string, unknown>
  readonly circumstances: (who: Who, around: Surroundings) => Circumstances
}

export const orderGate: Gate<Integrator> = {
  find: integratorOf,
  unknownSender: { code: 6004, message: 'Active integrator not found' },
  inner: 'integratorId',
  mended: (request) => request,
  circumstances: ({ permissions, orderType }, { clock, shape }) => ({
    ...{ permits: new Set(permissions), orderType, now: clock.now() },
    savesCardForNothing: shape === 'recorded',
    takesEmptyParts: shape === 'recorded',
  }),
}

export const walletGate: Gate<Sealer> = {
  find: walletIntegratorOf,
  unknownSender: { code: 6044, message: 'Active third party not found' },
  inner: 'identifier',
  // A sample of the guide writes " SUCCESS" (service.md#wallet-envelope), and people send what they have copied.
  mended: (request) =>
    typeof request.finalStatus === 'string' ? { ...request, finalStatus: request.finalStatus.trim() } : request,
  circumstances: (_who, { clock }) => anybody(clock.now()),
}

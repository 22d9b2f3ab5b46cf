/** Opening of a request with the keys of its sender: on the wire every failure is the same, and the log hears which it was. */

import { type OpenedMessage, openRequest } from '../../client/sealed.ts'
import type { Operation } from '../../contract/operation.ts'
import type { EnvelopeMembers } from '../../envelope/layout.ts'
import type { Surroundings } from '../handler.ts'
import { sealedOtherwise } from '../log/outline.ts'
import type { Refusal } from '../shape.ts'
import type { Sealer } from '../world/integrator.ts'
import { keysIn, privateKeyOf } from './key-ring.ts'

export const unopened: Refusal = { code: 6010, message: 'Decryption failed' }

/** Tells the log how it went. */
export async function openedBy(
  integrator: Sealer,
  operation: Operation,
  members: EnvelopeMembers,
  around: Surroundings,
): Promise<Extract<OpenedMessage, { ok: true }> | Refusal> {
  const { servicePrivateKey } = await keysIn(around, integrator)
  const key = privateKeyOf(servicePrivateKey)
  const received = await openRequest(operation, members, { key, scheme: integrator.scheme })
  const setting = integrator.scheme
  if (!received.ok) {
    const isDenied = received.why === 'aes'
    around.record({ unopened: { key, setting, used: isDenied ? null : received.used } })
    return isDenied ? { code: 6011, message: 'aes denies encryptedKeys' } : unopened
  }
  const used = received.scheme
  if (used !== setting) {
    around.record({ remarks: [sealedOtherwise(used, setting)] })
    if (around.settings.strict || !around.switches.opensMgf1Sha1) {
      around.record({ unopened: { key, setting, used } })
      return unopened
    }
  }
  around.record({ opened: received })
  return received
}

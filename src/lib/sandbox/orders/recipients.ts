/**
 * Receivers and providers that an order names: each must be there, and take what the order asks of it. A receiver that is not there has no code that is known: the general one of an order says it, in
 * words (service.md#orders).
 */
import { noTipsBreach, unlistedProviderBreach, wrongReceiverBreaches } from '../../contract/assumed.ts'
import type { OrderRequest } from '../../contract/order/order.ts'
import { providerFields } from '../../contract/order/request.ts'
import type { SandboxReader } from '../../store/sandbox/schema.ts'
import type { Surroundings } from '../handler.ts'
import type { Refusal } from '../shape.ts'
import { findReceiver } from '../world/receiver.ts'
import type { ProviderLists } from '../world/settings.ts'

/** The code and the text of an inner service, as they came through (service.md#seen-since). */
const recordedUnknownReceiver: Refusal = {
  code: 2158,
  message: 'Branch Account not found for given id.',
  rule: 'service.md#seen-since: receiverId is no registered branch',
}

async function wrongReceiver(
  db: SandboxReader,
  request: OrderRequest,
  { shape }: Pick<Surroundings, 'shape'>,
): Promise<Refusal | null> {
  const { receiverType, receiverId, directLinkProvider } = request
  const receiver = await findReceiver(db, receiverType, receiverId)
  if (!receiver && shape === 'recorded') return recordedUnknownReceiver
  if (!receiver || receiver.blocked) {
    const why = receiver ? 'is blocked' : 'is no registered branch'
    return { code: wrongReceiverBreaches.order, message: `receiverId ${why}` }
  }
  if (directLinkProvider !== 'DEFAULT' || receiver.defaultBank !== null) return null
  return { code: 6093, message: 'directLinkProvider DEFAULT: no default bank is configured for the receiver' }
}

async function wrongTip(db: SandboxReader, request: OrderRequest): Promise<Refusal | null> {
  const { tipReceiverId, tipReceiverType, receiverType, receiverId } = request
  if (tipReceiverId === undefined && tipReceiverType === undefined) return null
  const tipped = await findReceiver(db, tipReceiverType, tipReceiverId)
  if (!tipped)
    return {
      code: wrongReceiverBreaches.tip,
      message: 'Tip receiver not found: check tipReceiverId and tipReceiverType',
    }
  if (tipped.blocked)
    return { code: wrongReceiverBreaches.tip, message: 'Tip receiver not found: tipReceiverId is blocked' }
  if ((await findReceiver(db, receiverType, receiverId))?.takesTips) return null
  return { code: noTipsBreach, message: 'Tip receiver not found: tipping is not configured for the receiver' }
}

async function wrongPart(db: SandboxReader, { splitDetails = [] }: OrderRequest): Promise<Refusal | null> {
  for (const { receiverType, receiverIdentifier } of splitDetails) {
    if (receiverType === 'IBAN') continue
    const receiver = await findReceiver(db, receiverType, receiverIdentifier)
    if (receiver && !receiver.blocked) continue
    const why = receiver ? 'is blocked' : `is no registered ${receiverType}`
    return { code: wrongReceiverBreaches.part, message: `splitDetails ${receiverIdentifier} ${why}` }
  }
  return null
}

function unlistedProvider(request: OrderRequest, providers: ProviderLists): Refusal | null {
  for (const name of providerFields) {
    const code = request[name]
    if (code === undefined || providers[name].includes(code)) continue
    return {
      code: unlistedProviderBreach,
      message: `${name} ${JSON.stringify(code)} is not on the list of this field: ${providers[name].join(', ')}`,
      rule: `B1 ${name}, service.md#providers: only a provider on the list of the field`,
    }
  }
  return null
}

/** The refusal of an order that cannot be for those whom it names; null where it can. */
export async function wrongRecipient(
  db: SandboxReader,
  request: OrderRequest,
  around: Pick<Surroundings, 'shape' | 'settings'>,
): Promise<Refusal | null> {
  return (
    unlistedProvider(request, around.settings.providers) ??
    (await wrongReceiver(db, request, around)) ??
    (await wrongTip(db, request)) ??
    (await wrongPart(db, request))
  )
}

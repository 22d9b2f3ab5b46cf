/** The saved card that an order charges: its token in a private file, or read at the service with the order it was saved with. */
import { Flags } from '@oclif/core'
import type { OrderRequest } from '../../contract/order/order.ts'
import type { Desk } from '../../desk/desk.ts'
import { readCard } from '../../desk/order/card.ts'
import type { Edge } from '../../edge.ts'
import { cardTokenIn } from '../input/card-token.ts'
import type { RequestFields } from './request.ts'

export const cardFlags = {
  'card-token-file': Flags.string({
    description: 'charge the saved card whose token is in this private file, - for stdin; needs a permission',
    helpValue: '<f|->',
    helpGroup: 'REQUEST',
    exclusive: ['card-from-order'],
  }),
  'card-from-order': Flags.string({
    description: 'charge the card that was saved with this order: its token is read first; needs a permission',
    helpValue: '<integratorOrderId>',
    helpGroup: 'REQUEST',
    exclusive: ['curl'],
  }),
}

/** Stands for a token that is not read yet, so that the rest of an order can be checked before anything is sent. */
const placeholderToken = '00000000-0000-4000-8000-000000000000'

interface CardFlags {
  readonly 'card-token-file'?: string | undefined
  readonly 'card-from-order'?: string | undefined
  readonly file?: string | undefined
}

export interface CardToCharge {
  /** The order that it was saved with, where its token is still to be read; until then a placeholder stands for it. */
  readonly savedWith: string | null
  readonly knows: RequestFields
  readonly warnings: readonly string[]
}

/** The card that the flags name, if any. Throws Failure('usage'). */
export async function cardToCharge(flags: CardFlags, { stdin }: Edge): Promise<CardToCharge> {
  const given = await cardTokenIn(flags['card-token-file'], flags.file, stdin)
  const savedWith = flags['card-from-order'] ?? null
  const cardToken = savedWith === null ? given?.token : placeholderToken
  return { savedWith, knows: cardToken === undefined ? {} : { cardToken }, warnings: given?.warnings ?? [] }
}

/** The order with the token of its card, which is read where it is not known yet. */
export async function charging(
  desk: Desk,
  { savedWith }: CardToCharge,
  order: OrderRequest,
): Promise<{ readonly request: OrderRequest; readonly cardMask: string | null }> {
  if (savedWith === null) return { request: order, cardMask: null }
  const { token, cardMask } = await readCard(desk, savedWith)
  return { request: { ...order, cardToken: token }, cardMask }
}

/** How an order that exists already is named: the argument of every command about one. */
import { Args } from '@oclif/core'

export const orderName = 'an integratorOrderId, or a journal id or key that the journal knows'

export const orderArgs = {
  id: Args.string({
    ignoreStdin: true,
    required: true,
    description: orderName,
  }),
}

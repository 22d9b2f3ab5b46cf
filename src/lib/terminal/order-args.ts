/** The argument of every command about an order that exists already. */
import { Args } from '@oclif/core'

export const orderArgs = {
  id: Args.string({
    ignoreStdin: true,
    required: true,
    description: 'an integratorOrderId, or a journal id or key that the journal knows',
  }),
}

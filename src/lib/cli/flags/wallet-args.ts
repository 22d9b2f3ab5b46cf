/** The argument of the commands about a wallet order that exists already. */
import { Args } from '@oclif/core'

export const walletArgs = {
  uniqueId: Args.string({
    ignoreStdin: true,
    required: true,
    description: 'the uniqueId, or a journal id or key that the journal knows',
  }),
}

/** Arguments and flags that several commands have: how an object of the service is named, and how this machine is. */
import { Args, Flags } from '@oclif/core'

const named = (description: string) => Args.string({ ignoreStdin: true, required: true, description })

export const payoutArgs = { id: named('a transactionId, or a uniqueId, journal id or key that the journal knows') }

/** An order, in the words of its argument and of `--order`. */
export const orderName = 'an integratorOrderId, or a journal id or key that the journal knows'

export const orderArgs = { id: named(orderName) }

export const walletArgs = { uniqueId: named('the uniqueId, or a journal id or key that the journal knows') }

export const subscriptionArgs = { subscriptionId: named("the service's id of the subscription") }

/** Tells where to find the subscriptionId: no receipt and no status of an order has it. */
export const whereItsIdIs = `The subscriptionId comes with the callback of the subscription (\`subscription list\`); the answer to the order has
none. In the sandbox \`sandbox ledger\` shows it, too.`

/** A name under which a tunnel or a proxy of the user leads to a command that serves. */
export const allowHostFlag = Flags.string({
  description: 'a host name of your own that leads here, such as a tunnel; several may be given',
  helpValue: '<name>',
  multiple: true,
  multipleNonGreedy: true,
})

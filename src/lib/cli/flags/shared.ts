/** Flags and arguments that several commands have. */
import { Args, Flags } from '@oclif/core'
import { forms } from '../output/choice.ts'
import { durationFlag } from './times.ts'

export const sharedFlags = {
  profile: Flags.string({
    char: 'p',
    helpGroup: 'GLOBAL',
    description: 'who to be to the service',
    helpValue: '<name>',
  }),
  json: Flags.boolean({ helpGroup: 'GLOBAL', description: 'print the result as JSON; short for --output json' }),
  output: Flags.option({ options: forms, helpGroup: 'GLOBAL' })({ description: 'form of the result' }),
  fields: Flags.string({ helpGroup: 'GLOBAL', description: 'only these fields of the result', helpValue: 'a,b' }),
  query: Flags.string({ helpGroup: 'GLOBAL', description: 'a part of the result', helpValue: '<JMESPath>' }),
  raw: Flags.boolean({
    char: 'r',
    helpGroup: 'GLOBAL',
    description: 'with --query: texts without quotes, those of a list on a line each',
    dependsOn: ['query'],
  }),
  'no-input': Flags.boolean({ helpGroup: 'GLOBAL', description: 'never ask; PAYDESK_NO_INPUT=1 says the same' }),
  timeout: durationFlag({
    helpGroup: 'GLOBAL',
    description: 'time for the whole command, repeats included',
    helpValue: '120s',
  }),
  'connect-timeout': durationFlag({
    helpGroup: 'GLOBAL',
    description: 'time for a connection to stand',
    helpValue: '5s',
  }),
  'answer-timeout': durationFlag({ helpGroup: 'GLOBAL', description: 'time for one whole answer', helpValue: '30s' }),
  trace: Flags.boolean({ helpGroup: 'GLOBAL', description: 'show every request and answer on stderr, secrets hidden' }),
  har: Flags.string({
    helpGroup: 'GLOBAL',
    description: 'keep every request and answer in a new HTTP archive, secrets hidden',
    helpValue: '<file>',
  }),
  color: Flags.option({ options: ['auto', 'always', 'never'] as const, helpGroup: 'GLOBAL' })({
    description: 'colours; NO_COLOR and CLICOLOR_FORCE are obeyed too',
  }),
  quiet: Flags.boolean({
    char: 'q',
    helpGroup: 'GLOBAL',
    description: 'no remarks on stderr, only warnings and errors',
  }),
}

/** The shared flags that choose the profile of a command, and the time it may take. */
export interface SharedFlags {
  readonly profile?: string | undefined
  readonly timeout?: number | undefined
  readonly 'connect-timeout'?: number | undefined
  readonly 'answer-timeout'?: number | undefined
  readonly trace?: boolean | undefined
  readonly har?: string | undefined
}

/** An argument that must be there. */
export const named = (description: string) => Args.string({ ignoreStdin: true, required: true, description })

/** Arguments and flags that several commands have: how an object of the service is named, and how this machine is. */
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

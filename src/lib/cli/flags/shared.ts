/** Flags and arguments that several commands have. */
import { Args, Flags } from '@oclif/core'
import { forms } from '../output/choice.ts'
import { durationFlag } from './times.ts'

export const sharedFlags = {
  profile: Flags.string({
    char: 'p',
    helpGroup: 'GLOBAL',
    description: 'profile to use',
    helpValue: '<name>',
  }),
  json: Flags.boolean({ helpGroup: 'GLOBAL', description: 'print the result as JSON; short for --output json' }),
  output: Flags.option({ options: forms, helpGroup: 'GLOBAL' })({ description: 'format of the result' }),
  fields: Flags.string({ helpGroup: 'GLOBAL', description: 'only these fields of the result', helpValue: 'a,b' }),
  query: Flags.string({
    helpGroup: 'GLOBAL',
    description: 'JMESPath expression that selects a part of the result',
    helpValue: '<JMESPath>',
  }),
  raw: Flags.boolean({
    char: 'r',
    helpGroup: 'GLOBAL',
    description: 'with --query: print texts without quotes, one list item per line',
    dependsOn: ['query'],
  }),
  'no-input': Flags.boolean({ helpGroup: 'GLOBAL', description: 'never ask; like PAYDESK_NO_INPUT=1' }),
  timeout: durationFlag({
    helpGroup: 'GLOBAL',
    description: 'time for the whole command, including retries',
    helpValue: '120s',
  }),
  'connect-timeout': durationFlag({
    helpGroup: 'GLOBAL',
    description: 'time to connect',
    helpValue: '5s',
  }),
  'answer-timeout': durationFlag({
    helpGroup: 'GLOBAL',
    description: 'time for one complete answer',
    helpValue: '30s',
  }),
  trace: Flags.boolean({
    helpGroup: 'GLOBAL',
    description: 'show requests and answers on stderr, with secrets hidden',
  }),
  har: Flags.string({
    helpGroup: 'GLOBAL',
    description: 'write requests and answers to a new HTTP archive (HAR), with secrets hidden',
    helpValue: '<file>',
  }),
  color: Flags.option({ options: ['auto', 'always', 'never'] as const, helpGroup: 'GLOBAL' })({
    description: 'colours; NO_COLOR and CLICOLOR_FORCE work as well',
  }),
  quiet: Flags.boolean({
    char: 'q',
    helpGroup: 'GLOBAL',
    description: 'only warnings and errors on stderr',
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
export const whereItsIdIs = `The subscriptionId comes with the subscription's callback (\`subscription list\`), not with the order; in the
sandbox \`sandbox ledger\` shows it as well.`

/** A name under which a tunnel or a proxy of the user leads to a command that serves. */
export const allowHostFlag = Flags.string({
  description: 'your own host name that leads here, such as a tunnel; can be repeated',
  helpValue: '<name>',
  multiple: true,
  multipleNonGreedy: true,
})

/** Flags of the commands that begin a world, or go on with one. */
import { Flags } from '@oclif/core'
import { Failure } from '../../failure.ts'
import type { ProviderLists } from '../../sandbox/accounts/settings.ts'
import type { NewWorld } from '../../sandbox/accounts/world.ts'

/** The first number of the sandbox's transactions. An identifier is a whole number that SQLite holds with room above it. */
const firstTransactionIdFlag = Flags.string({
  description: 'number of the next transaction; one above 2^53 shows whether a client reads identifiers exactly',
  helpValue: '<n>',
  parse: async (text) => {
    if (/^[1-9]\d{0,17}$/.test(text)) return text
    throw new Failure(
      'usage',
      `--first-transaction-id must be a whole number of 1 to 18 digits, got ${JSON.stringify(text)}`,
    )
  },
})

const strictFlag = Flags.boolean({
  description: 'refuse what is accepted beyond the specification and remarked only; the world keeps it',
  allowNo: true,
})

/** `directLinkProvider=BOG,TBC` as the list of one field. */
async function readProviders(text: string): Promise<Partial<ProviderLists>> {
  const { providerFields } = await import('../../contract/order/fields.ts')
  const [name = '', ...rest] = text.split('=')
  const field = providerFields.find((each) => each === name.trim())
  const codes = rest
    .join('=')
    .split(',')
    .map((code) => code.trim())
  if (field && rest.length > 0 && !codes.includes('')) return { [field]: [...new Set(codes)] }
  throw new Failure(
    'usage',
    `--provider must be one of ${providerFields.join(', ')}, then = and its codes, got ${JSON.stringify(text)}`,
  )
}

const providerFlag = Flags.custom<Partial<ProviderLists>>({
  description: 'the codes that a field for a provider takes, such as directLinkProvider=BOG,TBC; the world keeps them',
  helpValue: '<field>=<code>,…',
  multiple: true,
  multipleNonGreedy: true,
  parse: readProviders,
})

/** Names of other initiators of a refund. */
const otherInitiators = ['INTEGRATOR', 'OPERATOR']

const refundedByFlag = Flags.string({
  description: 'the name in REFUNDED_BY_<name>, the status after a refund of the service itself; the world keeps it',
  helpValue: '<name>',
  parse: async (text) => {
    if (/^[A-Z][A-Z\d_]{0,39}$/.test(text) && !otherInitiators.includes(text)) return text
    throw new Failure(
      'usage',
      `--refunded-by must be a name of 1 to 40 capital letters, digits and _, other than ${otherInitiators.join(' and ')}, got ${JSON.stringify(text)}`,
    )
  },
})

export const worldFlags = {
  'first-transaction-id': firstTransactionIdFlag,
  strict: strictFlag,
  provider: providerFlag(),
  'refunded-by': refundedByFlag,
}

interface GivenWorldFlags {
  readonly 'first-transaction-id'?: string | undefined
  readonly strict?: boolean | undefined
  readonly provider?: readonly Partial<ProviderLists>[] | undefined
  readonly 'refunded-by'?: string | undefined
}

/** The world that these flags ask for; nothing where they were not given. */
export function worldOf({
  'first-transaction-id': firstTransactionId,
  strict,
  provider = [],
  'refunded-by': refundedBy,
}: GivenWorldFlags): NewWorld {
  const providers: Partial<ProviderLists> = Object.assign({}, ...provider)
  return { firstTransactionId, strict, refundedBy, ...(provider.length > 0 ? { providers } : {}) }
}

/**
 * What the commands of the sandbox share: its opening, the flags of its world, and its accounts and requests as people see
 * them.
 */
import { Flags } from '@oclif/core'
import { withoutEnd } from '../ends.ts'
import type { InspectedField } from '../envelope/diagnose/inspect.ts'
import { Failure } from '../failure.ts'
import { printableJson } from '../json.ts'
import type { ResultOf } from '../result.ts'
import type { ProviderLists } from '../sandbox/accounts/settings.ts'
import type { DistributorClient, NewWorld } from '../sandbox/accounts/world.ts'
import type { RequestEntry, WholeRequest } from '../sandbox/log/entry.ts'
import type { worldExportResult } from '../sandbox/result.ts'
import type { Sandbox, WholeWorld } from '../sandbox/sandbox.ts'
import { singleQuoted } from '../shell-word.ts'
import type { Invocation } from './invocation.ts'
import { type Zone, zonedTime } from './output/time.ts'
import type { Block, Cell, View } from './output/view.ts'

/** Closed when the command ends. */
export async function ownSandbox(invocation: Invocation): Promise<Sandbox> {
  const { openSandbox } = await import('../sandbox/sandbox.ts')
  const { places, edge } = invocation
  const sandbox = await openSandbox(places.sandbox, edge.clock, edge.random)
  invocation.closeAtEnd(() => sandbox.close())
  return sandbox
}

/** Without a slash at its end. */
export const checkoutBaseFlag = Flags.string({
  description: 'start of urlForQR when payers come through a tunnel or proxy; see --allow-host',
  helpValue: 'https://…',
  parse: async (text) => {
    if (/^https?:\/\/[^\s\\?#@]+$/i.test(text) && URL.canParse(text)) return withoutEnd(new URL(text).href, '/')
    const why = 'must be an http or https address like https://pay.shop.example, without user, query and fragment'
    // Not quoted: it may hold a password.
    throw new Failure('usage', `--checkout-base ${why}`)
  },
})

/** The first number of the sandbox's transactions. An identifier is a whole number that SQLite holds with room above it. */
const firstTransactionIdFlag = Flags.string({
  description: 'number of the next transaction; above 2^53 it shows whether a client reads identifiers exactly',
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
  description: 'refuse requests that go beyond the specification; the setting is stored',
  allowNo: true,
})

/** `directLinkProvider=BOG,TBC` as the list of one field. */
async function readProviders(text: string): Promise<Partial<ProviderLists>> {
  const { providerFields } = await import('../contract/order/request.ts')
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
  description: 'allowed codes of a provider field, such as directLinkProvider=BOG,TBC; the setting is stored',
  helpValue: '<field>=<code>,…',
  multiple: true,
  multipleNonGreedy: true,
  parse: readProviders,
})

/** Names of other initiators of a refund. */
const otherInitiators = ['INTEGRATOR', 'OPERATOR']

const refundedByFlag = Flags.string({
  description: 'name in REFUNDED_BY_<name>, the status after a refund by the service; the setting is stored',
  helpValue: '<name>',
  parse: async (text) => {
    if (/^[A-Z][A-Z\d_]{0,39}$/.test(text) && !otherInitiators.includes(text)) return text
    throw new Failure(
      'usage',
      `--refunded-by must be a name of 1 to 40 capital letters, digits and _, other than ${otherInitiators.join(' and ')}, got ${JSON.stringify(text)}`,
    )
  },
})

/** Flags of the commands that begin a world, or go on with one. */
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

/** The tenants of the sandbox as people see them, and what `sandbox world` hands out to other programs. */
export function worldView(world: WholeWorld): View {
  return [
    {
      kind: 'facts',
      rows: [
        ['world', world.worldId],
        ['strict', world.settings.strict ? 'yes' : 'no'],
        ['its own refunds', `REFUNDED_BY_${world.settings.refundedBy}`],
      ],
    },
    ...world.distributorClients.flatMap(payers),
    ...sealers(world),
    people(world),
    ...props(world),
  ]
}

/** Lines for a shell; with --keys alone the names of the files. */
export function worldExportView({ variables, files }: ResultOf<typeof worldExportResult>): View {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${singleQuoted(value)}`)
  return [{ kind: 'text', text: (lines.length > 0 ? lines : files).join('\n') }]
}

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): Block {
  return { kind: 'table', head, rows, empty: '' }
}

function payers(client: DistributorClient): Block[] {
  const { limits } = client
  return [
    {
      kind: 'facts',
      title: client.name,
      rows: [
        ['client id', client.clientId],
        ['client secret', client.clientSecret],
        ['pays out by', client.paysOutBy],
        ['permissions', client.permissions.join(', ') || 'none'],
        ['per payout', limits ? `${limits.minimum} to ${limits.maximum}` : 'no limits'],
      ],
    },
    table(
      ['account', 'currency', 'balance', ''],
      client.accounts.map(({ iban, currency, balance, main }) => [iban, currency, balance, main ? 'main' : null]),
    ),
  ]
}

function sealers({ integrators, walletIntegrators }: WholeWorld): Block[] {
  return [
    ...integrators.map(
      ({ name, integratorId, orderType, scheme, keyBits, permissions, orderLimits, defaults }): Block => ({
        kind: 'facts',
        title: `${name}: orders`,
        rows: [
          ['integrator id', integratorId],
          ['order type', orderType],
          ['scheme', scheme],
          ['keys', `${keyBits} bits`],
          ['permissions', permissions.join(', ') || 'none'],
          ['per order', `${orderLimits.minimum} to ${orderLimits.maximum}`],
          ['commission', defaults.commissionType],
        ],
      }),
    ),
    table(
      ['wallet', 'identifier', 'scheme'],
      walletIntegrators.map(({ name, identifier, scheme }) => [name, identifier, scheme]),
    ),
  ]
}

function people({ receivers }: WholeWorld): Block {
  return table(
    ['receiver', 'type', 'name', 'for', 'default bank', 'language', ''],
    receivers.map(({ receiverId, receiverType, name, use, note, defaultBank, language }) => [
      ...[receiverId, receiverType, name, use, defaultBank, language, note],
    ]),
  )
}

function props({ qrAddresses, testCards, rates, magicDescriptions, settings }: WholeWorld): Block[] {
  return [
    table(
      ['QR code', 'amount', 'address'],
      qrAddresses.map(({ what, amount, uri }) => [what, amount, uri]),
    ),
    table(
      ['test card', 'number', 'good until', 'outcome'],
      testCards.map(({ name, cardMask, expirationDate, outcome }) => [name, cardMask, expirationDate, outcome]),
    ),
    table(
      ['field', 'takes the providers'],
      Object.entries(settings.providers).map(([field, codes]) => [field, codes.join(', ')]),
    ),
    table(['one', 'is worth in GEL'], Object.entries(rates)),
    table(
      ['a payout described as', 'ends in'],
      magicDescriptions.map(({ description, endsIn }) => [description, endsIn]),
    ),
  ]
}

/** Hours are enough for a log; the head names their zone. */
export function requestTable(requests: readonly RequestEntry[], zone: Zone): View {
  const offset = zonedTime(Date.parse(requests[0]?.time ?? '1970-01-01'), zone).offset
  const anyRemarked = requests.some(({ remarks }) => remarks.length > 0)
  return [
    {
      kind: 'table',
      head: [
        'id',
        `time ${offset}`,
        'operation',
        'who',
        'HTTP',
        'code',
        'fault',
        'verdict',
        ...(anyRemarked ? ['remarks'] : []),
      ],
      rows: requests.map(({ id, time, method, path, operation, who, http, code, fault, verdict, remarks }) => [
        id,
        `${zonedTime(Date.parse(time), zone).time}${time.slice(19, 23)}`,
        operation ?? `${method} ${path}`,
        who,
        http,
        code,
        fault,
        verdict,
        ...(anyRemarked ? [remarks.join('; ') || null] : []),
      ]),
      empty: 'No requests found.',
    },
  ]
}

function lengths(field: InspectedField | null): string | null {
  return field && `${field.characters} characters${field.bytes === null ? ', no base64' : `, ${field.bytes} bytes`}`
}

const remarked = (remarks: readonly string[]) =>
  remarks.map((remark, at) => [at === 0 ? 'remarks' : '', remark] as const)

function envelope({ envelope }: WholeRequest): Block[] {
  if (!envelope) return []
  const { layout, opened, step, sealedTo, encryptedData, encryptedKeys, rsaBits, remarks } = envelope
  const rows: Extract<Block, { kind: 'facts' }>['rows'] = [
    ['lay as', layout ?? 'nothing of the kind'],
    ['opened with', opened],
    ['did not open at', step],
    ['sealed to', sealedTo],
    ['encryptedData', lengths(encryptedData)],
    ['encryptedKeys', lengths(encryptedKeys)],
    ['RSA key', rsaBits === null ? null : `${rsaBits} bits`],
    ...remarked(remarks),
  ]
  return [{ kind: 'facts', title: 'Envelope', rows }]
}

function json(title: string, value: unknown): Block[] {
  return value === null ? [] : [{ kind: 'text', text: `${title}\n${printableJson(value, 2)}` }]
}

export function wholeRequestView(request: WholeRequest): View {
  const { id, time, milliseconds, method, path, operation, who, identifier, http, code, verdict, rule, fault } = request
  return [
    {
      kind: 'facts',
      rows: [
        ['request', id],
        ['time', `${time}, ${milliseconds} ms`],
        ['', `${method} ${path}`],
        ['operation', operation],
        ['who', [who, identifier].filter((part) => part !== null).join(', ') || null],
        ['verdict', verdict],
        ['rule', rule],
        ...remarked(request.remarks),
        ['HTTP', http ?? 'no whole answer'],
        ['code', code],
        ['fault', fault],
      ],
    },
    ...json('Payload', request.payload),
    ...envelope(request),
    ...json('Answer', request.answer),
  ]
}

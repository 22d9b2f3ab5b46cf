/**
 * What the commands of the sandbox share: its opening, the flags of its world, and its accounts and requests as people see
 * them.
 */
import { Flags, type Interfaces } from '@oclif/core'
import { serviceZoneHours } from '../contract/assumed.ts'
import type { InspectedField } from '../envelope/diagnose/inspect.ts'
import { Failure } from '../failure.ts'
import { printableJson } from '../json.ts'
import type { ResultOf } from '../result.ts'
import type { ProviderLists } from '../sandbox/accounts/settings.ts'
import type { DistributorClient, NewWorld } from '../sandbox/accounts/world.ts'
import type { RequestEntry, WholeRequest } from '../sandbox/log/entry.ts'
import type { worldExportResult } from '../sandbox/result.ts'
import type { Sandbox, WholeWorld } from '../sandbox/sandbox.ts'
import { singleQuoted, withoutEnd } from '../text.ts'
import type { Invocation } from './invocation.ts'
import { type Zone, zonedTime } from './output/time.ts'
import { factsOf, type Labels, labelled, tableOf, textView, type View } from './output/view.ts'

export async function ownSandbox(invocation: Invocation): Promise<Sandbox> {
  const { openSandbox } = await import('../sandbox/sandbox.ts')
  const { places, edge } = invocation
  const sandbox = await openSandbox(places.sandbox, edge.clock, edge.random)
  invocation.closeAtEnd(() => sandbox.close())
  return sandbox
}

const serviceOffset = `+${String(serviceZoneHours).padStart(2, '0')}:00`

/** A time of the service, which it writes without its zone, as one that a person reads on their own clock. */
export function timeAtService(text: string | null): string | null {
  return text && new Date(Date.parse(`${text}${serviceOffset}`)).toISOString()
}

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

/** The world that these flags ask for; nothing where they were not given. */
export function worldOf({
  'first-transaction-id': firstTransactionId,
  strict,
  provider = [],
  'refunded-by': refundedBy,
}: Interfaces.InferredFlags<typeof worldFlags>): NewWorld {
  const providers: Partial<ProviderLists> = Object.assign({}, ...provider)
  return { firstTransactionId, strict, refundedBy, ...(provider.length > 0 ? { providers } : {}) }
}

/** The accounts of the sandbox as people see them, and what `sandbox world` hands out to other programs. */
export function worldView(world: WholeWorld): View {
  const { settings, rates } = world
  const providers = Object.entries(settings.providers).map(([field, codes]) => ({ field, codes: codes.join(', ') }))
  return [
    factsOf(world, {
      world: 'worldId',
      strict: () => (settings.strict ? 'yes' : 'no'),
      'its own refunds': () => `REFUNDED_BY_${settings.refundedBy}`,
    }),
    ...world.distributorClients.flatMap((client) => [
      factsOf(client, clientLabels, client.name),
      tableOf(client.accounts, accountColumns),
    ]),
    ...world.integrators.map((each) => factsOf(each, integratorLabels, `${each.name}: orders`)),
    tableOf(world.walletIntegrators, { wallet: 'name', identifier: 'identifier', scheme: 'scheme' }),
    tableOf(world.receivers, receiverColumns),
    tableOf(world.qrAddresses, { 'QR code': 'what', amount: 'amount', address: 'uri' }),
    tableOf(world.testCards, testCardColumns),
    tableOf(providers, { field: 'field', 'takes the providers': 'codes' }),
    tableOf(Object.entries(rates), { one: ([currency]) => currency, 'is worth in GEL': ([, rate]) => rate }),
    tableOf(world.magicDescriptions, { 'a payout described as': 'description', 'ends in': 'endsIn' }),
  ]
}

const permissionsInWords = ({ permissions }: { readonly permissions: readonly string[] }) =>
  permissions.join(', ') || 'none'

const clientLabels: Labels<DistributorClient> = {
  'client id': 'clientId',
  'client secret': 'clientSecret',
  'pays out by': 'paysOutBy',
  permissions: permissionsInWords,
  'per payout': ({ limits }) => (limits ? `${limits.minimum} to ${limits.maximum}` : 'no limits'),
}

const accountColumns: Labels<DistributorClient['accounts'][number]> = {
  account: 'iban',
  currency: 'currency',
  balance: 'balance',
  '': ({ main }) => (main ? 'main' : null),
}

const integratorLabels: Labels<WholeWorld['integrators'][number]> = {
  'integrator id': 'integratorId',
  'order type': 'orderType',
  scheme: 'scheme',
  keys: ({ keyBits }) => `${keyBits} bits`,
  permissions: permissionsInWords,
  'per order': ({ orderLimits }) => `${orderLimits.minimum} to ${orderLimits.maximum}`,
  commission: ({ defaults }) => defaults.commissionType,
}

const receiverColumns: Labels<WholeWorld['receivers'][number]> = {
  receiver: 'receiverId',
  type: 'receiverType',
  name: 'name',
  for: 'use',
  'default bank': 'defaultBank',
  language: 'language',
  '': 'note',
}

const testCardColumns: Labels<WholeWorld['testCards'][number]> = {
  'test card': 'name',
  number: 'cardMask',
  'good until': 'expirationDate',
  outcome: 'outcome',
}

/** Lines for a shell; with --keys alone the names of the files. */
export function worldExportView({ variables, files }: ResultOf<typeof worldExportResult>): View {
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${singleQuoted(value)}`)
  return textView((lines.length > 0 ? lines : files).join('\n'))
}

/** Hours are enough for a log; the head names their zone. */
export function requestTable(requests: readonly RequestEntry[], zone: Zone): View {
  const { offset } = zonedTime(Date.parse(requests[0]?.time ?? '1970-01-01'), zone)
  const remarks: Labels<RequestEntry> = { remarks: ({ remarks }) => remarks.join('; ') || null }
  const columns: Labels<RequestEntry> = {
    id: 'id',
    [`time ${offset}`]: ({ time }) => `${zonedTime(Date.parse(time), zone).time}${time.slice(19, 23)}`,
    operation: ({ operation, method, path }) => operation ?? `${method} ${path}`,
    who: 'who',
    HTTP: 'http',
    code: 'code',
    fault: 'fault',
    verdict: 'verdict',
    ...(requests.some(({ remarks }) => remarks.length > 0) ? remarks : {}),
  }
  return [tableOf(requests, columns, 'No requests found.')]
}

function lengths(field: InspectedField | null): string | null {
  return field && `${field.characters} characters${field.bytes === null ? ', no base64' : `, ${field.bytes} bytes`}`
}

const remarked = ({ remarks }: { readonly remarks: readonly string[] }) =>
  remarks.map((remark, at) => [at === 0 ? 'remarks' : '', remark] as const)

type Envelope = NonNullable<WholeRequest['envelope']>

const envelopeLabels: Labels<Envelope> = {
  'lay as': ({ layout }) => layout ?? 'nothing of the kind',
  'opened with': 'opened',
  'did not open at': 'step',
  'sealed to': 'sealedTo',
  encryptedData: ({ encryptedData }) => lengths(encryptedData),
  encryptedKeys: ({ encryptedKeys }) => lengths(encryptedKeys),
  'RSA key': ({ rsaBits }) => (rsaBits === null ? null : `${rsaBits} bits`),
}

const requestLabels: Labels<WholeRequest> = {
  request: 'id',
  time: ({ time, milliseconds }) => `${time}, ${milliseconds} ms`,
  '': ({ method, path }) => `${method} ${path}`,
  operation: 'operation',
  who: ({ who, identifier }) => [who, identifier].filter((part) => part !== null).join(', ') || null,
  verdict: 'verdict',
  rule: 'rule',
}

const answerLabels: Labels<WholeRequest> = {
  HTTP: ({ http }) => http ?? 'no whole answer',
  code: 'code',
  fault: 'fault',
}

const jsonView = (title: string, value: unknown) =>
  value === null ? [] : textView(`${title}\n${printableJson(value, 2)}`)

export function wholeRequestView(request: WholeRequest): View {
  const { envelope, payload, answer } = request
  const rows = [...labelled(request, requestLabels), ...remarked(request), ...labelled(request, answerLabels)]
  const sealed = envelope && [...labelled(envelope, envelopeLabels), ...remarked(envelope)]
  return [
    { kind: 'facts', rows },
    ...jsonView('Payload', payload),
    ...(sealed ? [{ kind: 'facts', title: 'Envelope', rows: sealed } as const] : []),
    ...jsonView('Answer', answer),
  ]
}

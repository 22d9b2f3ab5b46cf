/**
 * The consent that a profile demands before a write is sent: everything of the request in lines for a person, and the
 * phrase of --confirm.
 */
import type { ChalkInstance } from 'chalk'
import { fromMinorUnits, minorUnits } from '../../contract/core/decimal.ts'
import { fieldsOf } from '../../contract/core/field.ts'
import { accountInWords } from '../../contract/core/iban.ts'
import { isMembers, type Members } from '../../contract/core/members.ts'
import { normalId } from '../../contract/core/text.ts'
import type { RequestOf, WriteOperation } from '../../contract/operation.ts'
import { idForKey, scopeOf } from '../../desk/new-intent.ts'
import type { PayeeStanding } from '../../desk/payees.ts'
import { toFailure } from '../../desk/writes.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Profile } from '../../profile/profile.ts'
import { journalOf } from '../desk/journal.ts'
import type { Invocation } from '../invocation.ts'
import { terminalAsker } from '../prompts/ask.ts'
import { requireConsent } from '../prompts/confirm.ts'
import type { OpenDesk, RequestFields, Write } from './request.ts'

const entries = (details: unknown) => (Array.isArray(details) ? details.filter(isMembers) : [])

const isTrue = (value: unknown) => value === 'true'

const byWords: Readonly<Record<string, string>> = {
  SENDER: 'the payer pays the commission',
  RECEIVER: 'the receiver pays the commission',
  BOTH: 'payer and receiver share the commission',
}

/** Shown in the lines about sum and payee, the same for every request of a profile, or told together with another field. */
const toldElsewhere = new Set([
  ...['amount', 'currency', 'description', 'beneficiaryName', 'toIban', 'receiverId', 'receiverType'],
  ...['integratorId', 'identifier'],
  ...['tipReceiverType', 'debtorIban', 'debtorIdentityNumber'],
])

type Words = (value: unknown, request: Members) => string | readonly string[]

/** The words of a field; one that is not in this table is told by its name. */
const words: Readonly<Record<string, Words>> = {
  beneficiaryIdentityNumber: (number) => `identity number ${number}`,
  beneficiaryAddress: (address) => `address ${address}`,
  birthDate: (date) => `born ${date}`,
  fromIban: (account) => `debits ${accountInWords(String(account))}`,
  debtorName: payerInWords,
  uniqueId: (id) => `id  ${id}`,
  integratorOrderId: (id) => `id  ${id}`,
  acquiringCurrency: (currency) => `charges the payer in ${currency}`,
  distributionCurrency: (currency) => `pays the receiver in ${currency}`,
  tipReceiverId: (id, { tipReceiverType: type }) => `a tip goes to ${[type, id].filter(Boolean).join(' ')}`,
  successRedirectUri: (address) => `after success the payer is sent to ${address}`,
  failRedirectUri: (address) => `after failure the payer is sent to ${address}`,
  callbackUri: (address) => `the service calls ${address}`,
  directLinkProvider: (code) => `paid by card at ${code}`,
  openBankingLinkProvider: (code) => `paid by open banking at ${code}`,
  cryptoPaymentProvider: (code) => `paid in cryptocurrency through ${code}`,
  installmentPaymentProvider: (code) => `paid by installments at ${code}`,
  personalNumber: (number) => `personal number of the payer ${number}`,
  isForeign: (value) => `the payer is ${isTrue(value) ? 'a foreign' : 'a Georgian'} citizen`,
  validUntil: (moment) =>
    `may be paid until ${moment}${/[Zz]|[+-]\d{2}:?\d{2}$/.test(String(moment)) ? '' : ' (Tbilisi)'}`,
  language: (code) => `checkout page in ${code}`,
  commissionType: (type) => byWords[String(type)] ?? `commission ${type}`,
  saveCard: (value) => (isTrue(value) ? 'saves the card of the payer' : []),
  subscriptionPlan: planInWords,
  splitDetails: (parts) =>
    entries(parts).map((each) => `split ${each.receiverType} ${each.receiverIdentifier}: ${each.amount}`),
  orderProperties: (properties) => Object.entries(isMembers(properties) ? properties : {}).flatMap(propertyInWords),
  payWithPreAuth: (value) => (isTrue(value) ? 'only blocks the amount; `order complete` captures it' : []),
  refundInitiator: (initiator) => `asked for by the ${String(initiator).toLowerCase()}`,
  refundDetails: (parts) =>
    entries(parts).map((each) => `given back by ${each.receiverType} ${each.receiverIdentifier}: ${each.amount}`),
  finalStatus: (status) => `ends as ${status}`,
}

function payerInWords(_name: unknown, { debtorName, debtorIban, debtorIdentityNumber }: Members): string {
  const payer = [debtorName, debtorIban && accountInWords(String(debtorIban)), debtorIdentityNumber].filter(Boolean)
  return `names the payer to the bank: ${payer.join(', ')}`
}

/** Its price is the sum that is agreed to. */
function planInWords(plan: unknown): readonly string[] {
  if (!isMembers(plan)) return []
  const { startDate, callbackUrl } = plan
  return [
    `for the first time ${startDate === undefined ? 'at once' : `on ${startDate}`}`,
    ...(callbackUrl === undefined ? [] : [`the service calls ${callbackUrl} about each charge`]),
  ]
}

function propertyInWords([key, property]: readonly [string, unknown]): readonly string[] {
  if (!isMembers(property)) return []
  return [`${key} ${property.value}${isTrue(property.isEditable) ? ' (the payer may change it)' : ''}`]
}

/** Lines for a person; none where the request has nothing of it. A card token is told by who charges it. */
function consentFacts({ request: contract, moves }: WriteOperation, request: Members): readonly string[] {
  const { payee } = moves(request)
  const { debtorName, debtorIban, debtorIdentityNumber } = request
  const payer = debtorName ?? debtorIban ?? debtorIdentityNumber
  const told: Members = payer === undefined ? request : { ...request, debtorName: debtorName ?? '' }
  return fieldsOf(contract)
    .filter(({ name, secret }) => told[name] !== undefined && !secret && !toldElsewhere.has(name))
    .filter(({ name }) => !payee.includes(String(told[name])) || told[name] === '')
    .flatMap(({ name }) => words[name]?.(told[name], told) ?? `${name} ${told[name]}`)
}

interface Who {
  readonly name: string
  readonly environment: keyof typeof moneyOf
}

const moneyOf = { sandbox: 'sandbox: no real money', test: 'test', live: 'LIVE: REAL MONEY' } as const

/** Facts that the request does not tell. */
interface KnownBefore {
  readonly currency: string | null
  readonly details: readonly string[]
  /** The sum of the order of which a part is moved, in words; null where it is not known, left out where there is none. */
  readonly whole?: string | null | undefined
  readonly standing: PayeeStanding | null
  readonly ink: ChalkInstance
}

const describePlanState = {
  known: 'in the list of payees',
  seen: 'not in the list of payees, but paid before',
  new: 'NEW: first payment to this account',
} as const

function standingLines(standing: PayeeStanding | null): readonly string[] {
  // An account that is listed for somebody else is no listed payee, and one paid under another name is no comfort.
  if (!standing?.kind || (standing.kind !== 'new' && standing.alarms.length > 0)) return []
  const id = standing.payeeId === null ? '' : ` (${standing.payeeId})`
  return [`    ${describePlanState[standing.kind]}${id}`]
}

function alarmLines(standing: PayeeStanding | null): readonly string[] {
  if (!standing || standing.alarms.length === 0) return []
  const ask = 'Call the payee first, on a number that did not come with this request.'
  const lines = standing.alarms.flatMap(({ says, known }) => [
    `CAUTION: ${says}:`,
    ...known.map((each) => `         ${accountInWords(each)}`),
  ])
  return [...lines, ask, '']
}

/** The sum that a write moves, "GEL 12.50" or a plan's price; null where it moves none. `known`: its currency, where it names none. */
function sumAsked(operation: WriteOperation, request: Members, known: string | null): string | null {
  const { amount, currency, price } = operation.moves(request)
  const moved =
    amount === null ? null : [currency ?? known, fromMinorUnits(minorUnits(amount) ?? 0n)].filter(Boolean).join(' ')
  return price ?? moved
}

/** The text that --confirm takes for a write: its sum, or its id where it moves none. */
export function consentPhrase(operation: WriteOperation, request: Members, known: string | null): string {
  const id = operation.idField === null ? operation.name : String(request[operation.idField])
  return sumAsked(operation, request, known) ?? id
}

/** The write in lines for a person, and the phrase of --confirm. */
export function consentTo(
  operation: WriteOperation,
  request: Members,
  who: Who,
  { currency: known, details, whole, standing, ink }: KnownBefore,
) {
  const { payee } = operation.moves(request)
  const sum = sumAsked(operation, request, known)
  const environment = moneyOf[who.environment]
  const lines =
    operation.area === 'A'
      ? [
          ...alarmLines(standing),
          ...[`Pay ${sum}`, `to  ${payeeInWords(payee, request)}`],
          ...standingLines(standing),
          ...[`for ${request.description ?? ''}`, ...consentFacts(operation, request), ...details],
        ]
      : [
          whole === undefined
            ? summaryOf(operation, sum)
            : `${operation.label} ${[sum, whole].filter(Boolean).join(' of ')}`,
          ...[`on  ${payee}`, ...consentFacts(operation, request), ...details],
        ]
  const live = who.environment === 'live'
  return {
    live,
    lines: [...lines, `as  ${who.name} (${environment})`],
    phrase: consentPhrase(operation, request, known),
    draw: (message: string) => (live ? message.replaceAll(environment, ink.red.bold(environment)) : message),
  }
}

const summaryOf = ({ summary }: WriteOperation, sum: string | null) => (sum === null ? summary : `${summary}: ${sum}`)

function payeeInWords(payee: string, { beneficiaryName }: Members): string {
  const name = beneficiaryName === undefined ? '' : `${beneficiaryName}, `
  return name + accountInWords(payee)
}

export interface AgreedTo<Request> {
  readonly request: Request
  /** True if a person has read all that is known of it. */
  readonly wasSeen: boolean
}

/** Throws a Failure: declined (3), usage (2). It says how an earlier run of the same write stands. */
export async function consentOf<Op extends WriteOperation>(
  invocation: Invocation,
  operation: Op,
  request: RequestOf<Op>,
  write: Write,
  desk: OpenDesk,
): Promise<AgreedTo<RequestOf<Op>>> {
  const { canAsk, edge, signal, output } = invocation
  const { flags, profile, currency = null, details = [], whole, remarksOn } = write
  const asker = canAsk && flags.confirm === undefined && !flags.yes ? terminalAsker(edge, signal) : null
  // Loaded for a person only.
  const terminal = asker && (await import('./at-terminal.ts'))
  try {
    const edit = terminal?.editorOf(invocation, operation, write) ?? null
    for (let asked = request; ; ) {
      const standing = await standingOf(invocation, profile, operation, asked, asker !== null)
      if (!asker) for (const { inWords } of standing?.alarms ?? []) invocation.warnings.add(inWords)
      const found = terminal && (await terminal.obstaclesOf(invocation, operation, asked, write))
      const more = found ? [...((await remarksOn?.(asked, desk)) ?? []), ...found.lines] : []
      const lines = [...details, ...new Set(more)]
      const verb = found?.isHeld ? 'store' : 'send'
      const isStopped = more.some((line) => line.startsWith('STOP: '))
      const what = consentTo(operation, asked, profile, { currency, details: lines, whole, standing, ink: output.ink })
      const end = await requireConsent({ ...what, verb, isStopped, mayEdit: edit !== null }, flags, asker)
      if (end === 'agreed' || !asker || !edit) return { request: asked, wasSeen: asker !== null }
      asked = await edit(asker, asked)
    }
  } catch (error) {
    const open = await openIntent({ journal: await journalOf(invocation), profile }, operation, request, flags.key)
    throw open ? toFailure(error, open, signal) : error
  }
}

async function standingOf(
  invocation: Invocation,
  profile: Profile,
  operation: WriteOperation,
  request: RequestFields,
  isTold: boolean,
): Promise<PayeeStanding | null> {
  if (operation.moves(request).payeeName === undefined) return null
  const { payeeStanding } = await import('../../desk/payees.ts')
  return payeeStanding({ journal: await journalOf(invocation), profile }, operation, request, isTold)
}

/** The intent that an earlier run of the same write left open. */
async function openIntent(
  desk: Parameters<typeof idForKey>[0],
  operation: WriteOperation,
  request: RequestFields,
  key: string | undefined,
): Promise<Intent | null> {
  const { idField } = operation
  const ownId = key === undefined ? null : await idForKey(desk, operation, key)
  const id = idField === null ? ownId : normalId(String(request[idField]))
  if (id === null) return null
  const filter = {
    scope: scopeOf(desk.profile),
    uniqueIds: [id],
    operations: [operation],
    states: ['unknown'],
    limit: 1,
  }
  const [open] = await desk.journal.list(filter)
  return open ?? null
}

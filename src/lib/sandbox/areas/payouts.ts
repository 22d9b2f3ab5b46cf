/** Payouts and their balance (area A): create, details, balance, the timeline of a payout, the ledger. */
import { z } from 'zod'
import { readRequest } from '../../client/bearer.ts'
import { descriptionSeparator, payoutTakes, recordedDistributionFlow, unknownPayout } from '../../contract/assumed.ts'
import { JsonNumber, minorUnits } from '../../contract/core/decimal.ts'
import type { Permits, ReadOperation, RequestOf, Violation } from '../../contract/operation.ts'
import { createPayout, payoutBalance, payoutDetails } from '../../contract/payout/payout.ts'
import { payoutEnd } from '../../contract/payout/status.ts'
import { validate } from '../../contract/validate.ts'
import type { Random } from '../../edge.ts'
import type { HttpRequest } from '../../http/message.ts'
import { writeJson } from '../../json.ts'
import { jsonAmount, type ResultOf, uuidText } from '../../result.ts'
import type { ClientRow, PayoutRow, SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import {
  type AccountBalance,
  addPayout,
  addPosting,
  duePayouts,
  findPayout,
  hasUniqueId,
  listAccounts,
  listPayouts,
  listReceivers,
  movePayout,
  nextTransactionId,
} from '../../store/sandbox/world.ts'
import { bearerRoute, findCaller } from '../access/bearer.ts'
import { takeLeniently } from '../access/leniency.ts'
import { currenciesOf, permitsOfClient } from '../accounts/world.ts'
import { localTime } from '../clock.ts'
import {
  anybody,
  type Handler,
  type HandlerContext,
  type Route,
  readUpToDate,
  type SandboxArea,
  violationsInWords,
} from '../handler.ts'
import { type KeptPayout, money, payoutRequest } from '../ledger.ts'
import { ruleBroken, unreadableBody } from '../log/reasons.ts'
import { type HandlerOutcome, type Refusal, refuse, type Shape } from '../shape.ts'

// The timeline of a payout. Real banks take minutes or days; here it is seconds by the clock that was given, and the
// description decides where it leads, so that every end can be met on purpose. INITIAL → PENDING → SUCCESS and
// INITIAL → FAILED are the ways that were seen (service.md#payout-statuses).

interface Step {
  /** Milliseconds after creation. */
  readonly after: number
  readonly status: string
}

function stepsTo(status: string): readonly Step[] {
  return [
    { after: 0, status: 'INITIAL' },
    { after: payoutTakes.otherwise * 1000, status },
  ]
}

/** Every timeline by the status it ends in. */
const timelines: Readonly<Record<string, readonly Step[]>> = {
  SUCCESS: [
    { after: 0, status: 'INITIAL' },
    { after: payoutTakes.PENDING * 1000, status: 'PENDING' },
    { after: payoutTakes.SUCCESS * 1000, status: 'SUCCESS' },
  ],
  FAILED: stepsTo('FAILED'),
  REJECTED: stepsTo('REJECTED'),
  DELETED: stepsTo('DELETED'),
  INITIAL_INSUFFICIENT_BALANCE: [{ after: 0, status: 'INITIAL_INSUFFICIENT_BALANCE' }],
}

const waitingForBalance = 'INITIAL_INSUFFICIENT_BALANCE'

export const magicDescriptions = [
  { description: 'sandbox:failed', endsIn: 'FAILED' },
  { description: 'sandbox:rejected', endsIn: 'REJECTED' },
  { description: 'sandbox:deleted', endsIn: 'DELETED' },
  { description: 'sandbox:insufficient-balance', endsIn: waitingForBalance },
] as const

const bankWords: Readonly<Record<string, string>> = {
  INITIAL: 'Created',
  PENDING: 'To be Signed',
  SUCCESS: 'Completed',
  REJECTED: 'Rejected by the bank',
  FAILED: 'Failed at the bank',
  DELETED: 'Deleted before execution',
  INITIAL_INSUFFICIENT_BALANCE: 'Waiting for the balance',
}

/** The words of a bank for SUCCESS as they were recorded, by the two letters of the bank in an IBAN (service.md#seen-since). */
const recordedSuccess: Readonly<Record<string, string>> = { BG: 'Completed', TB: 'success', LB: 'SUCCESS' }

/** The words as they were recorded: of a new payout, and of a paid one by the bank that it was paid to. */
function recordedWords(status: string, toIban: string | undefined): string | undefined {
  if (status === 'INITIAL') return 'Initial'
  return status === 'SUCCESS' ? recordedSuccess[toIban?.slice(4, 6) ?? ''] : undefined
}

export function statusDescription(status: string, shape: Shape, toIban?: string): string {
  const recorded = shape === 'recorded' ? recordedWords(status, toIban) : undefined
  return recorded ?? bankWords[status] ?? status
}

/** The final status of a payout with this description. */
function endFor(description: string): string {
  const magic = magicDescriptions.find((each) => each.description === description.toLowerCase())
  return magic?.endsIn ?? 'SUCCESS'
}

interface PayoutProgress {
  readonly status: string
  readonly due: number | null
}

/** The first step of a timeline, and when the next is due. */
function progressAtStart(endsIn: string, created: number): PayoutProgress {
  return progressOf(timelines[endsIn] ?? [], 0, created)
}

function progressOf(timeline: readonly Step[], at: number, created: number): PayoutProgress {
  const next = timeline[at + 1]
  return { status: timeline[at]?.status ?? 'INITIAL', due: next ? created + next.after : null }
}

function progressAt(payout: PayoutRow, now: number): PayoutProgress {
  const timeline = timelines[payout.ends_in] ?? []
  const at = timeline.findLastIndex((step) => payout.created + step.after <= now)
  return progressOf(timeline, Math.max(at, 0), payout.created)
}

/** Makes every move that is due. A payout that ends unpaid gives amount and commission back. */
async function advancePayouts(db: SandboxWriter, now: number): Promise<void> {
  for (const payout of await duePayouts(db, now)) {
    const { status, due } = progressAt(payout, now)
    await movePayout(db, payout.transaction_id, status, due)
    if (payoutEnd(status) !== 'not-paid') continue
    const { iban, transaction_id, amount, commission } = payout
    await addPosting(db, { iban, transaction_id, units: amount + commission, kind: 'return' })
  }
}

// The request of a create, read and held against the contract's rules. One breach waits: a wrong IBAN is told only
// after amount and balance (service.md#payouts, the check order that was seen), so the order is readable without a
// good one.

const withoutIban = createPayout.request.omit({ toIban: true })

interface Order {
  /** Every field as it came; toIban is the one that may still be wrong. The birth date of the debtor is not in the specification. */
  readonly fields: z.output<typeof withoutIban> & { readonly toIban?: unknown; readonly debtorBirthDate?: string }
  /** Minor units. */
  readonly amount: bigint
  /** The complaint about toIban, in words; null if there is none. */
  readonly ibanBreach: string | null
}

const ibanCode = 5023

function byPrecedence(one: Violation, other: Violation): number {
  // 5039 before 5047 before 5048; among the 5039 the two ways to the beneficiary first.
  return one.code - other.code || Number(other.field === 'toIban') - Number(one.field === 'toIban')
}

/** The order, or why it is none. */
function readPayoutRequest(http: HttpRequest, permits: Permits, context: HandlerContext): Order | Refusal {
  const received = readRequest(createPayout, http)
  if (received === null) {
    context.record({ cause: unreadableBody(http) })
    return { code: 5043, message: 'The body is not a readable JSON object', rule: 'A1: bodies are JSON' }
  }
  const { request: given, refusal } = takeLeniently(createPayout, received, context)
  const valid = validate(createPayout, given, { permits, orderType: null, now: context.clock.now() })
  const found = valid.ok ? [] : valid.violations
  const breaches = found.filter(({ code }) => code !== ibanCode).toSorted(byPrecedence)
  const [worst] = breaches
  if (worst) return { code: worst.code, message: violationsInWords(breaches), rule: ruleBroken(createPayout, worst) }
  if (refusal) return refusal
  const { toIban, ...others } = given
  const fields = withoutIban.parse(others)
  const { debtorBirthDate } = received.payload
  return {
    fields: {
      ...fields,
      ...(toIban === undefined ? {} : { toIban }),
      ...(typeof debtorBirthDate === 'string' ? { debtorBirthDate } : {}),
    },
    amount: minorUnits(fields.amount) ?? 0n,
    ibanBreach: found.length > 0 ? violationsInWords(found) : null,
  }
}

// A payout as answers tell of it, in either shape.

/** The answer of A1: recorded it is wrapped, and has a member more (service.md#payouts). */
function createdAnswer(payout: PayoutRow, shape: Shape): Readonly<Record<string, unknown>> {
  const value = {
    transactionId: new JsonNumber(payout.transaction_id),
    status: payout.status,
    statusDescription: statusDescription(payout.status, shape),
    uniqueId: payoutRequest(payout).uniqueId,
    createdAt: localTime(payout, 9),
  }
  return shape === 'documented' ? value : { value: { ...value, distributionFlow: recordedDistributionFlow } }
}

/** The answer of A2: a payout to a receiver has no toIban, one without commission no commissionAmount. */
function detailsValue(payout: PayoutRow, shape: Shape): Readonly<Record<string, unknown>> {
  const request = payoutRequest(payout)
  return {
    transactionId: new JsonNumber(payout.transaction_id),
    status: payout.status,
    statusDescription: statusDescription(payout.status, shape, request.toIban),
    amount: money(payout.amount),
    ...(request.toIban === undefined ? {} : { toIban: request.toIban }),
    currency: payout.currency,
    paymentDescription: paymentDescription(request, shape),
    uniqueId: request.uniqueId,
    createdAt: localTime(payout, 6),
    ...(payout.commission === 0 ? {} : { commissionAmount: money(payout.commission) }),
  }
}

function paymentDescription(request: KeptPayout, shape: Shape): string {
  if (shape === 'documented') return request.description
  const { debtorName, debtorIban, debtorIdentityNumber, debtorBirthDate, description } = request
  const parts = [debtorName, debtorIban, debtorIdentityNumber, debtorBirthDate, description]
  return parts.filter((part) => part !== undefined).join(descriptionSeparator)
}

// A1: a payout is decided and written in one transaction, so that two processes can neither overdraw an account nor
// execute one uniqueId twice. A refusal writes nothing: the uniqueId stays free.

/** The way to the beneficiary that the client is configured for (A1, rule 2). */
function refuseClosedWay(client: ClientRow, { fields }: Order): Refusal | null {
  const way = fields.toIban === undefined ? 'receiver' : 'iban'
  if (way === client.pays_out_by) return null
  const open =
    client.pays_out_by === 'iban' ? 'to an IBAN (toIban)' : 'to a registered receiver (receiverId, receiverType)'
  return { code: 5033, message: `No distribution strategy: this client pays out ${open} only` }
}

function closedCurrency(client: ClientRow, { fields }: Order): Refusal | null {
  if (currenciesOf(client).includes(fields.currency)) return null
  return { code: 5050, message: `currency ${fields.currency} is not allowed for this client` }
}

/** The account that is debited: the main one in the currency, or the one that fromIban names. */
function accountFor(accounts: readonly AccountBalance[], { fields }: Order): AccountBalance | Refusal {
  const { fromIban, currency } = fields
  const account = accounts.find((each) =>
    fromIban === undefined ? each.main === 1 && each.currency === currency : each.iban === fromIban,
  )
  if (account && account.currency !== currency) {
    return { code: 5051, message: `currency ${currency} is not configured for the account of fromIban` }
  }
  if (account) return account
  if (fromIban === undefined)
    return { code: 5051, message: `currency ${currency} is not configured: there is no account` }
  return { code: 5015, message: 'Balance not found: fromIban is no account of this client' }
}

function refuseOutsideLimits({ minimum, maximum }: ClientRow, { amount }: Order): Refusal | null {
  if (minimum !== null && amount < minimum) return { code: 5045, message: 'amount is below the smallest payout' }
  if (maximum !== null && amount > maximum) return { code: 5046, message: 'amount is above the largest payout' }
  return null
}

/** Per mille of the amount, rounded up to the next minor unit. */
function commissionOf(client: ClientRow, amount: bigint): bigint {
  return (amount * BigInt(client.commission_per_mille) + 999n) / 1000n
}

async function unknownReceiver(db: SandboxWriter, { fields }: Order): Promise<Refusal | null> {
  if (fields.receiverId === undefined) return null
  const id = fields.receiverId.toLowerCase()
  const known = (await listReceivers(db)).some(
    (each) => each.receiver_id === id && each.receiver_type === fields.receiverType,
  )
  return known ? null : { code: 5041, message: 'Receiver not found: check receiverId and receiverType' }
}

interface Decision {
  readonly account: AccountBalance
  readonly cost: bigint
  readonly commission: bigint
  readonly endsIn: string
}

/** The checks in the order that was seen; what comes first is what the caller hears. */
async function decide(db: SandboxWriter, client: ClientRow, order: Order): Promise<Decision | Refusal> {
  const closed = refuseClosedWay(client, order) ?? closedCurrency(client, order)
  if (closed) return closed
  const account = accountFor(await listAccounts(db, client.client_id), order)
  if ('code' in account) return account
  const outside = refuseOutsideLimits(client, order)
  if (outside) return outside
  const endsIn = endFor(order.fields.description)
  const takes = endsIn !== waitingForBalance
  const commission = takes ? commissionOf(client, order.amount) : 0n
  const cost = takes ? order.amount + commission : 0n
  if (cost > account.balance) return { code: 5038, message: 'Insufficient balance for amount and commission' }
  if (order.ibanBreach !== null) {
    return { code: 5023, message: `Invalid IBAN: ${order.ibanBreach}`, rule: `A1 ${order.ibanBreach}` }
  }
  const unknown = await unknownReceiver(db, order)
  if (unknown) return unknown
  if (await hasUniqueId(db, client.client_id, order.fields.uniqueId.toLowerCase())) {
    return { code: 5017, message: 'A payout with this uniqueId exists already' }
  }
  return { account, cost, commission, endsIn }
}

async function execute(
  db: SandboxWriter,
  client: ClientRow,
  order: Order,
  { account, cost, commission, endsIn }: Decision,
  now: number,
  random: Random,
): Promise<PayoutRow> {
  const payout: PayoutRow = {
    transaction_id: await nextTransactionId(db),
    client_id: client.client_id,
    // UUIDs are the same in capitals; what is echoed stays as it came.
    unique_id: order.fields.uniqueId.toLowerCase(),
    iban: account.iban,
    amount: Number(order.amount),
    commission: Number(commission),
    currency: order.fields.currency,
    ...progressAtStart(endsIn, now),
    ends_in: endsIn,
    created: now,
    nanoseconds: Math.floor(random.fraction() * 1_000_000),
    request: writeJson(order.fields),
  }
  await addPayout(db, payout)
  if (cost > 0n) {
    await addPosting(db, {
      iban: account.iban,
      transaction_id: payout.transaction_id,
      units: Number(cost),
      kind: 'debit',
    })
  }
  return payout
}

const answerCreate: Handler = async (http, context) =>
  await context.store.write(async (db) => {
    const { clock, random, record } = context
    const now = clock.now()
    await advancePayouts(db, now)
    const client = await findCaller(db, http, now)
    if (!client) return { kind: 'unauthenticated' }
    record({ who: client.client_id })
    const order = readPayoutRequest(http, permitsOfClient(client), context)
    if ('code' in order) return { kind: 'refused', refusal: order }
    const decision = await decide(db, client, order)
    if ('code' in decision) return { kind: 'refused', refusal: decision }
    return {
      kind: 'value',
      value: createdAnswer(await execute(db, client, order, decision, now, random), context.shape),
    }
  })

const createRoute = bearerRoute(createPayout, answerCreate)

// A2, the details of a payout, and the balance payouts are paid from. Reads that first make the moves that are due.

type Look<Op extends ReadOperation> = (
  db: SandboxReader,
  client: ClientRow,
  request: RequestOf<Op>,
  shape: Shape,
) => Promise<HandlerOutcome>

/** `absent` tells what counts where the request does not say it. */
function readRoute<Op extends ReadOperation>(
  operation: Op,
  look: Look<Op>,
  absent: (client: ClientRow) => Readonly<Record<string, unknown>> = () => ({}),
): Route {
  return bearerRoute(
    operation,
    async (http, context) =>
      await readUpToDate(context, async (db) => {
        const { clock, shape } = context
        const client = await findCaller(db, http, clock.now())
        if (!client) return { kind: 'unauthenticated' }
        context.record({ who: client.client_id })
        const received = readRequest(operation, http) ?? { payload: {}, read: {}, headers: {} }
        const { request, refusal } = takeLeniently(operation, received, context)
        const valid = validate(operation, { ...absent(client), ...request }, anybody(clock.now()))
        if (valid.ok && refusal) return { kind: 'refused', refusal }
        if (valid.ok) return await look(db, client, valid.request, shape)
        const [first] = valid.violations
        const rule = first ? { rule: ruleBroken(operation, first) } : {}
        return {
          kind: 'refused',
          refusal: { code: first?.code ?? 0, message: violationsInWords(valid.violations), ...rule },
        }
      }),
  )
}

const detailsRoute = readRoute(payoutDetails, async (db, client, { transaction_id }, shape) => {
  const payout = await findPayout(db, client.client_id, transaction_id.replace(/^0+(?=\d)/, ''))
  if (payout) return { kind: 'value', value: detailsValue(payout, shape) }
  const message = 'Transaction not found: no payout of this client has this transaction_id'
  const { statusCode: code, http } = unknownPayout
  return {
    kind: 'refused',
    refusal: { code, message, http, rule: 'A2, service.md#payout-codes: no payout has this transaction_id' },
  }
})

const balanceRoute = readRoute(
  payoutBalance,
  async (db, client, { currency }) => {
    const accounts = await listAccounts(db, client.client_id)
    const main = accounts.find((account) => account.main === 1 && account.currency === currency)
    if (!main || !currenciesOf(client).includes(currency)) {
      return refuse(5015, `Balance not found: this client has no account in ${currency}`)
    }
    return { kind: 'value', value: { amount: money(main.balance), currency } }
  },
  (client) => ({ currency: currenciesOf(client)[0] }),
)

const payoutReads: readonly Route[] = [detailsRoute, balanceRoute]

export const payoutArea: SandboxArea = { routes: [createRoute, ...payoutReads], moves: [advancePayouts] }

export type LedgerPayout = ResultOf<typeof ledgerPayoutResult>

export async function payoutLedger(db: SandboxReader): Promise<LedgerPayout[]> {
  return (await listPayouts(db)).map((payout) => ({
    uniqueId: payoutRequest(payout).uniqueId,
    transactionId: payout.transaction_id,
    amount: money(payout.amount),
    currency: payout.currency,
    status: payout.status,
    executions: payout.executions,
    clientId: payout.client_id,
    createdAt: localTime(payout, 6),
  }))
}

/** A payout as the ledger tells of it. */
export const ledgerPayoutResult = z.strictObject({
  uniqueId: z.string(),
  transactionId: z
    .string()
    .regex(/^[0-9]+$/)
    .describe('As text: it exceeds 2^53.'),
  amount: jsonAmount,
  currency: z.string(),
  status: z.string(),
  executions: z.int().min(0).max(1).describe('How often money left for it; 0 while the balance does not cover it.'),
  clientId: uuidText,
  createdAt: z.string().describe("The sandbox's time, without a zone as the service's."),
})

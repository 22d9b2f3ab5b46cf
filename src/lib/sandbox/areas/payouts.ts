/** Payouts and their balance (area A): create, details, balance, the timeline of a payout, the ledger. */
import { z } from 'zod'
import { descriptionSeparator, payoutTakes, recordedDistributionFlow, unknownPayout } from '../../contract/assumed.ts'
import { JsonNumber, minorUnits } from '../../contract/core/decimal.ts'
import type { ReadOperation, RequestOf, Violation } from '../../contract/operation.ts'
import { createPayout, payoutBalance, payoutDetails } from '../../contract/payout/payout.ts'
import { payoutEnd } from '../../contract/payout/status.ts'
import type { HttpRequest } from '../../http/message.ts'
import { writeJson } from '../../json.ts'
import { jsonAmount, type ResultOf, uuidText } from '../../result.ts'
import { addRow, changeRows, dueRows, findRow, listRows } from '../../store/sandbox/rows.ts'
import type { Row, SandboxReader, SandboxWriter } from '../../store/sandbox/schema.ts'
import { nextTransactionId } from '../../store/sandbox/world.ts'
import { bearerRoute, findCaller, openRequest, refuseBreaches } from '../access/bearer.ts'
import { type Client, magicDescriptions, receivers, waitingForBalance } from '../accounts/fixtures.ts'
import { type AccountBalance, balancesOf } from '../accounts/world.ts'
import { localTime } from '../clock.ts'
import { type HandlerContext, type Route, readUpToDate, usualCircumstances, violationsInWords } from '../handler.ts'
import { money, payoutRequest, type SentPayout } from '../ledger.ts'
import { type Answer, Refused, refuse, type Shape, settle } from '../shape.ts'

// The timeline of a payout. Real banks take minutes or days; here it is seconds by the clock that was given, and the
// description decides where it leads, so that every end can be met on purpose. INITIAL → PENDING → SUCCESS and
// INITIAL → FAILED are the ways that were seen (service.md#payout-statuses).

/** The statuses of a payout and the milliseconds after its creation at which it reaches them. */
type Timeline = readonly (readonly [after: number, status: string])[]

function stepsTo(status: string): Timeline {
  return [
    [0, 'INITIAL'],
    [payoutTakes.otherwise * 1000, status],
  ]
}

/** Every timeline by the status it ends in. */
const timelines: Readonly<Record<string, Timeline>> = {
  SUCCESS: [
    [0, 'INITIAL'],
    [payoutTakes.PENDING * 1000, 'PENDING'],
    [payoutTakes.SUCCESS * 1000, 'SUCCESS'],
  ],
  FAILED: stepsTo('FAILED'),
  REJECTED: stepsTo('REJECTED'),
  DELETED: stepsTo('DELETED'),
  [waitingForBalance]: [[0, waitingForBalance]],
}

/** The status after so many milliseconds, and when it moves next. */
function progressOf(endsIn: string, created: number, now: number): Pick<Row<'payouts'>, 'status' | 'due'> {
  const timeline = timelines[endsIn] ?? []
  const at = timeline.findLastIndex(([after]) => created + after <= now)
  const next = timeline[at + 1]
  return { status: timeline[at]?.[1] ?? 'INITIAL', due: next ? created + next[0] : null }
}

/** Makes every move that is due. A payout that ends unpaid gives amount and commission back. */
export async function advancePayouts(db: SandboxWriter, now: number): Promise<void> {
  for (const { transaction_id, ends_in, created, iban, amount, commission } of await dueRows(db, 'payouts', now)) {
    const progress = progressOf(ends_in, created, now)
    await changeRows(db, 'payouts', { transaction_id }, progress)
    if (payoutEnd(progress.status) !== 'not-paid') continue
    await addRow(db, 'postings', { iban, transaction_id, units: amount + commission, kind: 'return' })
  }
}

const bankWords: Readonly<Record<string, string>> = {
  INITIAL: 'Created',
  PENDING: 'To be Signed',
  SUCCESS: 'Completed',
  REJECTED: 'Rejected by the bank',
  FAILED: 'Failed at the bank',
  DELETED: 'Deleted before execution',
  [waitingForBalance]: 'Waiting for the balance',
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

// A payout as answers tell of it, in either shape.

/** The answer of A1: recorded it is wrapped, and has a member more (service.md#payouts). */
function createdAnswer(payout: Row<'payouts'>, shape: Shape): Answer {
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
function detailsAnswer(payout: Row<'payouts'>, shape: Shape): Answer {
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

function paymentDescription(request: SentPayout, shape: Shape): string {
  if (shape === 'documented') return request.description
  const { debtorName, debtorIban, debtorIdentityNumber, debtorBirthDate, description } = request
  const parts = [debtorName, debtorIban, debtorIdentityNumber, debtorBirthDate, description]
  return parts.filter((part) => part !== undefined).join(descriptionSeparator)
}

// A1: a payout is decided and written in one transaction, so that two processes can neither overdraw an account nor
// execute one uniqueId twice. A refusal writes nothing: the uniqueId stays free. A wrong IBAN is told only after amount
// and balance (service.md#payouts, the check order that was seen), so the order is readable without a good one.

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

function readOrder(http: HttpRequest, client: Client, context: HandlerContext): Order {
  const circumstances = { permits: new Set(client.permissions), orderType: null, now: context.clock.now() }
  const { payload, given, valid, strict } = openRequest(createPayout, http, context, circumstances)
  const found = valid.ok ? [] : valid.violations
  const breaches = found.filter(({ code }) => code !== ibanCode).toSorted(byPrecedence)
  if (breaches.length > 0) return refuseBreaches(createPayout, breaches)
  if (strict) throw new Refused(strict)
  const { toIban, ...others } = given
  const fields = withoutIban.parse(others)
  const { debtorBirthDate } = payload
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

/** The account that is debited: the main one in the currency, or the one that fromIban names. */
function accountFor(accounts: readonly AccountBalance[], { fields }: Order): AccountBalance {
  const { fromIban, currency } = fields
  const account = accounts.find((each) =>
    fromIban === undefined ? each.main && each.currency === currency : each.iban === fromIban,
  )
  if (account?.currency === currency) return account
  if (account) return refuse(5051, `currency ${currency} is not configured for the account of fromIban`)
  if (fromIban === undefined) return refuse(5051, `currency ${currency} is not configured: there is no account`)
  return refuse(5015, 'Balance not found: fromIban is no account of this client')
}

function isKnownReceiver({ fields: { receiverId, receiverType } }: Order): boolean {
  const sought = receiverId?.toLowerCase()
  const known = receivers.find((each) => each.use === 'payouts' && each.receiverId === sought)
  return sought === undefined || known?.receiverType === receiverType
}

interface Decision {
  readonly account: AccountBalance
  readonly cost: bigint
  readonly commission: bigint
  readonly endsIn: string
}

/** The checks in the order that was seen; what comes first is what the caller hears. */
async function decide(db: SandboxWriter, client: Client, order: Order): Promise<Decision> {
  const { fields, amount, ibanBreach } = order
  const { limits, paysOutBy: way, clientId: client_id } = client
  // The way to the beneficiary that the client is configured for (A1, rule 2).
  if (way !== (fields.toIban === undefined ? 'receiver' : 'iban')) {
    const open = way === 'iban' ? 'to an IBAN (toIban)' : 'to a registered receiver (receiverId, receiverType)'
    refuse(5033, `No distribution strategy: this client pays out ${open} only`)
  }
  if (!client.currencies.includes(fields.currency)) {
    refuse(5050, `currency ${fields.currency} is not allowed for this client`)
  }
  const account = accountFor(await balancesOf(db, client), order)
  if (limits && amount < (minorUnits(limits.minimum) ?? 0n)) refuse(5045, 'amount is below the smallest payout')
  if (limits && amount > (minorUnits(limits.maximum) ?? 0n)) refuse(5046, 'amount is above the largest payout')
  const endsIn =
    magicDescriptions.find(({ description }) => description === fields.description.toLowerCase())?.endsIn ?? 'SUCCESS'
  const takes = endsIn !== waitingForBalance
  // Per mille of the amount, rounded up to the next minor unit.
  const commission = takes ? (amount * BigInt(client.commissionPerMille) + 999n) / 1000n : 0n
  const cost = takes ? amount + commission : 0n
  if (cost > account.balance) refuse(5038, 'Insufficient balance for amount and commission')
  if (ibanBreach !== null) refuse(ibanCode, `Invalid IBAN: ${ibanBreach}`, { rule: `A1 ${ibanBreach}` })
  if (!isKnownReceiver(order)) refuse(5041, 'Receiver not found: check receiverId and receiverType')
  if (await findRow(db, 'payouts', { client_id, unique_id: fields.uniqueId.toLowerCase() })) {
    refuse(5017, 'A payout with this uniqueId exists already')
  }
  return { account, cost, commission, endsIn }
}

async function execute(
  db: SandboxWriter,
  client_id: string,
  { fields, amount }: Order,
  { account: { iban }, cost, commission, endsIn }: Decision,
  { clock, random }: HandlerContext,
): Promise<Row<'payouts'>> {
  const created = clock.now()
  const payout = await addRow(db, 'payouts', {
    ...{ transaction_id: await nextTransactionId(db), client_id, iban, currency: fields.currency },
    // UUIDs are the same in capitals; what is echoed stays as it came.
    unique_id: fields.uniqueId.toLowerCase(),
    amount: Number(amount),
    commission: Number(commission),
    ...progressOf(endsIn, created, created),
    ends_in: endsIn,
    created,
    nanoseconds: Math.floor(random.fraction() * 1_000_000),
    request: writeJson(fields),
  })
  const { transaction_id } = payout
  if (cost > 0n) await addRow(db, 'postings', { iban, transaction_id, units: Number(cost), kind: 'debit' })
  return payout
}

const createRoute = bearerRoute(createPayout, (http, context) =>
  context.store.write(async (db) => {
    await advancePayouts(db, context.clock.now())
    return await settle(async () => {
      const client = await findCaller(db, http, context)
      const order = readOrder(http, client, context)
      const decision = await decide(db, client, order)
      return createdAnswer(await execute(db, client.clientId, order, decision, context), context.shape)
    })
  }),
)

// A2, the details of a payout, and the balance payouts are paid from. Reads that first make the moves that are due.

/** `absent` tells what counts where the request does not say it. */
function readRoute<Op extends ReadOperation>(
  operation: Op,
  look: (db: SandboxReader, client: Client, request: RequestOf<Op>, shape: Shape) => Promise<Answer>,
  absent: (client: Client) => Readonly<Record<string, unknown>> = () => ({}),
): Route {
  return bearerRoute(operation, (http, context) =>
    settle(() =>
      readUpToDate(context, async (db, now) => {
        const client = await findCaller(db, http, context)
        const { valid, strict } = openRequest(operation, http, context, usualCircumstances(now), absent(client))
        if (!valid.ok) return refuseBreaches(operation, valid.violations)
        if (strict) throw new Refused(strict)
        return await look(db, client, valid.request, context.shape)
      }),
    ),
  )
}

const detailsRoute = readRoute(payoutDetails, async (db, { clientId: client_id }, { transaction_id }, shape) => {
  const payout = await findRow(db, 'payouts', { client_id, transaction_id: transaction_id.replace(/^0+(?=\d)/, '') })
  if (payout) return detailsAnswer(payout, shape)
  return refuse(unknownPayout.statusCode, 'Transaction not found: no payout of this client has this transaction_id', {
    http: unknownPayout.http,
    rule: 'A2, service.md#payout-codes: no payout has this transaction_id',
  })
})

const balanceRoute = readRoute(
  payoutBalance,
  async (db, client, { currency }) => {
    const accounts = await balancesOf(db, client)
    const main = accounts.find((account) => account.main && account.currency === currency)
    if (!main || !client.currencies.includes(currency)) {
      return refuse(5015, `Balance not found: this client has no account in ${currency}`)
    }
    return { amount: money(main.balance), currency }
  },
  (client) => ({ currency: client.currencies[0] }),
)

export const payoutRoutes: readonly Route[] = [createRoute, detailsRoute, balanceRoute]

export type LedgerPayout = ResultOf<typeof ledgerPayoutResult>

export function describePayout(payout: Row<'payouts'>): LedgerPayout {
  return {
    uniqueId: payoutRequest(payout).uniqueId,
    transactionId: payout.transaction_id,
    amount: money(payout.amount),
    currency: payout.currency,
    status: payout.status,
    executions: payout.executions,
    clientId: payout.client_id,
    createdAt: localTime(payout, 6),
  }
}

export async function payoutLedger(db: SandboxReader): Promise<LedgerPayout[]> {
  return (await listRows(db, 'payouts')).map(describePayout)
}

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

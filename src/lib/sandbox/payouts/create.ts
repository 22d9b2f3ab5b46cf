/**
 * A1: a payout is decided and written in one transaction, so that two processes can neither overdraw an account nor execute
 * one uniqueId twice. A refusal writes nothing: the uniqueId stays free.
 */

import { createPayout } from '../../contract/payout/payout.ts'
import type { Random } from '../../edge.ts'
import { writeJson } from '../../json.ts'
import type { ClientRow, PayoutRow, SandboxWriter } from '../../store/sandbox/schema.ts'
import {
  type AccountBalance,
  addPayout,
  addPosting,
  hasUniqueId,
  listAccounts,
  listReceivers,
  nextTransactionId,
} from '../../store/sandbox/world.ts'
import { bearerRoute } from '../access/bearer.ts'
import { callerOf } from '../access/token.ts'
import type { Handler } from '../handler.ts'
import type { Refusal } from '../shape.ts'
import { currenciesOf, permitsOfClient } from '../world/world.ts'
import { advancePayouts, endFor, progressAtStart, waitingForBalance } from './advance.ts'
import { type Order, readPayoutRequest } from './requested.ts'
import { createdAnswer } from './value.ts'

/** The way to the beneficiary that the client is configured for (A1, rule 2). */
function closedWay(client: ClientRow, { fields }: Order): Refusal | null {
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

function outsideLimits({ minimum, maximum }: ClientRow, { amount }: Order): Refusal | null {
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
  const closed = closedWay(client, order) ?? closedCurrency(client, order)
  if (closed) return closed
  const account = accountFor(await listAccounts(db, client.client_id), order)
  if ('code' in account) return account
  const outside = outsideLimits(client, order)
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

const answerCreate: Handler = async (http, around) =>
  await around.store.write(async (db) => {
    const { clock, random, record } = around
    const now = clock.now()
    await advancePayouts(db, now)
    const client = await callerOf(db, http, now)
    if (!client) return { kind: 'unauthenticated' }
    record({ who: client.client_id })
    const order = readPayoutRequest(http, permitsOfClient(client), around)
    if ('code' in order) return { kind: 'refused', refusal: order }
    const decision = await decide(db, client, order)
    if ('code' in decision) return { kind: 'refused', refusal: decision }
    return {
      kind: 'value',
      value: createdAnswer(await execute(db, client, order, decision, now, random), around.shape),
    }
  })

export const createRoute = bearerRoute(createPayout, answerCreate)

/** Orders: finding the one that is meant, reading it once or until it is final, creating one, and what is done to it afterwards; its card and its subscription. */
import { getCard } from '../contract/card.ts'
import type { Members } from '../contract/core/members.ts'
import { uuidV4 } from '../contract/core/rules.ts'
import { isUuid, normalId } from '../contract/core/text.ts'
import type { RequestOf, Subject, WriteOperation } from '../contract/operation.ts'
import { writesAbout } from '../contract/operations.ts'
import { createOrder, type OrderRequest, orderStatus } from '../contract/order/order.ts'
import { refundOrder } from '../contract/order/refund.ts'
import { type OrderStatus, orderPayment, orderStatusFacts } from '../contract/order/status.ts'
import type { StatusFacts } from '../contract/status.ts'
import { subscriptionHistory } from '../contract/subscription.ts'
import { currencyOfCreated } from '../contract/wallet/wallet.ts'
import { about, Failure } from '../failure.ts'
import { filledIn, hint, hintInWords, paste } from '../hint.ts'
import { conflict } from '../journal/duplicates.ts'
import { findByName, isJournalId, type Name, type NameMatch, nameIn } from '../journal/find.ts'
import { type Intent, isOperation } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import { findContradiction, requestIn } from '../journal/payment-end.ts'
import { isExecuted } from '../journal/verdict.ts'
import type { ResultOf } from '../result.ts'
import type { Desk } from './desk.ts'
import { elsewhere } from './elsewhere.ts'
import { scopeOf } from './new-intent.ts'
import type { SubmitOptions } from './preflight.ts'
import { call, noteStatusOf, readObject, timeForRead, type Watched, waitUntilFinal } from './read.ts'
import { type Done, doneOf } from './receipts.ts'
import { describeLeft, isTooMuch, type Refundable, refundableOf, refundsAmong, tooMuch } from './refunds.ts'
import { certainClock } from './resolve.ts'
import type { cardReadResult, orderReadResult, subscriptionHistoryResult } from './results.ts'
import { askedAgain, type Submitted, submit } from './submit.ts'
import { compareSum, contradictionFailure, contradictionWarnings, describeEndAndMove } from './unpaid-end.ts'
import { findOpen, findOtherMove, moneyMovedOf, readAbout, writesTo } from './writes.ts'

// --- Finding one

export interface FoundOrder {
  readonly integratorOrderId: string
  /** Its creation in the journal; null for an order that another machine made. */
  readonly created: Intent | null
  /** Everything that this journal sent about it. */
  readonly writes: readonly Intent[]
}

/** The profile that looks, and the journal: no socket is needed. */
export type Knowing = Pick<Desk, 'journal' | 'profile'>

/** The order that a write of the journal is about. */
function orderOf({ body }: Intent): string | null {
  const { integratorOrderId } = requestIn(body)
  return typeof integratorOrderId === 'string' ? normalId(integratorOrderId) : null
}

/** Throws a Failure: not-found (6), usage (2) for what can be no id, and for a name that more than one order may have. */
export async function orderOfId(knowing: Knowing, typed: string): Promise<FoundOrder> {
  const name = nameIn(typed)
  const ofOrders = { operations: writesAbout('order') }
  const filter = { ...ofOrders, scope: scopeOf(knowing.profile) }
  const meaning = await findByName(knowing.journal, typed, filter)
  const integratorOrderId = orderIn(meaning, name)
  if (integratorOrderId === null) {
    const [other] = (await findByName(knowing.journal, typed, ofOrders)).intents
    if (other) throw elsewhere(isJournalId(name.text) ? 'not-found' : 'usage', other, knowing.profile)
    if (!isJournalId(name.text))
      throw new Failure('usage', `"${name.text}" is not a UUID, a journal id or a known --key`)
    throw new Failure('not-found', `the journal has no order ${name.text}`, {
      hints: [hint`\`${paste('journal list')}\` lists them.`],
    })
  }
  // The journal may have an order from before; the service has none of another version.
  if (meaning.by === null && !uuidV4.safeParse(integratorOrderId).success) {
    throw new Failure('usage', `"${name.text}" is not an order id: an integratorOrderId is a UUID, version 4`, {
      hints: [hint`Nothing was sent. \`${paste('order list')}\` lists the orders of the journal.`],
    })
  }
  const [created = null] = (
    await findByName(knowing.journal, `id:${integratorOrderId}`, { ...filter, operations: [createOrder] })
  ).intents
  const writes = await writesTo(knowing, 'order', integratorOrderId)
  return { integratorOrderId, created, writes }
}

/** A UUID that the journal does not know may be an order of another machine. */
function orderIn({ by, intents }: NameMatch, { text, mayBe }: Name): string | null {
  const created = intents.filter((each) => isOperation(each, createOrder))
  const bearers = by === 'key' && created.length > 0 ? created : intents
  const orders = [...new Set(bearers.map(orderOf).filter((order) => order !== null))]
  if (by === 'id') return orders.find((order) => order === normalId(text)) ?? orders[0] ?? null
  if (by === null) return mayBe !== 'key' && isUuid(text) ? normalId(text) : null
  if (orders.length > 1) {
    throw new Failure('usage', `${orders.length} orders have the key ${text}`, {
      hints: [hint`Name it by its integratorOrderId: ${orders.join(', ')}.`],
    })
  }
  if (mayBe === 'either' && isUuid(text) && orders[0] !== normalId(text))
    throw keyLikeAnId('order', text, orders[0] ?? '')
  return orders[0] ?? null
}

/** The failure of a UUID that is known as a key only: the service may have another one of that id. */
export function keyLikeAnId(subject: Subject, text: string, id: string): Failure {
  return new Failure('usage', `${text} is the key of the ${subject} ${id}, but it may also be the id of another`, {
    hints: [hint`Write key:${text} for the ${subject} ${id}, or id:${text} for the one with that id.`],
  })
}

// --- Reading

/**
 * `now`: as the journal has it behind the read. Throws a Failure as `call`, with the ids; unknown (9) where the service does not know
 * an order of which a write is open, or speaks of another one.
 */
export async function askOrder(desk: Desk, found: FoundOrder, deadline?: number) {
  const { integratorOrderId } = found
  const facts = factsOfOrder(found)
  const request = { integratorId: desk.profile.clientId, integratorOrderId }
  const { answer, writes } = await readAbout(desk, found.writes, facts, () =>
    readObject(desk, orderStatus, request, { deadline }),
  )
  const created = writes.find((write) => isOperation(write, createOrder)) ?? found.created
  return { answer, now: writes.length === 0 ? found : { ...found, writes, created } }
}

function factsOfOrder({ integratorOrderId, created }: FoundOrder) {
  return about(orderStatus, { uniqueId: integratorOrderId, journalId: created?.journalId ?? null })
}

/** The failure of an order that met a conflict, was told with another sum, or as paid before what is read now; null where nothing contradicts. */
function contradictionOfOrder(status: string, { created }: FoundOrder): Failure | null {
  if (created?.isTaken) return conflict(created)
  const doubt = created && (findContradiction(created, status) ?? created.answeredSum)
  return created && doubt !== null ? contradictionFailure(created, 'order', doubt) : null
}

/** Its status speaks for its creation; whatever else was done to it has moved what it moved. */
function orderEnded(status: string, facts: StatusFacts | null, found: FoundOrder): Failure {
  const inDoubt = contradictionOfOrder(status, found)
  if (inDoubt) return inDoubt
  const { exit, means, next } = facts ?? { exit: null, means: 'not paid', next: null }
  const moved = findOtherMove(found.writes, found.created ?? { journalId: '' })
  if (moved) return contradictionFailure(moved, 'order', describeEndAndMove(status, means, moved))
  // One that was made elsewhere may have a validUntil that is not known here.
  const moneyMoved = found.created ? 'no' : (orderPayment(status, { validUntil: '' })?.money ?? 'no')
  const elsewhere = hint`This journal did not create it: if it has a validUntil, it may still be paid until then.`
  return new Failure(exit ?? 'refused', `the order ended in ${status} (${means})`, {
    ...factsOfOrder(found),
    status,
    moneyMoved,
    retry: 'after-fix',
    hints: [...(moneyMoved === 'no' ? [] : [elsewhere]), ...(next === null ? [] : [next])],
  })
}

/** The warnings of a read about changes of the order that were told as not executed, and may have been. */
function conflictsOf({ writes, created }: FoundOrder): readonly string[] {
  const changes = writes.filter(({ isTaken, journalId }) => isTaken && journalId !== created?.journalId)
  return changes.map(({ operation, journalId, because }) => {
    const show = hintInWords(hint`\`${paste('journal show', journalId)}\``)
    return `its ${operation} is in conflict (${because ?? 'it may have been executed'}): ${show}`
  })
}

// --- Creating one, waiting, and changing it

/** The service's answer, members that paydesk does not know included, and the source from which paydesk knows the order. */
export type OrderRead = ResultOf<typeof orderReadResult>

export async function readOrder(desk: Desk, id: string): Promise<OrderRead> {
  return (await readFound(desk, await orderOfId(desk, id))).read
}

/** `now`: the order as the journal has it behind the read. */
async function readFound(desk: Desk, found: FoundOrder, deadline?: number) {
  const { answer, now } = await askOrder(desk, found, deadline)
  const { created } = now
  const compared = await compareSum(desk, created, answer)
  if (created?.state === 'unknown') {
    const resume = paste('resume', created.journalId)
    desk.tell.say(hintInWords(hint`the journal holds the creation of this order as unknown: \`${resume}\``))
  }
  const warnings = [...(compared ? contradictionWarnings(compared) : []), ...conflictsOf(now)]
  const { name, environment } = desk.profile
  const refunds = refundsAmong(now.writes, created && currencyOfCreated(created))
  const journalId = created?.journalId ?? null
  const read: OrderRead = { ...answer, refunds, journalId, profile: name, environment, warnings }
  return { read, now }
}

/**
 * Reads an order until it is final. Throws a Failure: refused (5) if it ended in FAILED, CANCELED or EXPIRED, pending (8) if
 * the time is up first.
 */
export async function waitForOrder(
  desk: Desk,
  id: string,
  deadline = desk.clock.now() + desk.settings.timeout,
): Promise<OrderRead> {
  return waitUntilFinal(desk, await watchedOrder(desk, await orderOfId(desk, id)), deadline)
}

async function watchedOrder(desk: Desk, begun: FoundOrder): Promise<Watched<OrderRead>> {
  let found = begun
  const clock = found.created ? await certainClock(desk.journal, found.created) : desk.clock.now
  const facts = factsOfOrder(found)
  const open = findOpen(found.writes)
  // Of an order that was not created here no validUntil is known: its first failure is taken for its end.
  const now = (status: string) => orderPayment(status, found.created ? requestIn(found.created.body) : {}, clock())
  return {
    about: 'order',
    subject: { key: found.created?.idempotencyKey ?? null, id: found.integratorOrderId },
    wait: paste('order wait', found.integratorOrderId),
    read: async (until) => {
      const last = await readFound(desk, found, until)
      found = last.now
      return last.read
    },
    end: (status) => now(status)?.end ?? null,
    ended: ({ status }) => orderEnded(status, now(status), found),
    doubt: ({ status }) => contradictionOfOrder(status, found),
    outlook: (status) => now(status)?.outlook ?? 'may still be paid',
    next: (status) => {
      const next = now(status)?.next
      return next ? filledIn(next, { integratorOrderId: found.integratorOrderId }) : null
    },
    facts: () => facts,
    open: () => open,
    moneyMoved: (isRefused) => (isRefused ? null : moneyMovedOf(found.writes)) ?? 'unknown',
  }
}

/**
 * Creates an order and, with `wait`, stays until it is final. `accepted` hears of the order as soon as the service has it,
 * because its payer needs the address to pay; the remarks it returns join the warnings. An accepted order is never lost.
 */
export async function placeOrder(
  desk: Desk,
  request: OrderRequest,
  { wait, known = null, ...options }: SubmitOptions & { readonly wait: boolean; readonly known?: Submitted | null },
  accepted: (done: Done) => Promise<readonly string[]>,
): Promise<Done> {
  const deadline = desk.clock.now() + desk.settings.timeout
  const submitted = known ?? (await submit(desk, createOrder, request, { ...options, deadline }))
  const bare = doneOf(submitted, desk)
  const done = { ...bare, warnings: [...bare.warnings, ...(await accepted(bare))] }
  if (!wait) return done
  const { uniqueId } = submitted.intent
  let end: Failure | null = null
  const keep = <End extends Failure | null>(failure: End): End => {
    end = failure
    return failure
  }
  try {
    const writes = await writesTo(desk, 'order', uniqueId)
    const watched = await watchedOrder(desk, { integratorOrderId: uniqueId, created: submitted.intent, writes })
    const ended = (last: OrderRead) => keep(watched.ended(last))
    const doubt = (last: OrderRead) => keep(watched.doubt(last))
    const { status } = await waitUntilFinal(desk, { ...watched, ended, doubt }, deadline)
    return { ...done, status }
  } catch (error) {
    // An end that was seen, or a doubt, is told as it is, also where it contradicts what was answered.
    throw error === end ? error : afterAcceptance(error, done, desk.signal)
  }
}

/** The failure after the acceptance: the order stays accepted, for whatever reason the waiting ended. */
function afterAcceptance(error: unknown, done: Done, signal: AbortSignal): unknown {
  if (!(error instanceof Failure) || signal.aborted) return error
  // Another sum is no matter of waiting.
  if (error.kind === 'refused' || error.kind === 'duplicate') return error
  const { status, hints = [] } = error.facts
  return new Failure('pending', `accepted, but not seen to be final: ${error.message}`, {
    ...error.facts,
    ...about(createOrder),
    document: status ? { ...done, status } : done,
    moneyMoved: 'unknown',
    hints,
  })
}

/** Cancels, refunds or completes an order, and notes on its creation what it came to. */
export async function submitOrderChange<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  found: FoundOrder,
  options: SubmitOptions = {},
): Promise<Done> {
  const submitted = await submitChange(desk, operation, request, options)
  const { status } = submitted.intent
  const isNew = !submitted.replayed && status !== null
  const created = isNew && found.created ? await noteStatusOf(desk, found.created, status) : null
  const done = doneOf(submitted, desk)
  return created ? { ...done, warnings: [...done.warnings, ...contradictionWarnings(created)] } : done
}

/** As `submit`, and as `askedAgain` where it was done before. */
export async function submitChange<Op extends WriteOperation>(
  desk: Desk,
  operation: Op,
  request: RequestOf<Op>,
  options: SubmitOptions = {},
): Promise<Submitted> {
  return askedAgain(desk, await submit(desk, operation, request, options))
}

// --- Before a refund

/**
 * Throws Failure('usage') where more is to go back than is left. A refund that was sent before under its key is answered with what
 * came of it. `desk`: to read how a refund on its way has ended; null where nothing may be asked.
 */
export async function mustBeLeft(
  journal: Journal,
  found: FoundOrder,
  request: Members,
  { idempotencyKey, currency, desk }: Asked,
): Promise<void> {
  const isRepeat = (write: Intent) =>
    isOperation(write, refundOrder) &&
    write.idempotencyKey === idempotencyKey &&
    (isExecuted(write) || write.state === 'unknown')
  if (idempotencyKey !== null && found.writes.some(isRepeat)) return
  const known = await refundableOf(journal, found.writes)
  if (!isTooMuch(known, request.amount)) return
  const isRead = known.isOnItsWay && desk !== null
  const now = isRead ? await readRefundable(await desk(), found) : known
  if (now !== null && isTooMuch(now, request.amount)) throw tooMuch(now, request, currency)
}

interface Asked {
  readonly idempotencyKey: string | null
  readonly currency: string | null
  readonly desk: (() => Promise<Desk>) | null
}

/** What is known of an order before a part of it goes back, in lines for the person who is asked. */
export async function knownOfRefund(
  desk: Desk,
  found: FoundOrder,
  currency: string | null,
): Promise<readonly string[]> {
  const { possibleIn } = refundOrder.evidence.refusals
  let [status, writes]: [string | null, readonly Intent[]] = [null, found.writes]
  const unread: string[] = []
  try {
    const { answer, now } = await askOrder(desk, found, desk.clock.now() + timeForRead)
    status = answer.status
    if (now.writes.length > 0) writes = now.writes
  } catch (error) {
    if (desk.signal.aborted || !(error instanceof Failure)) throw error
    unread.push(`CAUTION: the order cannot be read now: ${error.message}`)
  }
  const { receiverId } = requestIn(found.created?.body ?? '')
  const facts = status === null ? null : orderStatusFacts(status)
  return [
    ...(receiverId === undefined ? [] : [`paid to BRANCH ${receiverId}`]),
    ...(status === null ? unread : [`reads ${status}${facts ? ` (${facts.means})` : ''}`]),
    ...describeLeft(await refundableOf(desk.journal, writes), currency),
    ...(facts === null || (possibleIn as readonly string[]).includes(status ?? '') ? [] : [impossibleIn(status ?? '')]),
  ]
}

/** A refund on its way may have ended a moment later: the order is read once more before another one leaves. */
function impossibleIn(status: string): string {
  return status === ('REFUND_REQUESTED' satisfies OrderStatus)
    ? `CAUTION: a refund of this order was on its way when it was last read (${status}); it is read again before anything is sent`
    : `STOP: an order in ${status} cannot be refunded now`
}

/** Null where the order cannot be read: nothing leaves then without another read. */
async function readRefundable(desk: Desk, found: FoundOrder): Promise<Refundable | null> {
  try {
    const { now } = await askOrder(desk, found, desk.clock.now() + timeForRead)
    return await refundableOf(desk.journal, now.writes)
  } catch (error) {
    if (desk.signal.aborted) throw error
    return null
  }
}

// --- Saved cards, with whose tokens orders charge them

/** The card as the service showed it, and the order it was saved with. */
export type CardRead = ResultOf<typeof cardReadResult>

/** Reads the card that was saved with an order. Its token is hidden from then on wherever anything else is shown. */
export async function readCard(desk: Desk, id: string): Promise<CardRead> {
  const { integratorOrderId, created, writes } = await orderOfId(desk, id)
  const facts = about(getCard, { uniqueId: integratorOrderId, journalId: created?.journalId ?? null })
  const card = await readAbout(desk, writes, facts, () => call(desk, getCard, { integratorOrderId }))
  desk.tell.hide(card.token)
  const { name, environment } = desk.profile
  return { ...card, integratorOrderId, profile: name, environment }
}

/** As the service shows them, in its order. */
export type SubscriptionPayments = ResultOf<typeof subscriptionHistoryResult>

export async function readHistory(desk: Desk, subscriptionId: string): Promise<SubscriptionPayments> {
  const writes = await writesTo(desk, 'subscription', subscriptionId)
  return readAbout(desk, writes, about(subscriptionHistory), () => call(desk, subscriptionHistory, { subscriptionId }))
}

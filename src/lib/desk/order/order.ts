/** Orders: creating one, reading how far it is, staying until it is final, and what is done to it afterwards. */
import type { RequestOf, WriteOperation } from '../../contract/operation.ts'
import { createOrder, type OrderRequest } from '../../contract/order/order.ts'
import { orderPayment } from '../../contract/order/status.ts'
import { currencyOfCreated } from '../../contract/wallet/wallet.ts'
import { about, Failure } from '../../failure.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import { requestIn } from '../../journal/payment-end.ts'
import type { ResultOf } from '../../result.ts'
import type { Desk } from '../desk.ts'
import { neverRead, type Watched, waitUntilFinal } from '../line/poll.ts'
import { noted } from '../line/read-thing.ts'
import type { SubmitOptions } from '../line/terms.ts'
import { doubts } from '../receipt/ended.ts'
import { type Done, doneOf } from '../receipt/receipt.ts'
import { certainClock } from '../recover/age.ts'
import { moneyOf, openAmong, resolveIt, writesTo } from '../recover/at-stake.ts'
import { compareSum } from '../recover/shown-sum.ts'
import { type Submitted, submit } from '../submit.ts'
import { askOrder, factsOfOrder } from './ask.ts'
import { submitChange } from './change.ts'
import { conflictsOf, nextIn, orderEnded, orderInDoubt } from './ended.ts'
import { type FoundOrder, orderOfId } from './find.ts'
import { refundsAmong } from './refundable.ts'
import type { orderReadResult } from './result.ts'

/** The service's answer, members that paydesk does not know included, and the source from which paydesk knows the order. */
export type OrderRead = ResultOf<typeof orderReadResult>

export async function readOrder(desk: Desk, id: string): Promise<OrderRead> {
  return (await read(desk, await orderOfId(desk, id))).read
}

interface ReadNow {
  readonly read: OrderRead
  /** The order as the journal has it behind the read. */
  readonly now: FoundOrder
}

async function read(desk: Desk, found: FoundOrder, deadline?: number): Promise<ReadNow> {
  const { answer, now } = await askOrder(desk, found, deadline)
  const { created } = now
  const compared = await compareSum(desk, created, answer)
  if (created?.state === 'unknown') {
    desk.tell.say(
      hintInWords(
        hint`the journal holds the creation of this order as unknown: \`${paste('resume', created.journalId)}\``,
      ),
    )
  }
  const warnings = [...(compared ? doubts(compared) : []), ...conflictsOf(now)]
  const { name, environment } = desk.profile
  const refunds = refundsAmong(now.writes, created && currencyOfCreated(created))
  const told = { ...answer, refunds, journalId: created?.journalId ?? null, profile: name, environment, warnings }
  return { read: told, now }
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
  const open = openAmong(found.writes)
  // Of an order that was not created here no validUntil is known: its first failure is taken for its end.
  const now = (status: string) => orderPayment(status, found.created ? requestIn(found.created.body) : {}, clock())
  const waitOn = hint`Wait on: \`${paste('order wait', found.integratorOrderId)}\`.`
  return {
    subject: { key: found.created?.businessKey ?? null, id: found.integratorOrderId },
    read: async (until) => {
      const last = await read(desk, found, until)
      found = last.now
      return last.read
    },
    end: (status) => now(status)?.end ?? null,
    ended: ({ status }) => orderEnded(status, now(status), found),
    notFinal: (last) =>
      orderInDoubt(last.status, found) ??
      new Failure(
        'pending',
        `the order is still ${last.status} when the time is up; it ${now(last.status)?.outlook ?? 'may still be paid'}`,
        {
          ...facts,
          status: last.status,
          document: last,
          hints: [nextIn(now(last.status), found) ?? waitOn],
        },
      ),
    neverRead: (last) =>
      neverRead(last, {
        ...facts,
        moneyMoved: moneyOf(found.writes) ?? 'unknown',
        hints: [
          ...(open ? [resolveIt(open)] : []),
          hint`Ask again: \`${paste('order wait', found.integratorOrderId)}\`.`,
        ],
      }),
    unreadable: (refused) =>
      new Failure('unknown', `its status cannot be read: ${refused.message}`, {
        ...refused.facts,
        ...facts,
        moneyMoved: 'unknown',
      }),
    stopped: () =>
      new Failure('interrupted', 'stopped while waiting; the order goes on', {
        ...facts,
        moneyMoved: 'unknown',
        retry: 'same-id',
        hints: [waitOn],
      }),
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
  const { intent } = submitted
  let end: Failure | null = null
  try {
    const writes = await writesTo(desk, 'order', intent.uniqueId)
    const found = { integratorOrderId: intent.uniqueId, created: intent, writes }
    const watched = await watchedOrder(desk, found)
    const ended = (last: OrderRead) => {
      end = watched.ended(last)
      return end
    }
    const notFinal = (last: OrderRead) => {
      const failure = watched.notFinal(last)
      if (failure.kind !== 'pending') end = failure
      return failure
    }
    const { status } = await waitUntilFinal(desk, { ...watched, ended, notFinal }, deadline)
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
  const created = isNew && found.created ? await noted(desk, found.created, status) : null
  const done = doneOf(submitted, desk)
  return created ? { ...done, warnings: [...done.warnings, ...doubts(created)] } : done
}

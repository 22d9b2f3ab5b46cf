/**
 * Plays the payer, the payer's bank or the service through the store, so that it works while a server runs and while none
 * does. A play that is no longer possible is refused and changes nothing.
 */

import { z } from 'zod'
import { Failure } from '../failure.ts'
import { type ResultOf, warningTexts } from '../result.ts'
import { findRow } from '../store/sandbox/rows.ts'
import type { OrderRow, SandboxReader, SandboxWriter } from '../store/sandbox/schema.ts'
import { type OrderPlay, orderPlays } from './areas/orders/play.ts'
import { orderNamed } from './areas/orders/read.ts'
import { type PlayedCharge, playCharge } from './areas/subscriptions.ts'
import { causedAfter, causedCallback, type PlayedCallback, playCallback } from './callbacks/callbacks.ts'
import { executeDue, type HandlerContext } from './handler.ts'
import { orderRequest } from './ledger.ts'

export const triggers = [
  'paid',
  'declined',
  'expired',
  'refund-failed',
  'refunded',
  'subscription-charge',
  'callback',
] as const

export interface Triggered extends PlayedCallback, OrderPlay {
  readonly what: (typeof triggers)[number]
  /** The integrator's id of the order, or the one at the end of its checkout address. */
  readonly order?: string | undefined
  /** The subscription whose charge is played, for `subscription-charge`. */
  readonly subscription?: string | undefined
}

export type Played = Omit<ResultOf<typeof triggeredResult>, 'warnings'>

const outcomeOf = (order: OrderRow): PlayedCharge => ({ order, status: order.status, failReason: order.fail_reason })

/** Settings that belong to one trigger only. */
const owners = {
  ...{ card: 'paid', tip: 'paid', amount: 'refunded', subscription: 'subscription-charge' },
  ...{ duplicate: 'callback', which: 'callback', outOfOrder: 'callback', set: 'callback' },
} as const satisfies Partial<Record<keyof Triggered, Triggered['what']>>

function mustFitTrigger(triggered: Triggered): void {
  for (const [name, owner] of Object.entries(owners)) {
    const given = triggered[name as keyof typeof owners]
    const none = given === undefined || given === false || (Array.isArray(given) && given.length === 0)
    if (none || owner === triggered.what) continue
    const flag = name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
    throw new Failure('usage', `--${flag} belongs to \`${owner}\`, not to \`${triggered.what}\``)
  }
}

async function findTriggeredOrder(db: SandboxReader, { what, order }: Triggered): Promise<OrderRow> {
  if (order === undefined) throw new Failure('usage', `\`${what}\` needs the order`)
  return await orderNamed(db, order)
}

async function change(db: SandboxWriter, triggered: Triggered, context: HandlerContext): Promise<PlayedCharge> {
  const { what, subscription } = triggered
  const at = context.clock.now()
  mustFitTrigger(triggered)
  if (what === 'subscription-charge') {
    if (subscription === undefined) throw new Failure('usage', '`subscription-charge` needs the subscription')
    return await playCharge(db, subscription, { ...context, at })
  }
  const order = await findTriggeredOrder(db, triggered)
  if (what !== 'callback') return outcomeOf(await orderPlays[what](db, order, triggered, { ...context, at }))
  await playCallback(db, order, triggered, at)
  return outcomeOf(order)
}

/** Throws a Failure: not-found (6) for what there is not, refused (5) in a state that does not allow it, usage (2). */
export async function play(context: HandlerContext, triggered: Triggered): Promise<Played> {
  return await context.store.write(async (db) => {
    await executeDue(db, context.clock.now(), context)
    const before = (await findRow(db, 'callbacks'))?.callback_id ?? 0
    const { order, status, failReason } = await change(db, triggered, context)
    const { integratorOrderId } = orderRequest(order)
    return { played: triggered.what, integratorOrderId, status, failReason, callbacks: await causedAfter(db, before) }
  })
}

export const triggeredResult = z.strictObject({
  played: z.enum(triggers),
  integratorOrderId: z.string(),
  status: z.string().describe("The order's status now; of a subscription-charge the charge's."),
  failReason: z.string().nullable().describe('Why the last try to pay failed.'),
  callbacks: z.array(causedCallback).describe('What the integrator is told of it.'),
  warnings: warningTexts,
})

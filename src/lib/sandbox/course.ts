/** Everything that the clock does by itself: payouts, tries to pay, expiries, refunds, subscriptions. */
import type { Random } from '../edge.ts'
import { isAnythingDue } from '../store/sandbox-due.ts'
import type { Reader, Writer } from '../store/sandbox-schema.ts'
import type { Surroundings } from './handler.ts'
import { settleOrders } from './order/payment.ts'
import { settleRefunds } from './order/refund-course.ts'
import { settlePayouts } from './payout/course.ts'
import { settleSubscriptions } from './subscription/course.ts'

/** Makes every move that is due. Orders before subscriptions: a payment that ends saves the card of a plan. */
export async function settle(db: Writer, now: number, random: Random): Promise<void> {
  if (!(await isAnythingDue(db, now))) return
  await settlePayouts(db, now)
  await settleOrders(db, now, random)
  await settleRefunds(db, now)
  await settleSubscriptions(db, now)
}

/** Looks things up in a world whose due moves have been made. */
export async function readSettled<Result>(
  { store, clock, random }: Surroundings,
  look: (db: Reader, now: number) => Promise<Result>,
): Promise<Result> {
  const now = clock.now()
  if (await store.read((db) => isAnythingDue(db, now))) await store.write((db) => settle(db, now, random))
  return await store.read((db) => look(db, now))
}

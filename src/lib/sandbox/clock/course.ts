/** Everything that the clock does by itself: payouts, tries to pay, expiries, refunds, subscriptions. */
import type { Random } from '../../edge.ts'
import { isAnythingDue } from '../../store/sandbox/due.ts'
import type { SandboxReader, SandboxWriter } from '../../store/sandbox/schema/schema.ts'
import type { Surroundings } from '../handler.ts'
import { settleOrders } from '../orders/payment.ts'
import { settleRefunds } from '../orders/refund-course.ts'
import { settlePayouts } from '../payouts/course.ts'
import { settleSubscriptions } from '../subscriptions/course.ts'

/** Makes every move that is due. Orders before subscriptions: a payment that ends saves the card of a plan. */
export async function executeDue(db: SandboxWriter, now: number, random: Random): Promise<void> {
  if (!(await isAnythingDue(db, now))) return
  await settlePayouts(db, now)
  await settleOrders(db, now, random)
  await settleRefunds(db, now)
  await settleSubscriptions(db, now)
}

/** Looks things up in a world whose due moves have been made. */
export async function readSettled<Result>(
  { store, clock, random }: Surroundings,
  look: (db: SandboxReader, now: number) => Promise<Result>,
): Promise<Result> {
  const now = clock.now()
  if (await store.read((db) => isAnythingDue(db, now))) await store.write((db) => executeDue(db, now, random))
  return await store.read((db) => look(db, now))
}

/** Subscriptions as a room of the sandbox: a plan lives by the state of its order. */
import type { Room } from '../room.ts'
import { advanceSubscriptions, beginSubscription, endSubscription, planSubscription } from './advance.ts'
import { historyRoute, revokeRoute } from './look.ts'

export const subscriptionRoom: Room = {
  routes: [historyRoute, revokeRoute],
  moves: [advanceSubscriptions],
  on: {
    'order-created': (db, { order, random }) => planSubscription(db, order, random),
    'card-saved': (db, { order, token, at }) => beginSubscription(db, order, token, at),
    'order-unpaid': (db, { order }) => endSubscription(db, order),
  },
}

/** Orders as a room of the sandbox (area B). */
import type { Room } from '../room.ts'
import { cancelOrderRoute, completeOrderRoute } from './change.ts'
import { createOrderRoute } from './create.ts'
import { orderStatusRoute } from './look.ts'
import { advanceOrders } from './payment.ts'
import { refundRoutes } from './refund.ts'
import { advanceRefunds } from './refund-end.ts'

export const orderRoom: Room = {
  routes: [createOrderRoute, orderStatusRoute, cancelOrderRoute, ...refundRoutes, completeOrderRoute],
  moves: [advanceOrders, advanceRefunds],
}

/** Orders (area B): the operations that integrators call, and the moves that time makes. */
import type { SandboxArea } from '../../handler.ts'
import { createOrderRoute } from './create.ts'
import { advanceOrders, cancelOrderRoute, completeOrderRoute } from './payment.ts'
import { orderStatusRoute } from './read.ts'
import { advanceRefunds, refundRoutes } from './refund.ts'

export const orderArea: SandboxArea = {
  routes: [createOrderRoute, orderStatusRoute, cancelOrderRoute, ...refundRoutes, completeOrderRoute],
  moves: [advanceOrders, advanceRefunds],
}

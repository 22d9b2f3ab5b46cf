/** What payouts bring to the sandbox (area A). */
import type { Room } from '../room.ts'
import { advancePayouts } from './advance.ts'
import { createRoute } from './create.ts'
import { balanceRoute, detailsRoute } from './read.ts'

export const payoutRoom: Room = { routes: [createRoute, detailsRoute, balanceRoute], moves: [advancePayouts] }

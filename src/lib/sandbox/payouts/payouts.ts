/** Payouts as a room of the sandbox (area A). */
import type { Room } from '../room.ts'
import { advancePayouts } from './advance.ts'
import { createRoute } from './create.ts'
import { payoutReads } from './read.ts'

export const payoutRoom: Room = { routes: [createRoute, ...payoutReads], moves: [advancePayouts] }

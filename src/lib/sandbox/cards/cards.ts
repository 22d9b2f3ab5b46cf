/** Saved cards as a room of the sandbox (area D). */
import type { Room } from '../room.ts'
import { cardRoute } from './read.ts'

export const cardRoom: Room = { routes: [cardRoute] }

/** Registered users as a room of the sandbox. */
import type { Room } from '../room.ts'
import { registerRoute } from './register.ts'

export const userRoom: Room = { routes: [registerRoute] }

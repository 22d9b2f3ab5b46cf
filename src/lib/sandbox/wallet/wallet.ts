/** Wallet orders as a room of the sandbox (area C). */
import type { Room } from '../room.ts'
import { cancelWalletRoute, walletDetailsRoute } from './change.ts'
import { createWalletRoute } from './create.ts'
import { finalizeRoute } from './finalize.ts'

export const walletRoom: Room = { routes: [createWalletRoute, finalizeRoute, cancelWalletRoute, walletDetailsRoute] }

/** Every operation of the service. A house rule demands that each has a route in the sandbox. */
import type { Operation } from './operation.ts'
import { createPayout, payoutBalance, payoutDetails } from './payout.ts'
import { signIn } from './sign-in.ts'

export const operations: readonly Operation[] = [signIn, createPayout, payoutDetails, payoutBalance]

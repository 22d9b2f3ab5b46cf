/** The answers about wallet orders (C1 to C4). */
import { z } from 'zod'
import { amountReceived, answerOf, textReceived } from '../answer.ts'
import { walletStatusReceived } from './status.ts'

export const walletDetailsReceived = answerOf({
  uniqueId: z.string(),
  amount: amountReceived.nullish(),
  status: walletStatusReceived,
  createdAt: textReceived,
  finalisedAt: textReceived,
})

export const walletCreatedReceived = answerOf({
  uniqueId: z.string(),
  amount: amountReceived.nullish(),
  receiverName: textReceived,
  status: walletStatusReceived,
  minAmountAllowed: amountReceived.nullish(),
  maxAmountAllowed: amountReceived.nullish(),
  rejectReason: textReceived,
})

export const walletChangeReceived = answerOf({ uniqueId: z.string(), status: walletStatusReceived })

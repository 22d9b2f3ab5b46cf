/** Wallet orders as the ledger tells of them, and the QR addresses of the world. */
import { z } from 'zod'
import { walletStatuses } from '../../contract/wallet/status.ts'
import { jsonAmount, oneWordOf, uuidText } from '../../result.ts'
import { sandboxMoment } from '../clock/result.ts'

export const ledgerWalletOrderResult = z.strictObject({
  uniqueId: z.string(),
  identifier: uuidText,
  status: oneWordOf(Object.keys(walletStatuses)).describe('As the details tell it.'),
  amount: jsonAmount
    .nullable()
    .describe('What was paid, else what was fixed at creation; null where the payer had the choice.'),
  executions: z.int().min(0).max(1).describe('How often the payment ran.'),
  receiverId: z.string().nullable(),
  rejectReason: z.string().nullable(),
  createdAt: sandboxMoment,
  finalisedAt: z.string().nullable(),
})

export const qrAddressResult = z.strictObject({
  uri: z.string(),
  amount: jsonAmount.nullable().describe('Fixed by the address or its product; null: the payer chooses.'),
  what: z.string(),
})

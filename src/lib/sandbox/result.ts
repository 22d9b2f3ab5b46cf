/** The results that the rooms give together, as `--json` prints them: the ledger and the world. */
import { z } from 'zod'
import type { ProviderField } from '../contract/order/request.ts'
import { jsonAmount } from '../result.ts'
import { ledgerCallbackResult } from './callbacks/result.ts'
import { ledgerCardResult, testCardResult } from './cards/result.ts'
import { ledgerOrderResult } from './orders/ledger/result.ts'
import { ledgerPayoutResult } from './payouts/result.ts'
import { ledgerSubscriptionResult } from './subscriptions/result.ts'
import { ledgerUserResult } from './users/result.ts'
import { ledgerWalletOrderResult, qrAddressResult } from './wallet/result.ts'
import { worldTenantsResult } from './world/result.ts'

export const ledgerResult = z
  .strictObject({
    payouts: z.array(ledgerPayoutResult),
    orders: z.array(ledgerOrderResult),
    walletOrders: z.array(ledgerWalletOrderResult),
    cards: z.array(ledgerCardResult),
    subscriptions: z.array(ledgerSubscriptionResult),
    users: z.array(ledgerUserResult),
    callbacks: z
      .array(ledgerCallbackResult)
      .describe('What integrators were told; `sandbox callbacks` tells all of it.'),
  })
  .describe('What was really executed: the truth to compare with.')

const codes = z.array(z.string())

export const worldResult = z
  .strictObject({
    ...worldTenantsResult.shape,
    qrAddresses: z.array(qrAddressResult),
    testCards: z.array(testCardResult),
    settings: z
      .strictObject({
        strict: z
          .boolean()
          .describe('Whether what is accepted beyond the specification, and remarked only, is refused.'),
        providers: z
          .strictObject({
            directLinkProvider: codes,
            openBankingLinkProvider: codes,
            cryptoPaymentProvider: codes,
            installmentPaymentProvider: codes,
          } satisfies Record<ProviderField, typeof codes>)
          .describe('The codes that each field takes.'),
        refundedBy: z.string().describe('The name in REFUNDED_BY_<name>, after refunds of the service itself.'),
      })
      .describe('What `sandbox start` and `sandbox reset` set; a new world keeps it.'),
    rates: z
      .strictObject({
        GEL: jsonAmount,
        USD: jsonAmount,
        EUR: jsonAmount,
      })
      .describe('What one unit of a currency is worth in GEL, in the sandbox only.'),
  })
  .describe('Who exists. The secrets open nothing but this sandbox.')

export const worldExportResult = z
  .strictObject({
    variables: z
      .record(z.string(), z.string())
      .describe('Of --env: address, ids, secret and keys, as another program needs them.'),
    files: z.array(z.string()).describe('Of --keys: the files that were written.'),
  })
  .describe('What was handed out of the world.')

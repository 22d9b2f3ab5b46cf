/** The results that all areas give together, as `--json` prints them: the ledger and the world. */
import { z } from 'zod'
import type { ProviderField } from '../contract/order/request.ts'
import { jsonAmount } from '../result.ts'
import { worldTenantsResult } from './accounts/world.ts'
import { ledgerCallbackResult } from './areas/callbacks.ts'
import { ledgerCardResult, testCardResult } from './areas/cards.ts'
import { ledgerOrderResult } from './areas/orders/read.ts'
import { ledgerPayoutResult } from './areas/payouts.ts'
import { ledgerSubscriptionResult } from './areas/subscriptions.ts'
import { ledgerUserResult } from './areas/users.ts'
import { ledgerWalletOrderResult, qrAddressResult } from './areas/wallet.ts'

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

/** The kinds of things that are listed, each by the write that makes it. */
import { walletLifetime } from '../contract/assumed.ts'
import type { Subject, WriteOperation } from '../contract/operation.ts'
import { createOrder } from '../contract/order/order.ts'
import { orderPayment } from '../contract/order/status.ts'
import { createPayout } from '../contract/payout/payout.ts'
import { payoutStatusFacts } from '../contract/payout/status.ts'
import type { PaymentReader } from '../contract/status.ts'
import { walletStatusFacts } from '../contract/wallet/status.ts'
import { createWalletOrder } from '../contract/wallet/wallet.ts'

export type ListedSubject = Extract<Subject, 'payout' | 'order' | 'wallet order'>

interface Kind {
  readonly creation: WriteOperation
  readonly facts: PaymentReader
  /** Milliseconds after which one that was only registered comes to nothing by itself; null where it waits for ever. */
  readonly lifetime: number | null
}

export const kinds: Readonly<Record<ListedSubject, Kind>> = {
  payout: { creation: createPayout, facts: payoutStatusFacts, lifetime: null },
  order: { creation: createOrder, facts: orderPayment, lifetime: null },
  'wallet order': { creation: createWalletOrder, facts: walletStatusFacts, lifetime: walletLifetime * 1000 },
}

/** The answers about wallet orders (C1 to C4): as they are read, and the forms in which the service writes them. */
import { z } from 'zod'
import { amountReceived, answerOf, textReceived } from '../answer.ts'
import { deletedWalletStatus } from '../assumed.ts'
import { always, oneOfForm, sometimes, statusForm, sumForm, sumOrZeroForm, textForm } from '../core/form.ts'
import { walletCreationStatuses, walletResults, walletStatuses, walletStatusReceived } from './status.ts'

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

// The uniqueId may be any text.
export const walletDetailsForms = {
  uniqueId: always(textForm),
  amount: sometimes(sumOrZeroForm),
  status: always(statusForm(walletStatuses)),
  createdAt: always(textForm),
  finalisedAt: sometimes(textForm),
}

/** The range only without an amount, the reason only where it is rejected. */
export const walletCreatedForms = {
  uniqueId: always(textForm),
  amount: sometimes(sumForm),
  receiverName: sometimes(textForm),
  status: always(statusForm(walletCreationStatuses)),
  minAmountAllowed: sometimes(sumForm),
  maxAmountAllowed: sometimes(sumForm),
  rejectReason: sometimes(textForm),
}

export const walletFinalizedForms = { uniqueId: always(textForm), status: always(statusForm(walletResults)) }

export const walletCanceledForms = { uniqueId: always(textForm), status: always(oneOfForm([deletedWalletStatus])) }

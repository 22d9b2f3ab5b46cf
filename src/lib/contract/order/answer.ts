/** The answers about orders: as they are read, and the forms in which the service writes them. */
import { z } from 'zod'
import { amountReceived, scalarReceived, textReceived } from '../answer.ts'
import { always, oneOfForm, sometimes, sumForm, textForm, uuidForm, webForm, wholeForm } from '../core/form.ts'
import { currencies } from '../payout/currencies.ts'
import { orderStatusForm, orderStatusReceived } from './status.ts'

export const orderChangeReceived = z.looseObject({ integratorOrderId: z.string(), status: orderStatusReceived })

export const orderChangedForms = { integratorOrderId: always(uuidForm), status: always(orderStatusForm) }

export const orderReceived = z.looseObject({
  integratorOrderId: z.string(),
  status: orderStatusReceived,
  initialCurrency: z.string().nullish(),
  acquiringCurrency: z.string().nullish(),
  acquiringAmount: amountReceived.nullish(),
  transactionId: scalarReceived.nullish(),
})

/** All but the first two are recorded, and not documented. */
export const orderForms = {
  ...orderChangedForms,
  report: sometimes(textForm),
  initialCurrency: sometimes(oneOfForm(currencies)),
  acquiringCurrency: sometimes(oneOfForm(currencies)),
  acquiringAmount: sometimes(sumForm),
  transactionId: sometimes(wholeForm),
}

export const orderCreatedReceived = z.looseObject({
  integratorOrderId: z.string(),
  urlForQR: textReceived,
  status: orderStatusReceived.nullish(),
})

/** A charge that was recorded has no address; a status was not seen. */
export const orderCreatedForms = { integratorOrderId: always(uuidForm), urlForQR: sometimes(webForm) }

/** The smallest order of every kind (specification B1), for help and tests. All ids are placeholders. */
import type { Members } from '../core/members.ts'
import type { OrderType } from '../operation.ts'
import { createOrder } from './order.ts'

export const exampleOperation = createOrder.name

export interface OrderExample {
  readonly name: string
  readonly title: string
  readonly orderType: OrderType
  readonly request: Members
}

const receiverId = 'f47ac10b-58cc-4372-a567-0e02b2c3d479'
const secondReceiver = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const base = { amount: '12.50', receiverId }

function example(name: string, title: string, more: Members): OrderExample {
  return { name, title, orderType: 'DEFAULT', request: { ...base, ...more } }
}

function withProperties(orderType: OrderType, title: string, values: Readonly<Record<string, string>>): OrderExample {
  const orderProperties = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]))
  return { name: orderType.toLowerCase().replace('_', '-'), title, orderType, request: { ...base, orderProperties } }
}

export const orderExamples: readonly OrderExample[] = [
  example('save-card', 'Save a card', { directLinkProvider: 'BOG', saveCard: 'true' }),
  example('saved-card', 'Pay with a saved card', { cardToken: '16fd2706-8baf-433b-82eb-8c7fada847da' }),
  example('subscription', 'Subscription', {
    amount: '0',
    directLinkProvider: 'BOG',
    saveCard: 'true',
    subscriptionPlan: { interval: 'MONTHLY', intervalCount: '1', amount: '9.90' },
  }),
  example('split', 'Split between two recipients', {
    splitDetails: [
      { receiverType: 'BRANCH', receiverIdentifier: receiverId, amount: '10.00' },
      { receiverType: 'USER', receiverIdentifier: secondReceiver, amount: '2.50' },
    ],
  }),
  example('open-banking', 'Open banking', { openBankingLinkProvider: 'TBC' }),
  example('card', 'Bank card', { directLinkProvider: 'DEFAULT' }),
  example('crypto', 'Cryptocurrency', { cryptoPaymentProvider: 'CITYPAY' }),
  example('installment', 'Installment', {
    installmentPaymentProvider: 'CREDO',
    personalNumber: '01001000001',
    isForeign: 'false',
  }),
  example('expiring', 'Expiring order', { validUntil: '2099-12-31 23:59:59' }),
  withProperties('TREASURY', 'Payment to the treasury', {
    PERSONAL_NUMBER: '01001000001',
    PAYER_NAME: 'Nino Beridze',
    PURPOSE: 'State fee',
    IS_FOREIGN: 'false',
  }),
  withProperties('TRAFFIC_FINE', 'Traffic fine', {
    SERVICE_PROVIDER_CODE: 'PROVIDER',
    SERVICE_CODE: 'FINE',
    ENTITY_IDENTIFIER: 'AB123456',
    CAR_IDENTIFIER: 'AA001BB',
  }),
]

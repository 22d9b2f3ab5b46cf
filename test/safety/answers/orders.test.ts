/** The fault table of orders, users and subscriptions. */
import { testTable } from './table.ts'

testTable([
  'order create',
  'charge of a saved card',
  'order cancel',
  'order refund',
  'order complete',
  'user register',
  'subscription revoke',
])

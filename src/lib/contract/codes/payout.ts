/** The codes of area A (service.md#payout-codes): every one may come with HTTP 400. */
import { readCodes } from './table.ts'

export const payoutRefusals = readCodes(`
5003 client not found: the service does not know this client id
  Check the client id with [profile show].
5013 invalid grant type: the sign-in asked for a grant type the service does not offer
  Check the base URL of the profile: this may be another service.
5015 balance not found: the client has no account in this currency
  See [payout balance] for the accounts there are.
5017 uniqueId exists: a payout with this uniqueId exists at the service
  Close it with [payout reconcile {uniqueId} --transaction-id <n>].
5021 incorrect credentials: client id and secret, or the access token, were not accepted
  Check the client secret of the profile, then [profile check].
5023 invalid IBAN: the beneficiary IBAN is not valid
  Correct --to-iban; the same --unique-id may be used again.
5033 no distribution strategy: the client is not configured for this way to the beneficiary
  Pay the other way: --to-iban, or --receiver-id with --receiver-type.
5038 insufficient balance: the balance does not cover amount and commission
  Add money to the account ([payout balance]), then run it again under the same key or id.
5039 invalid argument: a field is missing or breaks a rule
  Correct the field the service's message names.
5041 receiver not found: no receiver is registered under this id and type
  Check --receiver-id and --receiver-type.
5042 argument type mismatch: a value has the wrong type, such as a transaction id that is no number
  Correct the value.
5043 message not readable: the service could not read the body as JSON
  Run it again with --trace and look at the body.
5045 below minimum: the amount is below the smallest payout
  Correct --amount.
5046 above maximum: the amount is above the largest payout
  Split the payout, or ask the service for a higher limit.
5047 debtor fields not permitted: the client may not send debtor fields
  Leave --debtor-name, --debtor-iban and --debtor-identity-number out, or ask the service to permit them.
5048 fromIban not permitted: the client may not choose the account that is debited
  Leave --from-iban out, or ask the service to permit it.
5050 currency not allowed: the client may not pay out in this currency
  Choose another currency.
5051 currency not configured: the account is not set up for this currency
  Choose another currency or account.
`)

export const undecidedPayouts = readCodes(`
5006 provider transaction not found: the bank did not know the transaction when its status was asked for
  Run [resume].
5040 general failure: the service failed in an unknown place
  Run [resume].
`)

/** The codes of areas B, C and D, by exception group (service.md#order-codes). */
import { type PermissionFacts, permissions } from '../core/permission.ts'
import { type CodeRows, readCodes } from './table.ts'

/** Group 1: a field, a sum or a split breaks a rule. */
export const validationCodes = readCodes(`
6007 refund amount out of range: the refund is more than what is left of the order
  Correct --amount; [order status {integratorOrderId}] shows how far the order is.
6021 number format: a value that must be a number is none
  Write amounts as plain decimals like 12.50.
6026 amount out of limits: the amount is below the smallest or above the largest order
  Correct --amount, or ask the service for another limit.
6027 initiate currency not allowed: the integrator may not use this currency
  Choose another --currency.
6028 distribution currency not allowed: the receiver cannot be paid in this currency
  Choose another --distribution-currency, or leave it out.
6029 acquiring currency not allowed: the card cannot be charged in this currency
  Choose another --acquiring-currency, or leave it out.
6035 validUntil not in the future: the order would expire before it exists
  Correct --valid-until: without a zone it is Tbilisi time.
6041 date range: the dates given make no range
  Correct the dates of the request.
6049 create parameter: a field of the new order is missing or breaks a rule
  Correct the field the service's message names.
6053 argument: an argument is missing or breaks a rule
  Correct the field the service's message names.
6058 more than 2 decimals: an amount has more than 2 decimals
  Correct --amount: two decimals at most.
6059 split sum differs from amount: the parts of the split do not add up to the order's amount
  Correct --amount or the amounts of --split.
6060 main receiver missing: the order's own receiver is not among the recipients of the split
  Add a --split for BRANCH with the --receiver-id of the order.
6061 main receiver repeated: the order's own receiver is among the recipients of the split more than once
  Make one --split of its parts.
6062 fewer than 2 splits: a split needs at least two recipients
  Add a --split for another recipient, or leave the split out.
6064 splits not provided: the split has no recipients
  Name the recipients with --split, or leave the split out.
6066 split sum greater than amount: the parts of the split add up to more than the order's amount
  Correct --amount or the amounts of --split.
6068 amount not positive: an amount must be greater than 0
  Correct --amount.
6070 personal number required: this way of paying needs the payer's personal number
  Add --personal-number and --is-foreign.
6076 properties null: the order properties are empty
  Give the keys of the order type with --property, or none.
6077 invalid property value: an order property has content that cannot be right
  Correct the property the service's message names.
6078 missing value: an order property that the order type demands is missing
  Add it with --property; [order create --help] shows which keys an order type demands.
6079 invalid property field: an order property is not used by the integrator's order type
  Leave it out, or set --order-type of the profile right with [profile add].
6081 amount differs from debt: the amount is not what the payer owes the provider
  Ask the provider for the debt and correct --amount.
6085 integrator type: the integrator's type does not allow this order
  Ask the service which order type the integrator has.
6091 direct-link provider required: the order needs a pre-selected card payment
  Add --direct-link-provider: saving a card needs it.
6094 partial refund needs details: a part of a split order can go back only recipient by recipient
  Add a --refund-detail for every recipient that gives a part back.
6095 refund parameters: a field of the refund is missing or breaks a rule
  Correct the field the service's message names.
6096 refund details: the details of the refund are incomplete or do not fit the order
  Correct --refund-detail: recipients of the order, amounts that add up to --amount.
6097 duplicate receiver: a recipient is named more than once
  Make one --split, or one --refund-detail, of its parts.
6098 split receiver type: the kind of a recipient is none of BRANCH, USER and IBAN
  Correct the kind of the recipient in --split or --refund-detail.
6099 split receiver identifier: a recipient is no registered branch or user, or no valid IBAN
  Correct the recipient in --split or --refund-detail.
6101 provider not allowed for subscription: subscriptions cannot be paid through this provider
  Choose another --direct-link-provider.
6109 third-party create parameter: a field of the new wallet order is missing or breaks a rule, or its uniqueId exists already
  See [wallet details {uniqueId}]; correct --uri, or take another --unique-id.
6110 third-party finalise parameter: a field is missing or breaks a rule, or the order can no longer be changed
  Correct the field that the message names; [wallet details {uniqueId}] shows how the order stands.
6113 amount must be zero: an order with a subscription plan has the amount 0
  Use --amount 0: the plan names the price.
`)

/** Group 2: the state of the order forbids it. */
export const businessCodes = readCodes(`
6003 order expired: the order was not paid in time
  Create a new one with [order create].
6006 not found or final: the order was not found, or its status does not allow this any more
  See [order status {integratorOrderId}].
6015 no longer valid: the order is no longer valid
  See [order status {integratorOrderId}].
6016 already paid: the order is paid already
  See [order status {integratorOrderId}].
6017 expired: the order has expired
  Create a new one with [order create].
6023 integratorOrderId exists: an order with this integratorOrderId exists at the service
  See [order status {integratorOrderId}].
6024 receiverType must be BRANCH: the receiver of an order is always a branch
  Leave --receiver-type out: it is filled in.
6034 more than one provider: an order may pre-select one way of paying only
  Keep one of --direct-link-provider, --open-banking-link-provider, --crypto-payment-provider and --installment-payment-provider.
6130 merchant balance too low: the receiver's balance does not cover the refund
  Top the balance up, then run [order refund] again.
`)

/** Group 3: the integrator is not permitted to do it. */
export const permissionCodes: CodeRows = Object.fromEntries(
  Object.values<PermissionFacts>(permissions)
    .filter(({ name }) => name !== undefined)
    .map(({ code, words, name = '', otherwise }) => [
      code,
      [name, `the integrator is not permitted ${words}`, `${otherwise}, or ask the service to permit it.`],
    ]),
)

/** Group 5: the service did not find an object. */
export const missingCodes = readCodes(`
2158 branch account not found: nobody is registered as the receiver of the order
  Correct --receiver-id: the service gives it to you.
6002 active check order not found: there is no order to check that is still open
  See [order status {integratorOrderId}].
6004 active integrator not found: the service knows no active integrator of this identity
  Check --integrator-id of the profile with [profile show], then [profile check].
6005 integrator order not found: the integrator has no order of this id
  Check the integratorOrderId with [journal list].
6008 active integrator not found: the service knows no active integrator of this identity
  Check --integrator-id of the profile with [profile show], then [profile check].
6030 tip receiver not found: nobody is registered to get the tip
  Correct --tip-receiver-id, or leave it out.
6044 active third party not found: the service knows no active wallet integrator of this identity
  Check --wallet-identifier of the profile with [profile show].
6045 third-party order not found: there is no wallet order of this id
  Check the uniqueId with [journal list].
6046 order not found: there is no order of this id
  Check the id with [journal list].
6075 card not found: no card was saved with this order
  A card is saved only when an order with --save-card is paid: see [order status {integratorOrderId}].
6093 DEFAULT direct-link provider not found: the receiver has no default bank for card payments
  Name the bank with --direct-link-provider.
6100 subscription plan not found: there is no subscription of this id
  Check the subscriptionId: the subscription callback carries it.
6112 plan history not found: the subscription has no payments yet
  Try again after the first payment is due.
`)

/** The request did not open, so nothing was executed. */
export const unopenedCodes = readCodes(`
6010 decrypt: the service could not open the sealed request
  Check the keys of the profile with [key show]. On the sandbox [sandbox requests --code 6010] says why a request of your own program does not open.
6011 parse: the service could not read what the sealed request holds
  Check the keys of the profile with [key show]. On the sandbox [sandbox requests --code 6011] says why a request of your own program does not open.
6013 AES decrypt: the service could not open the sealed request
  Check the keys of the profile with [key show].
`)

/** The answer may have failed to be sealed after the request was executed. */
export const undecidedCodes = readCodes(`
6009 encrypt: the service could not seal its answer; the request may have been executed
  Run [resume].
6014 AES encrypt: the service could not seal its answer; the request may have been executed
  Run [resume].
6054 general failure: the service failed in an unknown place
  Run [resume].
`)

/** Codes of inner services that come through: a bank did not answer as it should, and nobody knows what it did. */
export const bankCodes = readCodes(`
2137 I/O error at a bank: the connection to a bank failed; the request may have been executed
  Run [resume].
2252 bad gateway of a bank: a bank answered 502; the request may have been executed
  Run [resume].
`)

/** A code that is mentioned, but whose meaning and group were never seen. */
export const unexplainedCodes = readCodes(`
6012 meaning unknown: the service failed, and nobody has seen what this code means
  Run [resume].
`)

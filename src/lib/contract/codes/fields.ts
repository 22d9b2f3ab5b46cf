/** Group 1 of the codes of areas B, C and D, validation (service.md#order-codes): fields and properties of a request. */
import { fact, hint, paste } from '../../hint.ts'
import type { CodeRows } from './code.ts'

export const fieldCodes: CodeRows = {
  6021: ['number format', 'a value that must be a number is none', 'Write amounts as plain decimals like 12.50.'],
  6035: [
    'validUntil not in the future',
    'the order would expire before it exists',
    'Correct --valid-until: without a zone it is Tbilisi time.',
  ],
  6041: ['date range', 'the dates given make no range', 'Correct the dates of the request.'],
  6049: [
    'create parameter',
    'a field of the new order is missing or breaks a rule',
    "Correct the field the service's message names.",
  ],
  6053: ['argument', 'an argument is missing or breaks a rule', "Correct the field the service's message names."],
  6070: [
    'personal number required',
    "this way of paying needs the payer's personal number",
    'Add --personal-number and --is-foreign.',
  ],
  6076: [
    'properties null',
    'the order properties are empty',
    'Give the keys of the order type with --property, or none.',
  ],
  6077: [
    'invalid property value',
    'an order property has content that cannot be right',
    "Correct the property the service's message names.",
  ],
  6078: [
    'missing value',
    'an order property that the order type demands is missing',
    hint`Add it with --property; \`${paste('order create', '--help')}\` shows which keys an order type demands.`,
  ],
  6079: [
    'invalid property field',
    "an order property is not used by the integrator's order type",
    hint`Leave it out, or set --order-type of the profile right with \`${paste('profile add')}\`.`,
  ],
  6081: [
    'amount differs from debt',
    'the amount is not what the payer owes the provider',
    'Ask the provider for the debt and correct --amount.',
  ],
  6085: [
    'integrator type',
    "the integrator's type does not allow this order",
    'Ask the service which order type the integrator has.',
  ],
  6091: [
    'direct-link provider required',
    'the order needs a pre-selected card payment',
    'Add --direct-link-provider: saving a card needs it.',
  ],
  6101: [
    'provider not allowed for subscription',
    'subscriptions cannot be paid through this provider',
    'Choose another --direct-link-provider.',
  ],
  6109: [
    'third-party create parameter',
    'a field of the new wallet order is missing or breaks a rule, or its uniqueId exists already',
    hint`See \`${paste('wallet details', fact('uniqueId'))}\`; correct --uri, or take another --unique-id.`,
  ],
  6110: [
    'third-party finalise parameter',
    'a field is missing or breaks a rule, or the order can no longer be changed',
    hint`Correct the field that the message names; \`${paste('wallet details', fact('uniqueId'))}\` shows how the order stands.`,
  ],
}

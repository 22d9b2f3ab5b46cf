/** Group 1 of the codes of areas B, C and D, validation (service.md#order-codes): sums, currencies, splits and refunds. */
import { fact, hint, paste } from '../../hint.ts'
import type { CodeRows } from './code.ts'

export const sumCodes: CodeRows = {
  6007: [
    'refund amount out of range',
    'the refund is more than what is left of the order',
    hint`Correct --amount; \`${paste('order status', fact('integratorOrderId'))}\` shows how far the order is.`,
  ],
  6026: [
    'amount out of limits',
    'the amount is below the smallest or above the largest order',
    'Correct --amount, or ask the service for another limit.',
  ],
  6027: ['initiate currency not allowed', 'the integrator may not use this currency', 'Choose another --currency.'],
  6028: [
    'distribution currency not allowed',
    'the receiver cannot be paid in this currency',
    'Choose another --distribution-currency, or leave it out.',
  ],
  6029: [
    'acquiring currency not allowed',
    'the card cannot be charged in this currency',
    'Choose another --acquiring-currency, or leave it out.',
  ],
  6058: ['more than 2 decimals', 'an amount has more than 2 decimals', 'Correct --amount: two decimals at most.'],
  6059: [
    'split sum differs from amount',
    "the parts of the split do not add up to the order's amount",
    'Correct --amount or the amounts of --split.',
  ],
  6060: [
    'main receiver missing',
    "the order's own receiver is not among the recipients of the split",
    'Add a --split for BRANCH with the --receiver-id of the order.',
  ],
  6061: [
    'main receiver repeated',
    "the order's own receiver is among the recipients of the split more than once",
    'Make one --split of its parts.',
  ],
  6062: [
    'fewer than 2 splits',
    'a split needs at least two recipients',
    'Add a --split for another recipient, or leave the split out.',
  ],
  6064: [
    'splits not provided',
    'the split has no recipients',
    'Name the recipients with --split, or leave the split out.',
  ],
  6066: [
    'split sum greater than amount',
    "the parts of the split add up to more than the order's amount",
    'Correct --amount or the amounts of --split.',
  ],
  6068: ['amount not positive', 'an amount must be greater than 0', 'Correct --amount.'],
  6094: [
    'partial refund needs details',
    'a part of a split order can go back only recipient by recipient',
    'Add a --refund-detail for every recipient that gives a part back.',
  ],
  6095: [
    'refund parameters',
    'a field of the refund is missing or breaks a rule',
    "Correct the field the service's message names.",
  ],
  6096: [
    'refund details',
    'the details of the refund are incomplete or do not fit the order',
    'Correct --refund-detail: recipients of the order, amounts that add up to --amount.',
  ],
  6097: [
    'duplicate receiver',
    'a recipient is named more than once',
    'Make one --split, or one --refund-detail, of its parts.',
  ],
  6098: [
    'split receiver type',
    'the kind of a recipient is none of BRANCH, USER and IBAN',
    'Correct the kind of the recipient in --split or --refund-detail.',
  ],
  6099: [
    'split receiver identifier',
    'a recipient is no registered branch or user, or no valid IBAN',
    'Correct the recipient in --split or --refund-detail.',
  ],
  6113: [
    'amount must be zero',
    'an order with a subscription plan has the amount 0',
    'Use --amount 0: the plan names the price.',
  ],
}

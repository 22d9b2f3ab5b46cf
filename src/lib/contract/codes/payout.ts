/**
 * The codes of area A as data (service.md#payout-codes). Area A is decided by code alone: every coded error may come with
 * HTTP 400. 5039 is too vague to depend on the body alone, a body that was not readable (5043) may have been damaged on the
 * way, and limits (5045, 5046) may have changed since the first attempt.
 */
import type { FailureName } from '../../failure.ts'
import { blank, fact, type Hint, hint, paste } from '../../hint.ts'
import type { Code } from '../status.ts'

type Row = readonly [number, number | null, string, string, FailureName, Hint | string]

const refusals: readonly Row[] = [
  [
    5003,
    5,
    'client not found',
    'the service does not know this client id',
    'credentials',
    hint`Check the client id with \`${paste('profile show')}\`.`,
  ],
  [
    5013,
    null,
    'invalid grant type',
    'the sign-in asked for a grant type the service does not offer',
    'credentials',
    'Check the base URL of the profile: this may be another service.',
  ],
  [
    5015,
    null,
    'balance not found',
    'the client has no account in this currency',
    'refused',
    hint`See \`${paste('payout balance')}\` for the accounts there are.`,
  ],
  [
    5017,
    null,
    'uniqueId exists',
    'a payout with this uniqueId exists at the service',
    'duplicate',
    hint`Close it with \`${paste('payout reconcile', fact('uniqueId'), '--transaction-id', blank('<n>'))}\`.`,
  ],
  [
    5021,
    3,
    'incorrect credentials',
    'client id and secret, or the access token, were not accepted',
    'credentials',
    hint`Check the client secret of the profile, then \`${paste('profile check')}\`.`,
  ],
  [
    5023,
    1,
    'invalid IBAN',
    'the beneficiary IBAN is not valid',
    'refused',
    'Correct --to-iban; the same --unique-id may be used again.',
  ],
  [
    5033,
    null,
    'no distribution strategy',
    'the client is not configured for this way to the beneficiary',
    'refused',
    'Pay the other way: --to-iban, or --receiver-id with --receiver-type.',
  ],
  [
    5038,
    1,
    'insufficient balance',
    'the balance does not cover amount and commission',
    'refused',
    hint`Top the balance up (\`${paste('payout balance')}\`), then run it again with the same id.`,
  ],
  [
    5039,
    null,
    'invalid argument',
    'a field is missing or breaks a rule',
    'refused',
    "Correct the field the service's message names.",
  ],
  [
    5041,
    null,
    'receiver not found',
    'no receiver is registered under this id and type',
    'refused',
    'Check --receiver-id and --receiver-type.',
  ],
  [
    5042,
    null,
    'argument type mismatch',
    'a value has the wrong type, such as a transaction id that is no number',
    'refused',
    'Correct the value.',
  ],
  [
    5043,
    null,
    'message not readable',
    'the service could not read the body as JSON',
    'refused',
    'Run it again with --trace and look at the body.',
  ],
  [5045, 1, 'below minimum', 'the amount is below the smallest payout', 'refused', 'Correct --amount.'],
  [
    5046,
    1,
    'above maximum',
    'the amount is above the largest payout',
    'refused',
    'Split the payout, or ask the service for a higher limit.',
  ],
  [
    5047,
    null,
    'debtor fields not permitted',
    'the client may not send debtor fields',
    'refused',
    'Leave --debtor-name, --debtor-iban and --debtor-identity-number out, or ask the service to permit them.',
  ],
  [
    5048,
    null,
    'fromIban not permitted',
    'the client may not choose the account that is debited',
    'refused',
    'Leave --from-iban out, or ask the service to permit it.',
  ],
  [
    5050,
    null,
    'currency not allowed',
    'the client may not pay out in this currency',
    'refused',
    'Choose another currency.',
  ],
  [
    5051,
    null,
    'currency not configured',
    'the account is not set up for this currency',
    'refused',
    'Choose another currency or account.',
  ],
]

const undecided: readonly Row[] = [
  [
    5006,
    null,
    'provider transaction not found',
    'the bank did not know the transaction when its status was asked for',
    'unknown',
    hint`Run \`${paste('resume')}\`.`,
  ],
  [
    5040,
    null,
    'general failure',
    'the service failed in an unknown place',
    'unknown',
    hint`Run \`${paste('resume')}\`.`,
  ],
]

const dependsOnBodyAlone: ReadonlySet<number> = new Set([5023, 5042])

function toCode([code, group, name, means, exit, next]: Row, ran: Code['ran']): Code {
  return { code, group, name, means, ran, bodyOnly: dependsOnBodyAlone.has(code), exit, next: hint`${next}` }
}

export const payoutCodes: ReadonlyMap<number, Code> = new Map(
  [...refusals.map((row) => toCode(row, 'no')), ...undecided.map((row) => toCode(row, 'unknown'))]
    .toSorted((a, b) => a.code - b.code)
    .map((code) => [code.code, code]),
)

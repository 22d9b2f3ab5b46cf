/** Persons, rules and approvals, as `--json` prints them. */
import { z } from 'zod'
import { environmentWord, foreignObject, jsonAmount, utcMoment, warningTexts } from '../result.ts'

const personId = z.string().regex(/^u-[0-9a-f]{12}$/)

export const personResult = z
  .strictObject({
    personId,
    name: z.string(),
    role: z.enum(['administrator', 'member']).describe('Administrators add and revoke persons and rules.'),
    publicKey: z.string().describe('“ed25519:” and the public key, base64url.'),
    addedAt: utcMoment,
    revokedAt: utcMoment.nullable().describe('Null while the person may act.'),
  })
  .meta({ title: 'A person of the store' })

export const personsResult = z.array(personResult).describe('In the order in which they were added.')

export const personKeyResult = z
  .strictObject({ privateKeyFile: z.string().describe('Readable by its owner only.'), publicKey: z.string() })
  .meta({ title: 'The new key of a person' })

const rule = {
  ruleId: z.string().regex(/^r-[0-9a-f]{12}$/),
  currency: z.string(),
  from: jsonAmount.describe('The sum of a day, with the new one, from which on it asks.'),
  approvers: z.int().min(1).describe('How many others have to approve.'),
  addedAt: utcMoment,
  addedBy: z.string().describe('The name of the administrator.'),
}

export const ruleResult = z.strictObject(rule).meta({ title: 'A rule of the store' })

export const ruleAddedResult = z.strictObject({ ...rule, warnings: warningTexts }).meta({ title: 'A rule, added' })

export const rulesResult = z.array(ruleResult).describe('Those that stand.')

const approval = {
  approvalId: z.string().regex(/^a-[0-9a-f]{12}$/),
  state: z
    .enum(['waiting', 'approved', 'rejected', 'expired', 'used', 'outdated', 'void'])
    .describe(
      '`outdated`: it does not cover what it asked for as that is now. `void`: its maker was revoked, or its signature is none.',
    ),
  subject: z.enum(['payment', 'plan']),
  id: z.string().describe('The journal id of the payment, or the id of the plan.'),
  operation: z.string(),
  sum: z.string().describe('The words of consent: “GEL 1200.00”; of a plan the sums of its currencies.'),
  payee: z.string().describe('As in a receipt; of a plan the name of its file.'),
  rows: z.int().min(0),
  digest: z.string().describe('Of the request; of a plan its hash, which covers every row with its id.'),
  profile: z.string(),
  environment: environmentWord,
  service: z.string(),
  clientId: z.string(),
  maker: z.string().describe('The name of the person who asks.'),
  makerId: personId,
  requestedAt: utcMoment,
  expiresAt: utcMoment,
  needs: z.int().min(0).describe('How many have to approve, as the rules and the day stand now.'),
  words: z
    .array(
      z.strictObject({
        person: z.string(),
        personId,
        decision: z.enum(['approve', 'reject']),
        because: z.string(),
        at: utcMoment,
        counts: z.boolean().describe('False where the signature is none, or the person was revoked.'),
      }),
    )
    .describe('What others said of it.'),
}

export const approvalResult = z.strictObject(approval).meta({ title: 'A request for an approval' })

export const approvalsResult = z.array(approvalResult).describe('The newest first.')

export const approvalShownResult = z
  .strictObject({
    ...approval,
    request: foreignObject.nullable().describe('What the payment sends; null for a plan.'),
  })
  .meta({ title: 'A request for an approval, with what it is for' })

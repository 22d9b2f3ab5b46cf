/** The results of the check of a profile and of a token that is lent, as `--json` prints them. */
import { z } from 'zod'
import { schemes } from '../envelope/scheme.ts'
import { parts } from '../profile/parts.ts'
import { environmentWord, utcMoment } from '../result.ts'
import { balancesResult } from './payout/result.ts'

export const checkResult = z
  .strictObject({
    profile: z.string(),
    environment: environmentWord,
    address: z.string().describe('Of payouts, else of the first part.'),
    clientId: z.string().nullable().describe('Null for a profile without payouts.'),
    balances: balancesResult.describe('None for a profile without payouts.'),
    parts: z.array(
      z.strictObject({
        part: z.enum(parts),
        address: z.string(),
        identity: z.string().describe('Client id, integrator id, or identifier of the wallet.'),
        scheme: z.enum(schemes).nullable().describe('How it is sealed; null for payouts.'),
        works: z.literal(true),
        says: z.string().describe('What that was seen by, in words.'),
      }),
    ),
  })
  .describe('Every part that was tried works; the first that does not is the error: exit code 4, 5, 9 or 11.')

export const lentTokenResult = z
  .strictObject({
    token: z.string().describe('Whoever has it acts as the client of the profile.'),
    expiresAt: utcMoment.describe('When paydesk takes a new one: a little before the service gives it up.'),
    profile: z.string(),
    environment: environmentWord,
  })
  .describe('Without --json stdout holds the token alone.')

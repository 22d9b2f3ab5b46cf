/** The report of `doctor`, as `--json` prints it. */
import { z } from 'zod'
import { environmentWord, journalIdText, utcMoment, warningTexts } from '../../result.ts'

export const subjects = [
  ...(['program', 'home', 'files', 'profile', 'secret', 'service', 'clock', 'tls'] as const),
  ...(['journal', 'payments'] as const),
] as const

export const doctorResult = z
  .strictObject({
    healthy: z.boolean().describe('False where a finding is `bad`; the exit code is 5 then.'),
    at: utcMoment,
    version: z.string().describe('Of paydesk.'),
    node: z.string(),
    system: z.string().describe('Its platform and processor.'),
    profile: z.string().nullable().describe('The one that was looked at; null where none was named or set.'),
    environment: environmentWord.nullable(),
    variables: z.array(z.string()).describe('Names of variables that are set and obeyed, never their values.'),
    findings: z.array(
      z.strictObject({
        about: z.enum(subjects),
        verdict: z
          .enum(['good', 'notice', 'bad', 'unseen'])
          .describe('`notice`: it works, and could be better. `unseen`: it was not, or could not be looked at.'),
        says: z.string(),
        next: z.array(z.string()).describe('What to do, for a person.'),
      }),
    ),
    payments: z
      .array(
        z.strictObject({
          journalId: journalIdText,
          operation: z.string(),
          state: z.string(),
          profile: z.string(),
          openedAt: utcMoment,
        }),
      )
      .nullable()
      .describe('Unknown and held ones, the newest first, 20 at most; null where the journal could not be read.'),
    warnings: warningTexts,
  })
  .describe('No secret, no person, no account and no sum stands in it.')

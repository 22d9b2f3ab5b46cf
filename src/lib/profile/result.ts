/** Profiles without their secrets, as `--json` prints them. */
import { z } from 'zod'
import { environmentWord, jsonAmount, warningTexts } from '../result.ts'
import { limitSpans } from '../spending.ts'
import { type Setting, type SettingName, settingNames, settings } from './settings.ts'

function shownAs({ takes }: Setting): z.ZodType<string | boolean | null> {
  if (takes === 'switch') return z.boolean().nullable()
  return (typeof takes === 'string' ? z.string() : z.enum(takes)).nullable()
}

/** Every setting, null where the profile does not have it. */
const settingsShown = Object.fromEntries(settingNames.map((name) => [name, shownAs(settings[name])])) as {
  readonly [Name in SettingName]: z.ZodType<string | boolean | null>
}

const service = z.strictObject({
  serviceId: z.string().describe('That of its first address, kept when it moves.'),
  moved: z.boolean().describe('Whether its address is another now.'),
})
export const profileResult = z
  .strictObject({
    name: z.string(),
    builtIn: z.boolean().describe('The sandbox: it makes its settings itself.'),
    default: z.boolean().describe('Used when none is named.'),
    ...settingsShown,
    environment: environmentWord,
    duplicateGuard: settingsShown.duplicateGuard.describe('What holds, be it set or usual.'),
    clientSecret: z
      .strictObject({
        from: z.enum(['file', 'env', 'keyring', 'config']),
        where: z.string().describe('In words.'),
        there: z
          .boolean()
          .nullable()
          .describe('Whether it is there now; null for the keyring, which may ask the person who sits there.'),
        remark: z.string().nullable(),
      })
      .nullable()
      .describe('Where the secret is; null without one.'),
    limits: z
      .array(
        z.strictObject({
          limit: z.string().describe('As --limit takes it: "GEL 20000.00/day".'),
          currency: z.string().nullable().describe('Null where payouts are counted and not their sums.'),
          per: z.enum(limitSpans).describe('`day`: of Asia/Tbilisi. `hour`: the last 60 minutes.'),
          most: jsonAmount.describe('A sum, or a number of payouts.'),
          spent: jsonAmount
            .nullable()
            .describe(
              'What counts now, of every profile of this client; null per payout, and where the journal cannot be read.',
            ),
          left: jsonAmount.nullable().describe('What may still be sent now; null as `spent`.'),
        }),
      )
      .describe('On payouts only.'),
    services: z
      .strictObject({
        payouts: service,
        orders: service,
        wallet: service,
      })
      .nullable()
      .describe('What journal and --key know the service of each part by; null for a built-in profile.'),
    problems: z.array(z.string()).describe('Files it names that cannot be read.'),
  })
  .describe('A setting is null where the profile does not have it. Files are absolute paths.')

export const profileAddedResult = z.strictObject({
  ...profileResult.shape,
  extended: z.boolean().describe('There was such a profile before.'),
  warnings: warningTexts,
})

export const profilesListedResult = z
  .array(
    z.strictObject({
      name: z.string(),
      environment: environmentWord.nullable(),
      baseUrl: z.string().nullable(),
      clientId: z.string().nullable(),
      builtIn: z.boolean(),
      default: z.boolean().describe('Used when none is named.'),
      problem: z.string().nullable().describe('Why it cannot be used.'),
    }),
  )
  .describe('The built-in ones last.')

export const profileRemovedResult = z.strictObject({
  name: z.string(),
  wasDefault: z.boolean().describe('It was the one used when none is named.'),
  warnings: warningTexts,
})

import { Flags, type Interfaces } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { describeProfileNow, profileView } from '../../lib/cli/profile/views.ts'
import { addProfile } from '../../lib/profile/add.ts'
import { Profiles } from '../../lib/profile/profiles.ts'
import type { profileAddedResult } from '../../lib/profile/result.ts'
import { systemKeyring } from '../../lib/profile/secret.ts'
import { type GivenSettings, type Setting, settingNames, settings } from '../../lib/profile/settings.ts'
import type { ResultOf } from '../../lib/result.ts'

/** A flag for every setting. Values are judged in one place, so that one answer names every mistake. */
function flagOf({ takes, help }: Setting) {
  if (takes === 'switch') return Flags.boolean({ description: help })
  return Flags.string({ description: help, helpValue: typeof takes === 'string' ? `<${takes}>` : takes.join('|') })
}

const settingFlags: Record<string, Interfaces.Flag<string | undefined> | Interfaces.BooleanFlag<boolean>> =
  Object.fromEntries(settingNames.map((name) => [settings[name].flag, flagOf(settings[name])]))

type Result = ResultOf<typeof profileAddedResult>

export default class ProfileAdd extends PaydeskCommand<Result> {
  static override summary = 'Add a profile (addresses, credentials, keys), or extend one.'
  static override description =
    'At a terminal it asks for what is needed and offers to test it. Existing settings change only with --replace. A secret comes from a file, a variable or stdin, never from an argument. A payout above a --limit is held, not sent (13); limits count all payouts of the client, by days in Tbilisi. Guide: docs/how-to/profiles.md'
  static override examples = [
    '<%= config.bin %> profile add',
    '<%= config.bin %> profile add acme --base-url https://pay.example.com --environment test --client-id 3f0e… --client-secret-file ~/acme.secret --use',
    'pass show acme | <%= config.bin %> profile add acme --base-url https://pay.example.com --environment live --client-id 3f0e… --client-secret-stdin',
    '<%= config.bin %> profile add acme --limit "GEL 5000/payout" --limit "GEL 20000/day" --limit 100/hour',
  ]

  static override args = { name: named('name of the profile') }

  static override flags = {
    ...settingFlags,
    'client-secret-file': Flags.string({
      description: 'file with the client secret; it is read each time',
      helpValue: '<file>',
    }),
    'client-secret-env': Flags.string({
      description: 'environment variable with the client secret',
      helpValue: '<NAME>',
    }),
    'client-secret-stdin': Flags.boolean({
      description: "read the client secret from stdin and store it in the system's keyring",
    }),
    'store-secrets': Flags.boolean({ description: 'store the client secret in the configuration file (mode 0600)' }),
    limit: Flags.string({
      description: 'a limit on payouts, such as "GEL 5000/payout", "GEL 20000/day" or "100/hour"; can be repeated',
      helpValue: '<limit>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'remove-limit': Flags.string({
      description: 'remove this limit, or all limits (all); needs --replace',
      helpValue: '<limit>|all',
      multiple: true,
      multipleNonGreedy: true,
    }),
    replace: Flags.boolean({ description: 'replace existing settings' }),
    'same-service': Flags.boolean({
      description: 'a new host in an address is the same service, so each --key keeps its meaning',
    }),
    'another-service': Flags.boolean({
      description: 'a new host in an address is another service, with its own keys',
    }),
    use: Flags.boolean({ description: 'make this the default profile' }),
  }

  static override readonly result = async () => (await import('../../lib/profile/result.ts')).profileAddedResult

  async run(): Promise<Result> {
    const { args, flags } = await this.parse(ProfileAdd)
    const profiles = new Profiles(this.places.config)
    const { env, stdin } = this.edge
    const context = { profiles, keyring: systemKeyring, env, stdin }
    const given = flags as GivenSettings
    const { profile, extended, warnings } = this.canAsk
      ? await (await import('../../lib/cli/profile/wizard.ts')).addProfileAtTerminal(this, args.name, given, context)
      : await addProfile(args.name, given, context)
    return { ...(await describeProfileNow(this, profile, await profiles.read())), extended, warnings }
  }

  protected override readonly view = (result: Result) =>
    profileView(result, `${result.extended ? 'Updated' : 'Added'} ${result.name}`)
}

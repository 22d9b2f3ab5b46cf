import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { Cell, View } from '../../lib/cli/output/view.ts'
import { describeProfileNow, limitRows } from '../../lib/cli/profile/views.ts'
import { chooseProfile } from '../../lib/profile/choose.ts'
import { type DescribedProfile, type DescribedSecret, describeBuiltIn } from '../../lib/profile/describe.ts'
import { Profiles } from '../../lib/profile/profiles.ts'
import { settingNames, settings } from '../../lib/profile/settings.ts'

function secretInWords(secret: DescribedSecret): string {
  return secret.remark === null ? secret.where : `${secret.where} (${secret.remark})`
}

/** Of a part whose service has moved: the name that its keys and its journal go on under. */
function movedServices({ services }: DescribedProfile): (readonly [string, Cell])[] {
  return Object.entries(services ?? {}).flatMap(([part, { serviceId, moved }]) =>
    moved ? [[`service of ${part}`, serviceId] as const] : [],
  )
}

/** The settings by the names of their flags, so that they can be given again. */
export function profileFacts(profile: DescribedProfile, title: string): View {
  const given = settingNames.map((name): readonly [string, Cell] => [settings[name].flag, profile[name]])
  const rows: (readonly [string, Cell])[] = [
    ...given,
    ['client secret', profile.clientSecret && secretInWords(profile.clientSecret)],
    ...limitRows(profile),
    ...movedServices(profile),
    ['default', profile.default ? 'yes' : null],
    ...profile.problems.map((problem) => ['problem', problem] as const),
  ]
  return [{ kind: 'facts', title, rows }]
}

export default class ProfileShow extends PaydeskCommand<DescribedProfile> {
  static override summary = 'Show a profile without its secrets.'
  static override description =
    'Shows where each secret is stored and whether it can be read, and how much of each limit is left. Without a name it shows the profile that a command would use now.'
  static override examples = ['<%= config.bin %> profile show acme', '<%= config.bin %> profile show']

  static override args = { name: Args.string({ ignoreStdin: true, description: 'the profile' }) }

  static override readonly result = async () => (await import('../../lib/profile/result.ts')).profileResult

  async run(): Promise<DescribedProfile> {
    const { args, flags } = await this.parse(ProfileShow)
    const { env } = this.edge
    const profiles = new Profiles(this.places.config)
    const choice = await chooseProfile({ flag: args.name ?? flags.profile, env, atTerminal: this.canAsk }, profiles)
    const kept = await profiles.read()
    if (choice.kind === 'sandbox') return describeBuiltIn(choice.name, kept)
    return describeProfileNow(this, choice.profile, kept)
  }

  protected override view(profile: DescribedProfile): View {
    return profileFacts(profile, profile.name)
  }
}

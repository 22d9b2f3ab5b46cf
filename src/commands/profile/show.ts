import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { describeProfileNow, profileView } from '../../lib/cli/profile/views.ts'
import { chooseProfile } from '../../lib/profile/choose.ts'
import { type DescribedProfile, describeBuiltIn } from '../../lib/profile/describe.ts'
import { Profiles } from '../../lib/profile/profiles.ts'

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

  protected override readonly view = (profile: DescribedProfile) => profileView(profile, profile.name)
}

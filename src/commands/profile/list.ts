import { PaydeskCommand } from '../../lib/cli/command.ts'
import { type Labels, tableOf } from '../../lib/cli/output/view.ts'
import { type ListedProfile, listProfiles } from '../../lib/profile/describe.ts'
import { Profiles } from '../../lib/profile/profiles.ts'

export default class ProfileList extends PaydeskCommand<readonly ListedProfile[]> {
  static override summary = 'List all profiles.'
  static override examples = ['<%= config.bin %> profile list', '<%= config.bin %> profile list --json']

  static override readonly result = async () => (await import('../../lib/profile/result.ts')).profilesListedResult

  async run(): Promise<readonly ListedProfile[]> {
    await this.parse(ProfileList)
    return listProfiles(await new Profiles(this.places.config).read())
  }

  protected override readonly view = (profiles: readonly ListedProfile[]) => [tableOf(profiles, columns)]
}

const columns: Labels<ListedProfile> = {
  profile: 'name',
  environment: 'environment',
  address: ({ problem, baseUrl }) => problem ?? baseUrl ?? 'built in',
  'client id': 'clientId',
  '': (each) => (each.default ? 'default' : null),
}

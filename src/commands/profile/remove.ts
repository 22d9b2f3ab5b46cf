import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { textView } from '../../lib/cli/output/view.ts'
import { mustAgree } from '../../lib/cli/prompts/confirm.ts'
import { Profiles, type Removed, removeProfile, unknownProfile } from '../../lib/profile/profiles.ts'
import { systemKeyring } from '../../lib/profile/secret.ts'

export default class ProfileRemove extends PaydeskCommand<Removed> {
  static override summary = 'Forget a profile.'
  static override description =
    'Its secret is removed from the keyring too. The journal, and files that the profile names, stay.'
  static override examples = ['<%= config.bin %> profile remove acme --yes']

  static override args = { name: named('the profile') }

  static override flags = { yes: Flags.boolean({ description: 'do not ask' }) }

  static override readonly result = async () => (await import('../../lib/profile/result.ts')).profileRemovedResult

  async run() {
    const { args, flags } = await this.parse(ProfileRemove)
    const profiles = new Profiles(this.places.config)
    const kept = await profiles.read()
    if (!kept.names.includes(args.name)) throw unknownProfile(args.name, kept)
    if (!flags.yes) {
      await mustAgree(this, {
        question: `Remove the profile ${args.name}?`,
        whether: 'whether the profile may go',
        ifDeclined: 'the profile stays',
      })
    }
    return removeProfile(args.name, profiles, systemKeyring)
  }

  protected override readonly view = ({ name }: Removed) => textView(`Removed ${name}.`)
}

import { Args, Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { terminalAsker } from '../../lib/cli/prompts/ask.ts'
import { askYesOrNo } from '../../lib/cli/prompts/confirm.ts'
import { Failure } from '../../lib/failure.ts'
import { Profiles, type Removed, removeProfile, unknownProfile } from '../../lib/profile/profiles.ts'
import { systemKeyring } from '../../lib/profile/secret.ts'

export default class ProfileRemove extends PaydeskCommand<Removed> {
  static override summary = 'Forget a profile.'
  static override description =
    'Its secret is removed from the keyring too. The journal, and files that the profile names, stay.'
  static override examples = ['<%= config.bin %> profile remove acme --yes']

  static override args = { name: Args.string({ ignoreStdin: true, required: true, description: 'the profile' }) }

  static override flags = { yes: Flags.boolean({ description: 'do not ask' }) }

  static override readonly result = async () => (await import('../../lib/profile/result.ts')).profileRemovedResult

  async run(): Promise<Removed> {
    const { args, flags } = await this.parse(ProfileRemove)
    const profiles = new Profiles(this.places.config)
    const kept = await profiles.read()
    if (!kept.names.includes(args.name)) throw unknownProfile(args.name, kept)
    if (!flags.yes) await this.#confirm(args.name)
    return removeProfile(args.name, profiles, systemKeyring)
  }

  protected override view({ name }: Removed): View {
    return [{ kind: 'text', text: `Removed ${name}.` }]
  }

  async #confirm(name: string): Promise<void> {
    if (!this.canAsk)
      throw new Failure('usage', 'removing a profile needs a confirmation, but no terminal is attached; add --yes')
    if (await askYesOrNo(terminalAsker(this.edge, this.signal), `Remove the profile ${name}?`)) return
    throw new Failure('declined', 'you said no; the profile was not removed')
  }
}

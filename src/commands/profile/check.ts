import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openDesk } from '../../lib/cli/desk/desk.ts'
import { partsOfProfile } from '../../lib/cli/desk/profile.ts'
import { checkView } from '../../lib/cli/profile/views.ts'
import { type Check, checkProfile } from '../../lib/desk/check.ts'
import { type Part, parts } from '../../lib/profile/parts.ts'

export default class ProfileCheck extends PaydeskCommand<Check> {
  static override summary = 'Check with the service that a profile works.'
  static override description =
    `Signs in and reads the balances; for orders and the wallet it sends a sealed read. No money moves. Stops at
the first area that fails. Exit code 4: wrong ids, secrets or keys; 11: not reachable; 9: no definite answer.`
  static override examples = [
    '<%= config.bin %> profile check -p acme',
    '<%= config.bin %> profile check -p acme --part wallet',
  ]

  static override flags = {
    part: Flags.option({ options: parts, multiple: true })({ description: 'only this area; can be repeated' }),
  }

  static override readonly result = async () => (await import('../../lib/desk/results.ts')).checkResult

  async run() {
    const { flags } = await this.parse(ProfileCheck)
    const [first, ...others] = parts.filter((part) => flags.part?.includes(part))
    const chosen: readonly [Part, ...Part[]] = first ? [first, ...others] : await partsOfProfile(this, flags)
    return checkProfile(chosen, (part) => openDesk(this, flags, part))
  }

  protected override readonly view = checkView
}

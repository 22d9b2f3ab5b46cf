import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { DeskAccess } from '../../lib/cli/desk/desk.ts'
import { checkView } from '../../lib/cli/profile/views.ts'
import { type Check, checkProfile } from '../../lib/desk/check.ts'
import { type Part, parts } from '../../lib/profile/parts.ts'

export default class ProfileCheck extends PaydeskCommand<Check> {
  static override summary = 'Ask the service for real: does the profile work?'
  static override description =
    `Payouts: signs in anew and reads the balances. Orders and the wallet: seals a question for an order and reads the
answer; nothing moves. Tries every part that the profile says something of, and ends with the first that fails, by name:
4 for wrong ids, secrets or keys, 11 where nobody listens, 9 where no definite answer came.`
  static override examples = [
    '<%= config.bin %> profile check -p acme',
    '<%= config.bin %> profile check -p acme --part wallet',
  ]

  static override flags = {
    part: Flags.option({ options: parts, multiple: true })({ description: 'only this part; several may be given' }),
  }

  static override readonly result = async () => (await import('../../lib/desk/results.ts')).checkResult

  readonly #desk = new DeskAccess(this)

  async run() {
    const { flags } = await this.parse(ProfileCheck)
    const [first, ...others] = parts.filter((part) => flags.part?.includes(part))
    const chosen: readonly [Part, ...Part[]] = first ? [first, ...others] : await this.#desk.profiles.parts(flags)
    return checkProfile(chosen, (part) => this.#desk.open(flags, part))
  }

  protected override readonly view = checkView
}

import { z } from 'zod'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { textView } from '../../lib/cli/output/view.ts'
import { Profiles } from '../../lib/profile/profiles.ts'
import type { ResultOf } from '../../lib/result.ts'

const usedByDefault = z.strictObject({ name: z.string(), default: z.literal(true) })

type Result = ResultOf<typeof usedByDefault>

export default class ProfileUse extends PaydeskCommand<Result> {
  static override summary = 'Set the default profile.'
  static override description = '--profile and PAYDESK_PROFILE take precedence.'
  static override examples = ['<%= config.bin %> profile use acme']

  static override args = { name: named('the profile; sandbox is built in') }

  static override readonly result = () => usedByDefault

  async run(): Promise<Result> {
    const { args } = await this.parse(ProfileUse)
    await new Profiles(this.places.config).use(args.name)
    return { name: args.name, default: true }
  }

  protected override readonly view = ({ name }: Result) => textView(`${name} is now the default profile.`)
}

import { type Check, checkProfile } from '../../lib/desk/check.ts'
import { DeskCommand } from '../../lib/desk-command.ts'
import type { View } from '../../lib/terminal/view.ts'

export default class ProfileCheck extends DeskCommand<Check> {
  static override summary = 'Sign in for real and read the balances: does the profile work?'
  static override examples = ['<%= config.bin %> profile check -p acme']

  async run(): Promise<Check> {
    const { flags } = await this.parse(ProfileCheck)
    return checkProfile(await this.desk(flags))
  }

  protected override view(check: Check): View {
    return [
      {
        kind: 'facts',
        title: `Profile ${check.profile} works`,
        rows: [
          ['environment', check.environment],
          ['address', check.address],
          ['client id', check.clientId],
        ],
      },
      {
        kind: 'table',
        head: ['currency', 'balance', ''],
        rows: check.balances.map(({ currency, amount, note }) => [currency, amount, note]),
        empty: 'No account.',
      },
    ]
  }
}

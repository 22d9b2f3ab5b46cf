import { PaydeskCommand } from '../../lib/cli/command.ts'
import { DeskAccess } from '../../lib/cli/desk/desk.ts'
import { payoutArgs } from '../../lib/cli/flags/shared.ts'
import { diffView } from '../../lib/cli/views.ts'
import { type PayoutDiff as Diff, diffPayout } from '../../lib/desk/diff.ts'

export default class PayoutDiff extends PaydeskCommand<Diff> {
  static override summary = 'Compare what the journal holds of a payout with what the service shows.'
  static override description =
    `Field by field; nothing is changed. Exit code 0 says that both could be read: whether they agree says "equal" of the
result (\`--query equal\`). The status compared is the one that the journal last saw; \`payout get\` brings it up to date, and tells of
another amount, currency or IBAN with 7. 6 for a payout that the journal, or the service, does not know.`
  static override examples = [
    '<%= config.bin %> payout diff 100001',
    '<%= config.bin %> payout diff payroll-2026-11:emp-17 --json --query equal',
  ]

  static override args = payoutArgs

  static override readonly result = async () => (await import('../../lib/desk/results.ts')).payoutDiffResult

  readonly #desk = new DeskAccess(this)

  async run() {
    const { args, flags } = await this.parse(PayoutDiff)
    return diffPayout(await this.#desk.open(flags, 'payouts'), args.id)
  }

  protected override readonly view = diffView
}

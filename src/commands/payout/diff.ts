import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openDesk } from '../../lib/cli/desk/desk.ts'
import { payoutArgs } from '../../lib/cli/flags/shared.ts'
import { diffView } from '../../lib/cli/views.ts'
import { type PayoutDiff as Diff, diffPayout } from '../../lib/desk/diff.ts'

export default class PayoutDiff extends PaydeskCommand<Diff> {
  static override summary = 'Compare a payout in the journal with the service.'
  static override description =
    `Compares field by field and changes nothing. Exit code 0 means that both could be read; \`--query equal\` says
whether they agree. The journal's status is the last one it saw: \`payout get\` updates it. Exit code 6: one of
them does not have the payout.`
  static override examples = [
    '<%= config.bin %> payout diff 100001',
    '<%= config.bin %> payout diff payroll-2026-11:emp-17 --json --query equal',
  ]

  static override args = payoutArgs

  static override readonly result = async () => (await import('../../lib/desk/results.ts')).payoutDiffResult

  async run() {
    const { args, flags } = await this.parse(PayoutDiff)
    return diffPayout(await openDesk(this, flags, 'payouts'), args.id)
  }

  protected override readonly view = diffView
}

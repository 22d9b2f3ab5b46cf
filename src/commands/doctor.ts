import { PaydeskCommand } from '../lib/cli/command.ts'
import { type Report, reportView } from '../lib/cli/doctor/report.ts'
import { Failure } from '../lib/failure.ts'
import { hint } from '../lib/hint.ts'

export default class Doctor extends PaydeskCommand<Report> {
  static override summary = 'Check this installation and report what is wrong.'
  static override description =
    `Checks Node, file modes, the profile and its secret, clock and certificate, the journal and its hash chain,
and payments that are unknown or held. Changes nothing and does not sign in: \`profile check\` does. The report
is safe to share: no secrets, names, accounts or amounts. Exit code 5 if something is wrong.`
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor -p acme >report.txt',
    `<%= config.bin %> doctor --json --query "findings[?verdict!='good']"`,
  ]

  static override readonly result = async () => (await import('../lib/cli/result.ts')).doctorResult

  async run(): Promise<Report> {
    const { flags } = await this.parse(Doctor)
    const { diagnoseAll } = await import('../lib/cli/doctor/doctor.ts')
    const { report, isDamaged } = await diagnoseAll(this, flags, this.config)
    if (!report.healthy) throw wrong(report, isDamaged)
    return report
  }

  protected override readonly view = reportView
}

function wrong(report: Report, isDamaged: boolean): Failure {
  const bad = report.findings.filter(({ verdict }) => verdict === 'bad')
  const names = [...new Set(bad.map(({ about }) => about))].join(', ')
  const next = [hint`The report on stdout says how to fix each problem.`]
  const moneyMoved = isDamaged ? 'unknown' : 'no'
  return new Failure('refused', `something is wrong: ${names}`, { document: report, moneyMoved, hints: next })
}

import { PaydeskCommand } from '../lib/cli/command.ts'
import { type Report, reportView } from '../lib/cli/doctor/report.ts'
import { Failure } from '../lib/failure.ts'
import { hint } from '../lib/hint.ts'

export default class Doctor extends PaydeskCommand<Report> {
  static override summary = 'Look at everything that paydesk stands on, and say what is wrong.'
  static override description =
    `Node, the home and the modes of its files, the profile and its secret, the clock and the certificate of the service, the journal and
its chain, payments that are unknown or held. Changes no file, signs in nowhere, and works without a profile or a home; whether the
credentials are right is asked by \`profile check\`. The report can be sent to others: it holds no secret, no person, no account
and no sum.

With anything bad the code is 5.`
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
  const next = [hint`The report on stdout says what to do about each.`]
  const moneyMoved = isDamaged ? 'unknown' : 'no'
  return new Failure('refused', `something is wrong: ${names}`, { document: report, moneyMoved, hints: next })
}

import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { journalOf } from '../../../lib/cli/desk/journal.ts'
import { type Labels, tableOf } from '../../../lib/cli/output/view.ts'
import { type DescribedRule, describeRule, ruleFrom } from '../../../lib/cli/team/approvals.ts'

export default class TeamRuleList extends PaydeskCommand<readonly DescribedRule[]> {
  static override summary = 'List the approval rules.'
  static override examples = ['<%= config.bin %> team rule list']

  static override readonly result = async () => (await import('../../../lib/approvals/result.ts')).rulesResult

  async run(): Promise<readonly DescribedRule[]> {
    await this.parse(TeamRuleList)
    const { team } = await (await journalOf(this)).fourEyes()
    const persons = await team.persons()
    return (await team.rules()).map((rule) => describeRule(rule, persons))
  }

  protected override readonly view = (rules: readonly DescribedRule[]) => [
    tableOf(rules, columns, 'No rules: nothing needs an approval.'),
  ]
}

const columns: Labels<DescribedRule> = {
  from: ruleFrom,
  approvers: 'approvers',
  'added by': 'addedBy',
  since: 'addedAt',
  'rule id': 'ruleId',
}

import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { JournalAccess } from '../../../lib/cli/desk/journal.ts'
import type { View } from '../../../lib/cli/output/view.ts'
import { type RuleTold, ruleTold } from '../../../lib/cli/team/approvals.ts'

export default class TeamRuleList extends PaydeskCommand<readonly RuleTold[]> {
  static override summary = 'List the approval rules.'
  static override examples = ['<%= config.bin %> team rule list']

  static override readonly result = async () => (await import('../../../lib/approvals/result.ts')).rulesResult

  readonly #journal = new JournalAccess(this)

  async run(): Promise<readonly RuleTold[]> {
    await this.parse(TeamRuleList)
    const { team } = await (await this.#journal.open()).fourEyes()
    const persons = await team.persons()
    return (await team.rules()).map((rule) => ruleTold(rule, persons))
  }

  protected override view(rules: readonly RuleTold[]): View {
    const rows = rules.map(({ currency, from, approvers, addedBy, addedAt, ruleId }) => [
      ...[`${currency} ${from}`, approvers, addedBy, addedAt, ruleId],
    ])
    const head = ['from', 'approvers', 'added by', 'since', 'rule id']
    return [{ kind: 'table', head, rows, empty: 'No rules: nothing needs an approval.' }]
  }
}

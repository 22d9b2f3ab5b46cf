import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { journalOf } from '../../../lib/cli/desk/journal.ts'
import { factsOf } from '../../../lib/cli/output/view.ts'
import {
  type DescribedRule,
  describeRule,
  personFlags,
  personKeyOf,
  ruleLabels,
} from '../../../lib/cli/team/approvals.ts'

export default class TeamRuleRemove extends PaydeskCommand<DescribedRule> {
  static override summary = 'Remove a rule; payments that were held because of it can be sent.'
  static override examples = ['<%= config.bin %> team rule remove r-3f9a1c2b7d10 --person-key anna.key']

  static override args = {
    rule: Args.string({ ignoreStdin: true, required: true, description: 'a rule id' }),
  }

  static override flags = personFlags

  static override readonly result = async () => (await import('../../../lib/approvals/result.ts')).ruleResult

  async run(): Promise<DescribedRule> {
    const { args, flags } = await this.parse(TeamRuleRemove)
    this.acts = true
    const key = await personKeyOf(this, flags)
    const { team } = await (await journalOf(this)).fourEyes()
    return describeRule(await team.removeRule(args.rule, key), await team.persons())
  }

  protected override readonly view = (rule: DescribedRule) => [factsOf(rule, ruleLabels, 'Rule removed')]
}

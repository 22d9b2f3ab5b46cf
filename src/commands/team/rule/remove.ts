import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { JournalAccess } from '../../../lib/cli/desk/journal.ts'
import type { View } from '../../../lib/cli/output/view.ts'
import { personFlags, personKeyOf, type RuleTold, ruleRows, ruleTold } from '../../../lib/cli/team/approvals.ts'

export default class TeamRuleRemove extends PaydeskCommand<RuleTold> {
  static override summary = 'Remove a rule; payments that were held because of it can be sent.'
  static override examples = ['<%= config.bin %> team rule remove r-3f9a1c2b7d10 --person-key anna.key']

  static override args = {
    rule: Args.string({ ignoreStdin: true, required: true, description: 'a rule id' }),
  }

  static override flags = personFlags

  static override readonly result = async () => (await import('../../../lib/approvals/result.ts')).ruleResult

  readonly #journal = new JournalAccess(this)

  async run(): Promise<RuleTold> {
    const { args, flags } = await this.parse(TeamRuleRemove)
    const key = await personKeyOf(this, flags)
    const { team } = await (await this.#journal.open()).fourEyes()
    return ruleTold(await team.removeRule(args.rule, key), await team.persons())
  }

  protected override get acts(): boolean {
    return true
  }

  protected override view(rule: RuleTold): View {
    return [{ kind: 'facts', title: 'Rule removed', rows: ruleRows(rule) }]
  }
}

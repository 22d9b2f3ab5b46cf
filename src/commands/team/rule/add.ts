import { Flags } from '@oclif/core'
import type { ruleAddedResult } from '../../../lib/approvals/result.ts'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { journalOf } from '../../../lib/cli/desk/journal.ts'
import { factsOf } from '../../../lib/cli/output/view.ts'
import {
  type DescribedRule,
  describeRule,
  mustBeMeant,
  personFlags,
  personKeyOf,
  ruleLabels,
  signingFlags,
} from '../../../lib/cli/team/approvals.ts'
import { fromMinorUnits, minorUnits } from '../../../lib/contract/core/decimal.ts'
import { currencies } from '../../../lib/contract/payout/request.ts'
import { Failure } from '../../../lib/failure.ts'
import type { ResultOf } from '../../../lib/result.ts'

type Added = ResultOf<typeof ruleAddedResult>

export default class TeamRuleAdd extends PaydeskCommand<Added> {
  static override summary = 'Add a rule: from which amount on payments need approvers.'
  static override description =
    `Applies to payouts, refunds and plans in this currency. The day's total of the requester counts (days in
Tbilisi), so several small payments add up. Rules with larger amounts can ask for more approvers. An
administrator signs it.`
  static override examples = [
    '<%= config.bin %> team rule add --currency GEL --from 1000 --approvers 1 --person-key anna.key',
  ]

  static override flags = {
    ...signingFlags,
    currency: Flags.option({ options: currencies })({ required: true, description: 'currency' }),
    from: Flags.string({ required: true, description: 'amount from which approval is needed', helpValue: '1000' }),
    approvers: Flags.integer({ default: 1, min: 1, max: 9, description: 'number of approvers' }),
    ...personFlags,
  }

  static override readonly result = async () => (await import('../../../lib/approvals/result.ts')).ruleAddedResult

  async run(): Promise<Added> {
    const { flags } = await this.parse(TeamRuleAdd)
    this.acts = true
    const { currency, from, approvers } = flags
    const units = from.length > 15 ? null : minorUnits(from)
    if (units === null) throw new Failure('usage', `--from takes a plain number like 1000 or 1000.50, not "${from}"`)
    await mustBeMeant(flags, `${currency} ${fromMinorUnits(units)}`)
    const key = await personKeyOf(this, flags)
    const { team } = await (await journalOf(this)).fourEyes()
    const { rule, isWithinReach } = await team.addRule({ currency, from_units: String(units), approvers }, key)
    const warning = 'there are fewer persons than this rule needs, so nothing could be approved (`team key add`)'
    return { ...describeRule(rule, await team.persons()), warnings: isWithinReach ? [] : [warning] }
  }

  protected override readonly view = (rule: DescribedRule) => [factsOf(rule, ruleLabels, 'Rule added')]
}

import { PaydeskCommand } from '../../lib/cli/command.ts'
import { namedPayee, openPayees, payeeLabels } from '../../lib/cli/desk/payees.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { factsOf, type View } from '../../lib/cli/output/view.ts'
import { payeeAlone } from '../../lib/contract/payout/payee.ts'
import type { payeeAddedResult } from '../../lib/journal/result.ts'
import type { ResultOf } from '../../lib/result.ts'

type Added = ResultOf<typeof payeeAddedResult>

export default class PayeeAdd extends PaydeskCommand<Added> {
  static override summary = 'Add a beneficiary to the list of known payees.'
  static override description =
    `\`payout create --payee <name>\` then fills in name, account and details. Payouts and plans warn when a known
name comes with another account: call the payee on a number that did not come with the invoice. Each profile
has its own list. Nothing is sent. Guide: docs/how-to/payees.md`
  static override examples = [
    '<%= config.bin %> payee add -p sandbox --beneficiary-name "Nino Beridze" --to-iban GE29NB0000000101904917',
  ]

  static override flags = fieldFlags(payeeAlone)

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).payeeAddedResult

  async run(): Promise<Added> {
    const { flags } = await this.parse(PayeeAdd)
    const { KnownPayees } = await import('../../lib/journal/payees.ts')
    const { profile, payees } = await openPayees(this, flags)
    const named = await namedPayee(this, flags)
    const alarm = new KnownPayees(await payees.list(profile)).alarm(named)
    const { payee, change } = await payees.add(profile, named)
    const done = { ...payee, isNew: change === 'new', isCompleted: change === 'completed' }
    return { ...done, warnings: alarm === null ? [] : [`${alarm.inWords}; both are listed now`] }
  }

  protected override view(added: Added): View {
    const title = added.isNew ? 'Payee listed' : added.isCompleted ? 'Payee completed' : 'This payee is already listed'
    return [factsOf(added, payeeLabels, title)]
  }
}

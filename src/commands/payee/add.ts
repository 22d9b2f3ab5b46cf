import { PaydeskCommand } from '../../lib/cli/command.ts'
import { DeskAccess } from '../../lib/cli/desk/desk.ts'
import { namedPayee, openPayees, payeeLabels } from '../../lib/cli/desk/payees.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { factsOf, type View } from '../../lib/cli/output/view.ts'
import { payeeAlone } from '../../lib/contract/payout/payee.ts'
import type { payeeAddedResult } from '../../lib/journal/result.ts'
import type { ResultOf } from '../../lib/result.ts'

type Added = ResultOf<typeof payeeAddedResult>

export default class PayeeAdd extends PaydeskCommand<Added> {
  static override summary = 'List a beneficiary as known, with the account that was looked at.'
  static override description =
    `The question before a payout, and a plan of a file, tell known payees from new ones, and warn when a known name comes with
another account: ask the payee then, by a way that did not come with the invoice. An account that was paid before counts as seen. Each
profile knows its own payees; nothing is sent. \`payout create --payee <name>\` fills in what stands here.`
  static override examples = [
    '<%= config.bin %> payee add -p sandbox --beneficiary-name "Nino Beridze" --to-iban GE29NB0000000101904917',
  ]

  static override flags = fieldFlags(payeeAlone)

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).payeeAddedResult

  readonly #desk = new DeskAccess(this)

  async run(): Promise<Added> {
    const { flags } = await this.parse(PayeeAdd)
    const { KnownPayees } = await import('../../lib/journal/payees.ts')
    const { profile, payees } = await openPayees(this.#desk, flags)
    const named = await namedPayee(this, flags)
    const alarm = new KnownPayees(await payees.list(profile)).alarm(named)
    const { payee, change } = await payees.add(profile, named)
    const done = { ...payee, isNew: change === 'new', isCompleted: change === 'completed' }
    return { ...done, warnings: alarm === null ? [] : [`${alarm.inWords}; both are listed now`] }
  }

  protected override view(added: Added): View {
    const title = added.isNew ? 'Payee listed' : added.isCompleted ? 'Payee completed' : 'Payee listed already'
    return [factsOf(added, payeeLabels, title)]
  }
}

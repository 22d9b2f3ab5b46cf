import { PaydeskCommand } from '../../lib/cli/command.ts'
import { detailInWords, PayeeAccess } from '../../lib/cli/desk/payees.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { accountInWords } from '../../lib/contract/core/iban.ts'
import { payeeDetails } from '../../lib/contract/payout/payee.ts'
import type { Payee } from '../../lib/journal/payees.ts'

export default class PayeeList extends PaydeskCommand<readonly Payee[]> {
  static override summary = 'List the payees of a profile, by name.'
  static override examples = ['<%= config.bin %> payee list -p sandbox', '<%= config.bin %> payee list --json']

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).payeesListedResult

  readonly #payees = new PayeeAccess(this)

  async run(): Promise<readonly Payee[]> {
    const { flags } = await this.parse(PayeeList)
    const { profile, payees } = await this.#payees.open(flags)
    return payees.list(profile)
  }

  protected override view(payees: readonly Payee[]): View {
    // A column that all leave empty takes room from the others.
    const details = payeeDetails.filter((name) => payees.some((each) => each[name] !== null))
    const rows = payees.map(({ name, account, addedAt, payeeId, ...more }) => [
      ...[name, accountInWords(account), ...details.map((each) => more[each]), addedAt, payeeId],
    ])
    const head = ['name', 'account', ...details.map((name) => detailInWords[name]), 'since', 'payee id']
    return [{ kind: 'table', head, rows, empty: 'No payees.' }]
  }
}

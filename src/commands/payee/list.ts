import { PaydeskCommand } from '../../lib/cli/command.ts'
import { PayeeAccess } from '../../lib/cli/desk/payees.ts'
import type { View } from '../../lib/cli/views/view.ts'
import { accountInWords } from '../../lib/contract/core/iban.ts'
import type { Payee } from '../../lib/journal/payees/payees.ts'

export default class PayeeList extends PaydeskCommand<readonly Payee[]> {
  static override summary = 'The payees that a profile knows, by name.'
  static override examples = ['<%= config.bin %> payee list -p sandbox', '<%= config.bin %> payee list --json']

  static override readonly result = async () => (await import('../../lib/journal/payees/result.ts')).payeesListedResult

  readonly #payees = new PayeeAccess(this)

  async run(): Promise<readonly Payee[]> {
    const { flags } = await this.parse(PayeeList)
    const { profile, payees } = await this.#payees.open(flags)
    return payees.list(profile)
  }

  protected override view(payees: readonly Payee[]): View {
    const rows = payees.map(({ name, account, addedAt, payeeId }) => [
      ...[name, accountInWords(account), addedAt, payeeId],
    ])
    return [{ kind: 'table', head: ['name', 'account', 'since', 'payee id'], rows, empty: 'No payee is listed.' }]
  }
}

import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openPayees, payeesView } from '../../lib/cli/desk/payees.ts'
import type { Payee } from '../../lib/journal/payees.ts'

export default class PayeeList extends PaydeskCommand<readonly Payee[]> {
  static override summary = 'List the payees of a profile, by name.'
  static override examples = ['<%= config.bin %> payee list -p sandbox', '<%= config.bin %> payee list --json']

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).payeesListedResult

  async run(): Promise<readonly Payee[]> {
    const { flags } = await this.parse(PayeeList)
    const { profile, payees } = await openPayees(this, flags)
    return payees.list(profile)
  }

  protected override readonly view = payeesView
}

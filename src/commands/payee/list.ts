import { PaydeskCommand } from '../../lib/cli/command.ts'
import { DeskAccess } from '../../lib/cli/desk/desk.ts'
import { openPayees, payeesView } from '../../lib/cli/desk/payees.ts'
import type { Payee } from '../../lib/journal/payees.ts'

export default class PayeeList extends PaydeskCommand<readonly Payee[]> {
  static override summary = 'List the payees of a profile, by name.'
  static override examples = ['<%= config.bin %> payee list -p sandbox', '<%= config.bin %> payee list --json']

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).payeesListedResult

  readonly #desk = new DeskAccess(this)

  async run(): Promise<readonly Payee[]> {
    const { flags } = await this.parse(PayeeList)
    const { profile, payees } = await openPayees(this.#desk, flags)
    return payees.list(profile)
  }

  protected override readonly view = payeesView
}

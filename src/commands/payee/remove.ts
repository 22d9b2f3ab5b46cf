import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { PayeeAccess, payeeRows } from '../../lib/cli/desk/payees.ts'
import type { View } from '../../lib/cli/output/view.ts'
import type { Payee } from '../../lib/journal/payees.ts'

export default class PayeeRemove extends PaydeskCommand<Payee> {
  static override summary = 'Remove a payee from the list.'
  static override examples = ['<%= config.bin %> payee remove GE29NB0000000101904917 -p sandbox']

  static override args = {
    payee: Args.string({ ignoreStdin: true, required: true, description: 'its payee id, account, or name' }),
  }

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).payeeResult

  readonly #payees = new PayeeAccess(this)

  async run(): Promise<Payee> {
    const { args, flags } = await this.parse(PayeeRemove)
    const { profile, payees } = await this.#payees.open(flags)
    return payees.remove(profile, args.payee)
  }

  protected override view(payee: Payee): View {
    return [{ kind: 'facts', title: 'Payee removed', rows: payeeRows(payee) }]
  }
}

import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openPayees, payeeArgs, payeeLabels } from '../../lib/cli/desk/payees.ts'
import { factsOf } from '../../lib/cli/output/view.ts'
import type { Payee } from '../../lib/journal/payees.ts'

export default class PayeeRemove extends PaydeskCommand<Payee> {
  static override summary = 'Remove a payee from the list.'
  static override examples = ['<%= config.bin %> payee remove GE29NB0000000101904917 -p sandbox']

  static override args = payeeArgs

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).payeeResult

  async run(): Promise<Payee> {
    const { args, flags } = await this.parse(PayeeRemove)
    const { profile, payees } = await openPayees(this, flags)
    return payees.remove(profile, args.payee)
  }

  protected override readonly view = (payee: Payee) => [factsOf(payee, payeeLabels, 'Payee removed')]
}

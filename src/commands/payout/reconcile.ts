import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openDesk } from '../../lib/cli/desk/desk.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { reconciledView } from '../../lib/cli/views.ts'
import { type Reconciled, reconcile } from '../../lib/desk/reconcile.ts'
import { Failure } from '../../lib/failure.ts'

export default class PayoutReconcile extends PaydeskCommand<Reconciled> {
  static override summary = 'Resolve a payout by the transactionId that the service names.'
  static override description =
    `For a payout whose answer was lost, when a statement or the service's staff names its transaction. Reads that
transaction and compares uniqueId, amount, currency, IBAN and description with the journal; the payout is
resolved only if all agree.`
  static override examples = [
    '<%= config.bin %> payout reconcile 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --transaction-id 100001',
  ]

  static override args = { uniqueId: named('the uniqueId, or the journal id or key of the payout') }

  static override flags = {
    'transaction-id': Flags.string({ required: true, description: 'number of the payout at the service' }),
  }

  static override readonly result = async () => (await import('../../lib/desk/results.ts')).reconciledResult

  async run(): Promise<Reconciled> {
    const { args, flags } = await this.parse(PayoutReconcile)
    const transactionId = flags['transaction-id']
    if (!/^\d+$/.test(transactionId)) throw new Failure('usage', '--transaction-id must be a valid number')
    return reconcile(await openDesk(this, flags, 'payouts'), args.uniqueId, transactionId)
  }

  protected override readonly view = reconciledView
}

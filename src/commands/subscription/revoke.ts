import { PaydeskCommand } from '../../lib/cli/command.ts'
import { profileOf } from '../../lib/cli/desk/profile.ts'
import { subscriptionArgs, whereItsIdIs } from '../../lib/cli/flags/shared.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { doneView } from '../../lib/cli/views.ts'
import { consentFlags } from '../../lib/cli/write/flags.ts'
import { runWrite } from '../../lib/cli/write/write.ts'
import { revokeSubscription } from '../../lib/contract/subscription.ts'
import { submitChange } from '../../lib/desk/orders.ts'
import { type Done, doneOf } from '../../lib/desk/receipts.ts'

export default class SubscriptionRevoke extends PaydeskCommand<Done> {
  static override summary = 'Revoke a subscription, so that no further payment is taken.'
  static override description =
    `--confirm takes the subscriptionId. If the answer is lost the request is repeated, which is harmless; without
an answer it ends with 9, and \`resume\` continues. A subscription that this journal already revoked is answered
from the journal, with a warning. ${whereItsIdIs}`
  static override examples = [
    '<%= config.bin %> subscription revoke 8d3f7c4e-2b1a-4f0e-9a53-5d1f3f1f7a11 --yes',
    '<%= config.bin %> subscription revoke 8d3f7c4e-2b1a-4f0e-9a53-5d1f3f1f7a11 --confirm 8d3f7c4e-2b1a-4f0e-9a53-5d1f3f1f7a11',
  ]

  static override args = subscriptionArgs
  static override flags = consentFlags

  static override readonly result = receiptOrDryRun('subscriptionRevokedResult')

  async run() {
    const { args, flags } = await this.parse(SubscriptionRevoke)
    const profile = await profileOf(this, flags, 'orders')
    const write = { flags, profile, known: { subscriptionId: args.subscriptionId } }
    return runWrite(this, revokeSubscription, write, async (desk, request) =>
      doneOf(await submitChange(desk, revokeSubscription, request), desk),
    )
  }

  protected override readonly view = doneView
}

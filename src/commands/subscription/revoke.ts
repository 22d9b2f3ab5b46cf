import { Args } from '@oclif/core'
import { whereItsIdIs } from '../../lib/cli/flags/subscription-id.ts'
import { doneView } from '../../lib/cli/views/done.ts'
import { type DryRun, dryRunView } from '../../lib/cli/views/dry-run.ts'
import type { View } from '../../lib/cli/views/view.ts'
import { consentFlags, WriteCommand } from '../../lib/cli/write-command.ts'
import { revokeSubscription } from '../../lib/contract/subscription/subscription.ts'
import { submitChange } from '../../lib/desk/order/change.ts'
import { type Done, doneOf } from '../../lib/desk/receipt/receipt.ts'

export default class SubscriptionRevoke extends WriteCommand<Done | DryRun> {
  static override summary = 'End a subscription: no further payment is taken.'
  static override description =
    `--confirm takes the subscriptionId. One that this journal has revoked already answers with the recorded receipt and a
warning: no read shows whether it still is. Without a definite answer it is sent again, because revoking twice is revoking;
if none comes it ends with 9, and \`resume\` goes on.
${whereItsIdIs}`
  static override examples = [
    '<%= config.bin %> subscription revoke 8d3f7c4e-2b1a-4f0e-9a53-5d1f3f1f7a11 --yes',
    '<%= config.bin %> subscription revoke 8d3f7c4e-2b1a-4f0e-9a53-5d1f3f1f7a11 --confirm 8d3f7c4e-2b1a-4f0e-9a53-5d1f3f1f7a11',
  ]

  static override args = {
    subscriptionId: Args.string({
      ignoreStdin: true,
      required: true,
      description: "the service's id of the subscription",
    }),
  }
  static override flags = consentFlags

  async run(): Promise<Done | DryRun> {
    const { args, flags } = await this.parse(SubscriptionRevoke)
    const profile = await this.profile(flags, 'orders')
    const { subscriptionId } = args
    const request = await this.request(revokeSubscription, flags, profile, { subscriptionId })
    if (flags['dry-run'] || flags.curl) return this.dryRun(revokeSubscription, request, profile, flags.curl)
    await this.consent(revokeSubscription, request, flags, profile)
    const desk = await this.desk(flags, 'orders', profile)
    return doneOf(await submitChange(desk, revokeSubscription, request))
  }

  protected override view(result: Done | DryRun): View {
    return 'dryRun' in result ? dryRunView(result as DryRun) : doneView(result)
  }
}

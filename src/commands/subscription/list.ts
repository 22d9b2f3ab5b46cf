import { PaydeskCommand } from '../../lib/cli/command.ts'
import { askedSaved, savedFlags } from '../../lib/cli/listing/lists.ts'
import { subscriptionsView } from '../../lib/cli/views.ts'
import type { Subscriptions } from '../../lib/listing/saved.ts'

export default class SubscriptionList extends PaydeskCommand<Subscriptions> {
  static override summary = 'List subscriptions that this journal knows.'
  static override description =
    `From received callbacks and from orders made with a plan, of every profile unless -p names one. The service
has no list and names a subscriptionId only in callbacks. A callback is only a hint: \`subscription history\`
reads the real payments.`
  static override examples = [
    '<%= config.bin %> subscription list',
    '<%= config.bin %> subscription list --json --query "[?revoked==\'no\'].subscriptionId"',
  ]

  static override flags = savedFlags

  static override readonly result = async () => (await import('../../lib/listing/result.ts')).subscriptionsResult

  async run() {
    const { flags } = await this.parse(SubscriptionList)
    const { subscriptions } = await import('../../lib/listing/saved.ts')
    return subscriptions(...(await askedSaved(this, flags, { hasSubscription: true })))
  }

  protected override readonly view = subscriptionsView
}

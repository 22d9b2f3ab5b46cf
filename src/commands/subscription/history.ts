import { PaydeskCommand } from '../../lib/cli/command.ts'
import { answerOr, curlFlags } from '../../lib/cli/desk/read.ts'
import { subscriptionArgs, whereItsIdIs } from '../../lib/cli/flags/shared.ts'
import { answerOrCurl } from '../../lib/cli/unsent.ts'
import { historyView } from '../../lib/cli/views.ts'
import { readHistory, type SubscriptionPayments } from '../../lib/desk/orders.ts'

export default class SubscriptionHistory extends PaydeskCommand<SubscriptionPayments> {
  static override summary = 'List the payments of a subscription.'
  static override description =
    `Exit code 0 means that it could be read; 6: the service has no such subscription. ${whereItsIdIs}`
  static override examples = ['<%= config.bin %> subscription history 8d3f7c4e-2b1a-4f0e-9a53-5d1f3f1f7a11']

  static override args = subscriptionArgs
  static override flags = curlFlags

  static override readonly result = answerOrCurl('subscriptionHistoryResult')

  async run() {
    const { args, flags } = await this.parse(SubscriptionHistory)
    return answerOr(this, flags, 'orders', (desk) => readHistory(desk, args.subscriptionId.trim()))
  }

  protected override readonly view = historyView
}

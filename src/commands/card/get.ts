import { PaydeskCommand } from '../../lib/cli/command.ts'
import { answerOr, curlFlags } from '../../lib/cli/desk/read.ts'
import { orderArgs } from '../../lib/cli/flags/shared.ts'
import { answerOrCurl } from '../../lib/cli/unsent.ts'
import { cardView } from '../../lib/cli/views.ts'
import { type CardRead, readCard } from '../../lib/desk/orders.ts'

export default class CardGet extends PaydeskCommand<CardRead> {
  static override summary = 'Read the card that was saved with an order.'
  static override description =
    `Prints the card token: whoever has it can charge the card. \`order create --card-from-order\` charges it without
showing it. Exit code 6: the order has no saved card (6075); a card is saved only if the order was made with
--save-card and paid.`
  static override examples = [
    '<%= config.bin %> card get 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    `umask 077; <%= config.bin %> card get 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --output csv --fields token | tail -1 > card.token`,
  ]

  static override args = orderArgs
  static override flags = curlFlags

  static override readonly result = answerOrCurl('cardReadResult')

  async run() {
    const { args, flags } = await this.parse(CardGet)
    return answerOr(this, flags, 'orders', (desk) => readCard(desk, args.id))
  }

  protected override readonly showsSecrets = true

  protected override readonly view = cardView
}

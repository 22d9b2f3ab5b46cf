import { PaydeskCommand } from '../../lib/cli/command.ts'
import { askedSaved, savedFlags } from '../../lib/cli/listing/lists.ts'
import { savedCardsView } from '../../lib/cli/views.ts'
import type { SavedCards } from '../../lib/listing/saved.ts'

export default class CardList extends PaydeskCommand<SavedCards> {
  static override summary = 'List saved cards that this journal knows.'
  static override description =
    `Lists orders made with --save-card and cards that a callback named, of every profile unless -p names one. The
service has no list of cards: \`card get\` reads what is missing here. Tokens are not shown.`
  static override examples = ['<%= config.bin %> card list', '<%= config.bin %> card list --since 30d --output csv']

  static override flags = savedFlags

  static override readonly result = async () => (await import('../../lib/listing/result.ts')).savedCardsResult

  async run() {
    const { flags } = await this.parse(CardList)
    const { savedCards } = await import('../../lib/listing/saved.ts')
    return savedCards(...(await askedSaved(this, flags, { hasCard: true })))
  }

  protected override readonly view = savedCardsView
}

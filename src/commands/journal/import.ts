import { existsSync } from 'node:fs'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { Failure } from '../../lib/failure.ts'
import { hint } from '../../lib/hint.ts'
import type { ImportedJournal } from '../../lib/journal/team.ts'

export default class JournalImport extends PaydeskCommand<ImportedJournal> {
  static override summary = "Import your local journal into the team's store, once."
  static override description =
    `Copies every row to the store that PAYDESK_STORE names, in one transaction: keys that were paid here then
count as paid for the whole team, and the team's limits count them. The journal is verified first and may hold
no unknown payment. The local file stays; set PAYDESK_STORE everywhere from then on. Guide:
docs/how-to/teams.md`
  static override examples = ['<%= config.bin %> journal import']

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).importedJournalResult

  async run(): Promise<ImportedJournal> {
    await this.parse(JournalImport)
    const { journal, team } = this.places
    if (team === null) {
      throw new Failure('usage', 'no team store to import into: PAYDESK_STORE is not set, and the profile names none', {
        hints: [hint`Set it: PAYDESK_STORE=postgres://…`],
      })
    }
    const { journalPlace } = await import('../../lib/cli/desk/journal.ts')
    const { openJournalStore } = await import('../../lib/journal/open.ts')
    const { momentOf } = await import('../../lib/journal/moment.ts')
    const { importJournal } = await import('../../lib/journal/team.ts')
    if (!existsSync(journal)) throw new Failure('usage', `no local journal to import: ${journal} does not exist`)
    const { clock } = this.edge
    const own = await openJournalStore({ journal, team: null }, clock)
    this.closeAtEnd(() => own.store.close())
    const shared = await openJournalStore(journalPlace(this), clock)
    this.closeAtEnd(() => shared.store.close())
    return importJournal(own.store, shared.store, { ...momentOf(clock), holding: own.holding }, this.signal)
  }

  protected override get acts(): boolean {
    return true
  }

  protected override view({ payments, attempts, payees, head }: ImportedJournal): View {
    return [
      {
        kind: 'facts',
        title: "The journal was imported into the team's store",
        rows: [
          ['payments', payments],
          ['attempts', attempts],
          ['payees', payees],
          ['journal head', head],
        ],
      },
    ]
  }
}

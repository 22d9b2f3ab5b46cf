import { existsSync } from 'node:fs'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openStore } from '../../lib/cli/desk/journal.ts'
import { factsOf } from '../../lib/cli/output/view.ts'
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
    this.acts = true
    const { journal, team } = this.places
    if (team === null) {
      const said = 'no team store to import into: PAYDESK_STORE is not set, and the profile names none'
      throw new Failure('usage', said, { hints: [hint`Set it: PAYDESK_STORE=postgres://…`] })
    }
    if (!existsSync(journal)) {
      throw new Failure('usage', `no local journal to import: ${journal} does not exist`)
    }
    const { momentOf } = await import('../../lib/journal/moment.ts')
    const { importJournal } = await import('../../lib/journal/team.ts')
    const { clock } = this.edge
    const own = await openStore(this, { journal, team: null })
    const shared = await openStore(this)
    return importJournal(own.store, shared.store, { ...momentOf(clock), leaseHolder: own.leaseHolder }, this.signal)
  }

  protected override readonly view = (imported: ImportedJournal) => [
    factsOf(
      imported,
      { payments: 'payments', attempts: 'attempts', payees: 'payees', 'journal head': 'head' },
      "The journal was imported into the team's store",
    ),
  ]
}

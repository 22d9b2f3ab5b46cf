import { existsSync } from 'node:fs'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openStore } from '../../lib/cli/desk/journal.ts'
import { factsOf } from '../../lib/cli/output/view.ts'
import { Failure } from '../../lib/failure.ts'
import { hint } from '../../lib/hint.ts'
import type { ImportedJournal } from '../../lib/journal/team.ts'

export default class JournalImport extends PaydeskCommand<ImportedJournal> {
  static override summary = "Bring this person's journal into the store of the team, once."
  static override description =
    `PAYDESK_STORE names the team's store. Every row is written there as it stands, with its ids, times and digests, in one
transaction; the team's limits count what was spent, and a key that was paid here is paid for the team. The journal is verified
first, and nothing of it may be unknown. The file stays where it is, as it is: a paydesk without PAYDESK_STORE still writes to it, so
set PAYDESK_STORE for everything from then on.`
  static override examples = ['<%= config.bin %> journal import']

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).importedJournalResult

  async run(): Promise<ImportedJournal> {
    await this.parse(JournalImport)
    const { journal, team } = this.places
    if (team === null) {
      const said = 'there is no store of a team to bring it into: PAYDESK_STORE is not set, and the profile names none'
      throw new Failure('usage', said, { hints: [hint`PAYDESK_STORE=postgres://… names it.`] })
    }
    if (!existsSync(journal)) {
      throw new Failure('usage', `there is no journal of this person: ${journal} does not exist`)
    }
    const { momentOf } = await import('../../lib/journal/moment.ts')
    const { importJournal } = await import('../../lib/journal/team.ts')
    const { clock } = this.edge
    const own = await openStore(this, { journal, team: null })
    const shared = await openStore(this)
    return importJournal(own.store, shared.store, { ...momentOf(clock), holding: own.holding }, this.signal)
  }

  protected override get acts(): boolean {
    return true
  }

  protected override readonly view = (imported: ImportedJournal) => [
    factsOf(
      imported,
      { payments: 'payments', attempts: 'attempts', payees: 'payees', 'journal head': 'head' },
      'The journal was brought into the store of the team',
    ),
  ]
}

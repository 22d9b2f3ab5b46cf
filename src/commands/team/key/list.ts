import type { Person } from '../../../lib/approvals/team.ts'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { JournalAccess } from '../../../lib/cli/desk/journal.ts'
import type { View } from '../../../lib/cli/output/view.ts'

export default class TeamKeyList extends PaydeskCommand<readonly Person[]> {
  static override summary = 'List the persons of the store.'
  static override examples = ['<%= config.bin %> team key list']

  static override readonly result = async () => (await import('../../../lib/approvals/result.ts')).personsResult

  readonly #journal = new JournalAccess(this)

  async run(): Promise<readonly Person[]> {
    await this.parse(TeamKeyList)
    return (await (await this.#journal.open()).fourEyes()).team.persons()
  }

  protected override view(persons: readonly Person[]): View {
    const rows = persons.map(({ name, role, personId, publicKey, addedAt, revokedAt }) => [
      ...[name, revokedAt === null ? role : `revoked ${revokedAt}`, addedAt],
      ...[personId, publicKey],
    ])
    const head = ['name', 'role', 'since', 'person id', 'public key']
    return [{ kind: 'table', head, rows, empty: 'No persons: nothing needs an approval.' }]
  }
}

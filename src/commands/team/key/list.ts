import type { Person } from '../../../lib/approvals/team.ts'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { journalOf } from '../../../lib/cli/desk/journal.ts'
import { type Labels, tableOf } from '../../../lib/cli/output/view.ts'

export default class TeamKeyList extends PaydeskCommand<readonly Person[]> {
  static override summary = 'List the persons of the store.'
  static override examples = ['<%= config.bin %> team key list']

  static override readonly result = async () => (await import('../../../lib/approvals/result.ts')).personsResult

  async run(): Promise<readonly Person[]> {
    await this.parse(TeamKeyList)
    return (await (await journalOf(this)).fourEyes()).team.persons()
  }

  protected override readonly view = (persons: readonly Person[]) => [
    tableOf(persons, columns, 'No persons: nothing needs an approval.'),
  ]
}

const columns: Labels<Person> = {
  name: 'name',
  role: ({ role, revokedAt }) => (revokedAt === null ? role : `revoked ${revokedAt}`),
  since: 'addedAt',
  'person id': 'personId',
  'public key': 'publicKey',
}

import { Args } from '@oclif/core'
import type { Person } from '../../../lib/approvals/team.ts'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { JournalAccess } from '../../../lib/cli/desk/journal.ts'
import type { View } from '../../../lib/cli/output/view.ts'
import { personFlags, personKeyOf, personRows } from '../../../lib/cli/team/approvals.ts'

export default class TeamKeyRevoke extends PaydeskCommand<Person> {
  static override summary = 'Revoke a person; their open requests and approvals become void.'
  static override description =
    'An administrator signs it. The key cannot be used again. Persons and rules that the person added stay.'
  static override examples = ['<%= config.bin %> team key revoke Nino --person-key anna.key']

  static override args = {
    person: Args.string({ ignoreStdin: true, required: true, description: 'a name or a person id' }),
  }

  static override flags = personFlags

  static override readonly result = async () => (await import('../../../lib/approvals/result.ts')).personResult

  readonly #journal = new JournalAccess(this)

  async run(): Promise<Person> {
    const { args, flags } = await this.parse(TeamKeyRevoke)
    const key = await personKeyOf(this, flags)
    return (await (await this.#journal.open()).fourEyes()).team.revoke(args.person, key)
  }

  protected override get acts(): boolean {
    return true
  }

  protected override view(person: Person): View {
    return [{ kind: 'facts', title: 'Person revoked', rows: personRows(person) }]
  }
}

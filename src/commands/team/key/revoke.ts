import { Args } from '@oclif/core'
import type { Person } from '../../../lib/approvals/team.ts'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { journalOf } from '../../../lib/cli/desk/journal.ts'
import { factsOf } from '../../../lib/cli/output/view.ts'
import { personFlags, personKeyOf, personLabels } from '../../../lib/cli/team/approvals.ts'

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

  async run(): Promise<Person> {
    const { args, flags } = await this.parse(TeamKeyRevoke)
    this.acts = true
    const key = await personKeyOf(this, flags)
    return (await (await journalOf(this)).fourEyes()).team.revoke(args.person, key)
  }

  protected override readonly view = (person: Person) => [factsOf(person, personLabels, 'Person revoked')]
}

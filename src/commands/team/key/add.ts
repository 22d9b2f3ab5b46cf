import { Args, Flags } from '@oclif/core'
import type { Person } from '../../../lib/approvals/team.ts'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { journalOf } from '../../../lib/cli/desk/journal.ts'
import { factsOf } from '../../../lib/cli/output/view.ts'
import { mustBeMeant, personFlags, personKeyOf, personLabels, signingFlags } from '../../../lib/cli/team/approvals.ts'

export default class TeamKeyAdd extends PaydeskCommand<Person> {
  static override summary = 'Add a person to the store with their public key.'
  static override description =
    `The first person adds themselves and becomes administrator; an administrator signs for everybody else.
Approvals are in force once somebody was added. Guide: docs/how-to/teams.md`
  static override examples = [
    '<%= config.bin %> team key add Anna --person-key anna.key',
    '<%= config.bin %> team key add Nino --public-key ed25519:gQ5rTtJ4b2LkX0mWcC1pM3dYhB7nZs9fUe6vAiKxR0E --person-key anna.key',
  ]

  static override args = {
    name: Args.string({ ignoreStdin: true, required: true, description: 'name that others see' }),
  }

  static override flags = {
    ...signingFlags,
    'public-key': Flags.string({
      description: 'public key from `team key generate`; the first person omits it',
      helpValue: 'ed25519:…',
    }),
    administrator: Flags.boolean({ description: 'may add and revoke persons and rules' }),
    ...personFlags,
  }

  static override readonly result = async () => (await import('../../../lib/approvals/result.ts')).personResult

  async run(): Promise<Person> {
    const { args, flags } = await this.parse(TeamKeyAdd)
    this.acts = true
    const key = await personKeyOf(this, flags)
    await mustBeMeant(flags, args.name)
    const { team } = await (await journalOf(this)).fourEyes()
    const role = flags.administrator ? 'administrator' : 'member'
    return team.add({ name: args.name, publicKey: flags['public-key'] ?? null, role }, key)
  }

  protected override readonly view = (person: Person) => [factsOf(person, personLabels, 'Person added')]
}

import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { journalPlace } from '../../lib/cli/desk/journal.ts'
import { factsOf } from '../../lib/cli/output/view.ts'
import { Failure } from '../../lib/failure.ts'
import type { ConfirmedServer } from '../../lib/journal/team.ts'

export default class TeamConfirm extends PaydeskCommand<ConfirmedServer> {
  static override summary = "Confirm that the team's store is complete after a failover or restore."
  static override description =
    `After a failover or restore the store may lack payments that were executed, so paydesk writes nothing (12)
until somebody confirms. First compare the service's payments with \`journal list\`, and check the newest
receipts with \`journal verify --head\`: a missing payment could be paid again. Guide: docs/how-to/teams.md`
  static override examples = [
    '<%= config.bin %> team confirm --because "promoted db2; the statement of 10:05 to 10:20 has nothing that the journal lacks"',
  ]

  static override flags = {
    because: Flags.string({
      required: true,
      description: 'how you checked; stored with the confirmation',
      helpValue: '<text>',
    }),
  }

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).confirmedServerResult

  async run(): Promise<ConfirmedServer> {
    const { flags } = await this.parse(TeamConfirm)
    if (flags.because.trim() === '') throw new Failure('usage', '--because needs a text')
    const { confirmTeamServer } = await import('../../lib/journal/team.ts')
    return confirmTeamServer(journalPlace(this), flags.because, this.edge.clock)
  }

  protected override readonly view = (confirmed: ConfirmedServer) => [
    factsOf(
      confirmed,
      { system: 'system', timeline: 'timeline', because: 'because' },
      confirmed.isNew ? 'Confirmed: paydesk writes to the store again' : 'Nothing to confirm: the store is unchanged',
    ),
  ]
}

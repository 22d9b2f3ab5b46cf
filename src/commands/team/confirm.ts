import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { journalPlace } from '../../lib/cli/desk/journal.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { Failure } from '../../lib/failure.ts'
import type { ConfirmedServer } from '../../lib/journal/team.ts'

export default class TeamConfirm extends PaydeskCommand<ConfirmedServer> {
  static override summary = "Say that the team's store is whole on the server where it is now."
  static override description =
    `After a failover, or from a backup, the store (PAYDESK_STORE) may lack payments that the service has executed; paydesk sees that
the server is another one, or has been promoted, or that the store holds less than this machine has seen in it, and writes nothing (12)
until somebody confirms it here. Before you do, hold what the service executed since then against \`journal list\`, and look for the
heads of the newest receipts with \`journal verify --head\`: a payment that is missing would be paid again.`
  static override examples = [
    '<%= config.bin %> team confirm --because "promoted db2; the statement of 10:05 to 10:20 has nothing that the journal lacks"',
  ]

  static override flags = {
    because: Flags.string({ required: true, description: 'how you made sure; kept in the store', helpValue: '<text>' }),
  }

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).confirmedServerResult

  async run(): Promise<ConfirmedServer> {
    const { flags } = await this.parse(TeamConfirm)
    if (flags.because.trim() === '') throw new Failure('usage', '--because needs words')
    const { confirmTeamServer } = await import('../../lib/journal/team.ts')
    return confirmTeamServer(journalPlace(this), flags.because, this.edge.clock)
  }

  protected override view({ isNew, system, timeline, because }: ConfirmedServer): View {
    return [
      {
        kind: 'facts',
        title: isNew ? 'Confirmed: the store is written again' : 'Nothing to confirm: the store is what it was',
        rows: [
          ['system', system],
          ['timeline', timeline],
          ['because', because],
        ],
      },
    ]
  }
}

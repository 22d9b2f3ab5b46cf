import { Args, Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/command.ts'
import { testCards, usualCard } from '../../lib/sandbox/card/test-card.ts'
import { openSandbox } from '../../lib/sandbox/sandbox.ts'
import { type Played, triggers } from '../../lib/sandbox/trigger.ts'
import type { View } from '../../lib/terminal/view.ts'

export default class SandboxTrigger extends PaydeskCommand<Played> {
  static override summary = 'Play the payer of an order: pay it, be declined, let it expire; or let a refund fail.'
  static override description =
    'Works whether the sandbox runs or not. `paid` tries a test card, and what comes of it is the card’s business: `sandbox world` lists them.'
  static override examples = [
    '<%= config.bin %> sandbox trigger paid --order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    '<%= config.bin %> sandbox trigger paid --order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --card second-step --tip 1.00',
    '<%= config.bin %> sandbox trigger refund-failed --order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
  ]

  static override args = {
    what: Args.custom<Played['played']>({
      ignoreStdin: true,
      options: [...triggers],
      parse: async (word) => triggers.find((each) => each === word) ?? 'paid',
    })({ required: true, description: 'what happens' }),
  }

  static override flags = {
    order: Flags.string({ required: true, description: 'the integratorOrderId', helpValue: '<uuid>' }),
    card: Flags.option({ options: testCards.map(({ name }) => name) })({
      description: `the test card that \`paid\` tries; ${usualCard} when not given`,
    }),
    tip: Flags.string({ description: 'what the payer adds to `paid`', helpValue: '<amount>' }),
  }

  async run(): Promise<Played> {
    const { args, flags } = await this.parse(SandboxTrigger)
    const { order, card, tip } = flags
    const sandbox = await openSandbox(this.places.sandbox, this.edge.clock, this.edge.random)
    this.closeAtEnd(() => sandbox.close())
    return await sandbox.trigger({
      what: args.what,
      order,
      ...(card === undefined ? {} : { card }),
      ...(tip === undefined ? {} : { tip }),
    })
  }

  protected override view({ integratorOrderId, status, failReason }: Played): View {
    return [
      {
        kind: 'facts',
        rows: [
          ['order', integratorOrderId],
          ['status', status],
          ['last try', failReason],
        ],
      },
    ]
  }
}

import { Args, Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { journalOf } from '../../lib/cli/desk/journal.ts'
import { orderName } from '../../lib/cli/flags/shared.ts'
import { type Labels, labelled, type View } from '../../lib/cli/output/view.ts'
import { ownSandbox } from '../../lib/cli/sandbox.ts'
import { findOrderId } from '../../lib/journal/find.ts'
import type { ResultOf } from '../../lib/result.ts'
import { testCards, usualCard } from '../../lib/sandbox/areas/cards.ts'
import { waitingInWords } from '../../lib/sandbox/server/address.ts'
import { type Played, type triggeredResult, triggers } from '../../lib/sandbox/trigger.ts'

type Result = ResultOf<typeof triggeredResult>

export default class SandboxTrigger extends PaydeskCommand<Result> {
  static override summary = 'Play the payer, the bank or the service: pay an order, fail a refund, repeat a callback.'
  static override description =
    'Works without a running sandbox too. `paid` pays with a test card that decides the outcome (`sandbox world` lists the cards). `refunded` is a refund made by the service. `subscription-charge` charges outside the schedule. `callback` sends the callback again: identical (--duplicate), with the opposite outcome (--out-of-order) or edited (--set).'
  static override examples = [
    '<%= config.bin %> sandbox trigger paid --order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    '<%= config.bin %> sandbox trigger paid --order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --card second-step --tip 1.00',
    '<%= config.bin %> sandbox trigger refunded --order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --amount 2.50',
    '<%= config.bin %> sandbox trigger callback --order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --duplicate',
    '<%= config.bin %> sandbox trigger callback --order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --set amount=0.01 --set cardInfo.token=x',
  ]

  static override args = {
    what: Args.custom<Played['played']>({
      ignoreStdin: true,
      options: [...triggers],
      parse: async (word) => triggers.find((each) => each === word) ?? 'paid',
    })({ required: true, description: 'what happens' }),
  }

  static override flags = {
    order: Flags.string({ description: orderName, helpValue: '<id>' }),
    subscription: Flags.string({
      description: 'the subscriptionId, for `subscription-charge`',
      helpValue: '<uuid>',
      exclusive: ['order'],
    }),
    card: Flags.option({ options: testCards.map(({ name }) => name) })({
      description: `test card for \`paid\`; default ${usualCard}`,
    }),
    tip: Flags.string({ description: 'tip that the payer adds to `paid`', helpValue: '<amount>' }),
    amount: Flags.string({ description: 'amount of `refunded`; default all', helpValue: '<amount>' }),
    duplicate: Flags.boolean({ description: 'send the last callback again, unchanged' }),
    'out-of-order': Flags.boolean({ description: 'send the opposite outcome after the real one' }),
    set: Flags.string({
      description: 'edit the callback: field=value, a.b for a nested field; can be repeated',
      helpValue: '<field=value>',
      multiple: true,
      multipleNonGreedy: true,
    }),
  }

  static override readonly result = async () => (await import('../../lib/sandbox/trigger.ts')).triggeredResult

  async run(): Promise<Result> {
    const { args, flags } = await this.parse(SandboxTrigger)
    const { subscription, card, tip, amount, duplicate, 'out-of-order': outOfOrder, set } = flags
    const sandbox = await ownSandbox(this)
    const { worldId } = await sandbox.world()
    const order = flags.order && (await findOrderId(() => journalOf(this), flags.order, worldId))
    const options = { order, subscription, card, tip, amount, duplicate, outOfOrder, set }
    const played = await sandbox.trigger({ what: args.what, ...options })
    return { ...played, warnings: await waitingInWords(sandbox, this.places.sandbox, played.callbacks) }
  }

  protected override view(result: Result): View {
    const callbacks = result.callbacks.map(
      ({ id, kind, url, state, why }) => ['callback', `${id}, ${kind}, ${state}: ${why ?? url}`] as const,
    )
    const labels: Labels<Result> = {
      order: 'integratorOrderId',
      [result.played === 'subscription-charge' ? 'charge' : 'status']: 'status',
      'last try': 'failReason',
    }
    return [{ kind: 'facts', rows: [...labelled(result, labels), ...callbacks] }]
  }
}

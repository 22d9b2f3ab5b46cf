import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { journalOf } from '../../lib/cli/desk/journal.ts'
import { orderName } from '../../lib/cli/flags/shared.ts'
import { type Block, type Labels, labelled, textView, type View } from '../../lib/cli/output/view.ts'
import { ownSandbox, timeAtService } from '../../lib/cli/sandbox.ts'
import { findOrderId } from '../../lib/journal/find.ts'
import type { Callback } from '../../lib/sandbox/areas/callbacks.ts'
import { waitingInWords } from '../../lib/sandbox/server/address.ts'

export default class SandboxCallbacks extends PaydeskCommand<Callback[]> {
  static override summary = 'List callbacks of the sandbox and every attempt to deliver them.'
  static override description =
    "Each payment that ends in SUCCESS or FAILED, and each charge of a subscription, sends a callback while `sandbox start` runs: at once, then after 5 s, 30 s, 2 min, 10 min, 1 h and 6 h of the sandbox's clock, until the receiver answers 200. --json shows what the receiver answered."
  static override examples = [
    '<%= config.bin %> sandbox callbacks',
    '<%= config.bin %> sandbox callbacks --order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    `<%= config.bin %> sandbox callbacks --json --query "[?state=='waiting'].payload"`,
  ]

  static override flags = {
    order: Flags.string({ description: `those of this order only: ${orderName}`, helpValue: '<id>' }),
  }

  static override readonly result = async () =>
    (await import('../../lib/sandbox/areas/callbacks.ts')).sentCallbacksResult

  async run(): Promise<Callback[]> {
    const { flags } = await this.parse(SandboxCallbacks)
    const sandbox = await ownSandbox(this)
    const { worldId } = await sandbox.world()
    const order = flags.order && (await findOrderId(() => journalOf(this), flags.order, worldId))
    const callbacks = await sandbox.callbacks.list(order)
    for (const line of await waitingInWords(sandbox, this.places.sandbox, callbacks)) this.output.warn(line)
    return callbacks
  }

  protected override view(callbacks: Callback[]): View {
    if (callbacks.length === 0) return textView('No callbacks yet.')
    return callbacks.map(drawn)
  }
}

/** Characters of a reply that stand in the table. */
const shownOfReply = 60

function inShort(reply: string): string {
  const line = [...reply.replaceAll(/\s+/g, ' ').trim()]
  return line.length > shownOfReply ? `${line.slice(0, shownOfReply).join('')}…` : line.join('')
}

const labels: Labels<Callback> = {
  order: 'integratorOrderId',
  says: ({ payload }) => (payload as { status?: unknown }).status,
  to: ({ url, sealed }) => `${url}${sealed ? '' : ' (plain JSON)'}`,
  played: ({ note }) => note && `${note}; \`sandbox ledger\` shows what was executed`,
  'next attempt': ({ nextAttemptAt }) => timeAtService(nextAttemptAt),
}

function drawn(callback: Callback): Block {
  const { id, kind, state, attempts } = callback
  const tries = attempts.map(({ number, at, http, why, milliseconds, reply }) => {
    const answer = `${timeAtService(at)}  ${why ?? `HTTP ${http}`}  ${milliseconds} ms${reply ? `  ${inShort(reply)}` : ''}`
    return [`attempt ${number}`, answer] as const
  })
  return { kind: 'facts', title: `Callback ${id}: ${kind}, ${state}`, rows: [...labelled(callback, labels), ...tries] }
}

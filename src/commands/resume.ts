import { Args, Flags } from '@oclif/core'
import { PaydeskCommand } from '../lib/cli/command.ts'
import { type Resolved, resolveEvery, resolveNamed } from '../lib/cli/desk/open-writes.ts'
import { textView, type View } from '../lib/cli/output/view.ts'
import { resolvedView } from '../lib/cli/views.ts'
import { Failure } from '../lib/failure.ts'

type Result = Resolved | Resolved[]

export default class Resume extends PaydeskCommand<Result> {
  static override summary = 'Resolve payments whose outcome is unknown, under the id they were sent with.'
  static override description =
    `Without an id it resolves every unknown payment of the profile that is younger than 24 hours; --all takes
every profile. A payout is repeated under its id, so it is never paid twice. Orders, refunds and charges are
only read, never sent again. With the id of a held payment, it is sent once it is within the limits or
approved. --settle records what you know.`
  static override examples = [
    '<%= config.bin %> resume',
    '<%= config.bin %> resume j-3f9a1c2b7d10',
    '<%= config.bin %> resume j-3f9a1c2b7d10 --settle executed --because "on the bank statement of 20 November" --yes',
  ]

  static override args = { id: Args.string({ ignoreStdin: true, description: 'a journal id, uniqueId or key' }) }

  static override flags = {
    // First, because it has a letter: see consentFlags.
    yes: Flags.boolean({ char: 'y', description: 'do not ask; not enough on live profiles' }),
    all: Flags.boolean({ description: 'every unknown payment of every profile, or of the one that -p names' }),
    settle: Flags.option({ options: ['executed', 'refused'] as const })({
      description: 'record how the payment ended, when you know it and the service cannot be asked',
    }),
    because: Flags.string({ description: 'how you know', dependsOn: ['settle'] }),
    confirm: Flags.string({ description: 'confirm without being asked', helpValue: '"GEL 12.50"' }),
    'allow-duplicate': Flags.string({
      description: 'send a held payment although this one of the last 24 hours looks the same',
      helpValue: '<journalId>',
    }),
  }

  static override readonly result = async () => (await import('../lib/desk/results.ts')).resumedResult

  /** The profile whose payments were asked for; null for those of every profile. */
  #profile: string | null = null

  async run(): Promise<Result> {
    const { args, flags } = await this.parse(Resume)
    this.acts = true
    if (args.id !== undefined && flags.all) throw new Failure('usage', 'give an id or --all, not both')
    if (flags.settle && args.id === undefined) throw new Failure('usage', '--settle needs the id of a payment')
    if (flags.settle && !flags.because?.trim()) throw new Failure('usage', '--settle needs --because "how you know"')
    if (args.id === undefined && flags['allow-duplicate'] !== undefined) {
      throw new Failure('usage', '--allow-duplicate needs the id of the held payment')
    }
    if (args.id !== undefined) return resolveNamed(this, args.id, flags)
    const { profile, resolved } = await resolveEvery(this, flags)
    this.#profile = profile
    return resolved
  }

  protected override view(result: Result): View {
    if (!Array.isArray(result)) return resolvedView(result)
    if (result.length > 0) return result.flatMap(resolvedView)
    return textView(`No payment ${this.#profile === null ? '' : `of ${this.#profile} `}is unknown.`)
  }
}

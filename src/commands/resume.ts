import { Args, Flags } from '@oclif/core'
import { PaydeskCommand } from '../lib/cli/command.ts'
import { OpenWrites } from '../lib/cli/desk/open-writes.ts'
import type { SharedFlags } from '../lib/cli/flags/shared.ts'
import type { View } from '../lib/cli/output/view.ts'
import { terminalAsker } from '../lib/cli/prompts/ask.ts'
import { type Consent, requireConsent } from '../lib/cli/prompts/confirm.ts'
import { resolvedView } from '../lib/cli/views.ts'
import type { Desk } from '../lib/desk/desk.ts'
import type { Done, Receipt } from '../lib/desk/receipts.ts'
import { agreedTo, needsConsent, receipt, resolveAs, resume, resumeEach } from '../lib/desk/resume.ts'
import { inPlay } from '../lib/desk/thing.ts'
import { Failure } from '../lib/failure.ts'
import type { Intent } from '../lib/journal/intent.ts'

type Resolved = Receipt | Done
type Result = Resolved | Resolved[]

export default class Resume extends PaydeskCommand<Result> {
  static override summary = 'Resolve payments whose outcome is unknown, under the id they were sent with.'
  static override description =
    `With an id, that one; without, every unknown one of the profile that is younger than 24 hours, with --all those of
every profile. A payout is sent again under its id, which the service recognises, so nothing is paid twice. Of the others
the service is asked what it shows of them first; orders, refunds and charges are never sent again. An older payout needs
--confirm "<CURRENCY> <amount>". One that is held is sent by its id, when it fits its limits or is approved, and never otherwise. --settle
records your own word where the service cannot be asked, or ends what is held; the journal keeps it as yours.`
  static override examples = [
    '<%= config.bin %> resume',
    '<%= config.bin %> resume j-3f9a1c2b7d10',
    '<%= config.bin %> resume j-3f9a1c2b7d10 --settle executed --because "on the bank statement of 20 November" --yes',
  ]

  static override args = { id: Args.string({ ignoreStdin: true, description: 'a journal id, uniqueId or key' }) }

  static override flags = {
    // First, because it has a letter: see consentFlags.
    yes: Flags.boolean({ char: 'y', description: 'do not ask; not enough on live profiles' }),
    all: Flags.boolean({ description: 'every unknown payment of every profile; of one, where that is named' }),
    settle: Flags.option({ options: ['executed', 'refused'] as const })({
      description: 'your word instead of the service’s',
    }),
    because: Flags.string({ description: 'how you know', dependsOn: ['settle'] }),
    confirm: Flags.string({ description: 'consent without a question', helpValue: '"GEL 12.50"' }),
    'allow-duplicate': Flags.string({
      description: 'send one that is held although this one of the last 24 hours looks the same',
      helpValue: '<journalId>',
    }),
  }

  static override readonly result = async () => (await import('../lib/desk/results.ts')).resumedResult

  readonly #open = new OpenWrites(this)
  /** The profile whose payments were asked for; null for those of every profile. */
  #asked: string | null = null

  async run(): Promise<Result> {
    const { args, flags } = await this.parse(Resume)
    if (args.id !== undefined && flags.all) throw new Failure('usage', 'an id and --all exclude each other')
    if (flags.settle && args.id === undefined) throw new Failure('usage', '--settle needs the id of one payment')
    if (flags.settle && !flags.because?.trim()) throw new Failure('usage', '--settle needs --because "how you know"')
    if (args.id === undefined && flags['allow-duplicate'] !== undefined) {
      throw new Failure('usage', '--allow-duplicate needs the id of the payment that is held')
    }
    if (args.id === undefined) return this.#every(flags)
    const { desk, intent } = await this.#open.named(args.id, flags)
    return inPlay(desk, intent, async () => {
      if (flags.settle) return this.#byWord(desk, intent, flags.settle, flags.because ?? '', flags)
      if (needsConsent(intent, desk.journal.moment.now)) await this.#consentToOld(intent, flags)
      return resume(desk, intent, { allowDuplicate: flags['allow-duplicate'] ?? null })
    })
  }

  protected override get acts(): boolean {
    return true
  }

  protected override view(result: Result): View {
    if (!Array.isArray(result)) return resolvedView(result)
    if (result.length > 0) return result.flatMap(resolvedView)
    return [{ kind: 'text', text: `No payment ${this.#asked === null ? '' : `of ${this.#asked} `}is unknown.` }]
  }

  async #every(flags: SharedFlags & { readonly all: boolean }): Promise<Resolved[]> {
    const { open, profile } = await this.#open.every(flags)
    this.#asked = profile
    const desks = this.#open.desks(flags)
    return resumeEach(await desks.ofThisWorld(open), (intent) => desks.of(intent), await this.#open.now())
  }

  async #byWord(desk: Desk, intent: Intent, word: 'executed' | 'refused', because: string, consent: Consent) {
    await this.#ask(intent, [`Your word that ${intent.journalId} was ${word}: ${because}`], intent.journalId, consent)
    const resolved = await resolveAs(desk, intent, word, because)
    const warnings = word === 'executed' ? [] : ['resolved as refused by your word; nothing was sent']
    return receipt(desk, { intent: resolved, replayed: false, warnings })
  }

  #consentToOld(intent: Intent, consent: Consent): Promise<void> {
    const phrase = agreedTo(intent)
    const done = intent.state === 'held' ? 'held since' : 'first sent'
    const lines = [`${phrase} to ${intent.payee}, ${done} ${intent.openedAt}, more than 24 hours ago`]
    if (consent.confirm === undefined && !this.canAsk) {
      const said = `${intent.journalId} is older than 24 hours; sending it needs --confirm "${phrase}"`
      throw new Failure('usage', said)
    }
    return this.#ask(intent, lines, phrase, { confirm: consent.confirm })
  }

  async #ask(intent: Intent, lines: readonly string[], phrase: string, consent: Consent): Promise<void> {
    const what = { live: intent.environment === 'live', lines, phrase }
    await requireConsent(what, consent, this.canAsk ? terminalAsker(this.edge, this.signal) : null)
  }
}

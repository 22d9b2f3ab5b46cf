import { Args, Flags } from '@oclif/core'
import { fromMinorUnits } from '../lib/contract/decimal.ts'
import type { Desk } from '../lib/desk/desk.ts'
import { scopeOf } from '../lib/desk/draft.ts'
import { findIntent } from '../lib/desk/find.ts'
import { type Receipt, receiptOf } from '../lib/desk/receipt.ts'
import { isOld, resume, resumeEach, settle } from '../lib/desk/resume.ts'
import { DeskCommand } from '../lib/desk-command.ts'
import { Failure } from '../lib/failure.ts'
import type { Intent } from '../lib/journal/intent.ts'
import { terminalAsker } from '../lib/terminal/ask.ts'
import { type Consent, confirmed } from '../lib/terminal/confirm.ts'
import { receiptView } from '../lib/terminal/payout-view.ts'
import type { View } from '../lib/terminal/view.ts'

export default class Resume extends DeskCommand<Receipt | Receipt[]> {
  static override summary = 'Settle payments whose outcome is unknown, under the id they were sent with.'
  static override description =
    `With an id, that one; without, every unknown one of the profile that is younger than 24 hours. The service recognises
the id, so nothing is paid twice. An older one is sent again only with --confirm "<CURRENCY> <amount>".
--settle records your own word where the service cannot be asked; the journal keeps it as yours.`
  static override examples = [
    '<%= config.bin %> resume',
    '<%= config.bin %> resume j-3f9a1c2b7d10',
    '<%= config.bin %> resume j-3f9a1c2b7d10 --settle executed --because "on the bank statement of 20 November" --yes',
  ]

  static override args = {
    id: Args.string({ ignoreStdin: true, description: 'a journal id, uniqueId or key' }),
  }

  static override flags = {
    all: Flags.boolean({ description: 'every unknown payment of the profile; the default when no id is given' }),
    settle: Flags.option({ options: ['executed', 'refused'] as const })({
      description: 'your word instead of the service’s',
    }),
    because: Flags.string({ description: 'how you know', dependsOn: ['settle'] }),
    yes: Flags.boolean({ char: 'y', description: 'do not ask; not enough on live profiles' }),
    confirm: Flags.string({ description: 'consent without a question', helpValue: '"GEL 12.50"' }),
  }

  async run(): Promise<Receipt | Receipt[]> {
    const { args, flags } = await this.parse(Resume)
    if (args.id !== undefined && flags.all) throw new Failure('usage', 'an id and --all exclude each other')
    if (flags.settle && args.id === undefined) throw new Failure('usage', '--settle needs the id of one payment')
    if (flags.settle && !flags.because?.trim()) throw new Failure('usage', '--settle needs --because "how you know"')
    const desk = await this.desk(flags)
    if (args.id === undefined) return this.#every(desk)
    const intent = await findIntent(desk, args.id)
    if (flags.settle) return this.#settled(desk, intent, flags.settle, flags.because ?? '', flags)
    if (['unknown', 'turned-away'].includes(intent.state) && isOld(intent, this.edge.clock.now()))
      await this.#consentToOld(intent, flags)
    return resume(desk, intent)
  }

  protected override get acts(): boolean {
    return true
  }

  protected override view(result: Receipt | Receipt[]): View {
    if (!Array.isArray(result)) return receiptView(result)
    return result.length === 0 ? [{ kind: 'text', text: 'Nothing is open.' }] : result.flatMap(receiptView)
  }

  async #every(desk: Desk): Promise<Receipt[]> {
    const open = await desk.journal.list({ ...scopeOf(desk.profile), states: ['unknown'] })
    return resumeEach(desk, open.toReversed())
  }

  async #settled(desk: Desk, intent: Intent, word: 'executed' | 'refused', because: string, consent: Consent) {
    const lines = [`Your word that ${intent.journalId} was ${word}: ${because}`]
    await this.#ask(intent, lines, intent.journalId, consent)
    const settled = await settle(desk, intent, word, because)
    if (word === 'executed') return receiptOf(settled, false, [])
    return receiptOf(settled, false, ['settled as refused by your word; nothing was sent'])
  }

  #consentToOld(intent: Intent, consent: Consent): Promise<void> {
    const phrase = `${intent.currency} ${fromMinorUnits(BigInt(intent.amountMinor))}`
    const lines = [`${phrase} to ${intent.payee}, first sent ${intent.openedAt}, more than 24 hours ago`]
    if (consent.confirm === undefined && !this.canAsk) {
      throw new Failure(
        'usage',
        `${intent.journalId} is older than 24 hours; sending it again needs --confirm "${phrase}"`,
      )
    }
    return this.#ask(intent, lines, phrase, { confirm: consent.confirm })
  }

  #ask(intent: Intent, lines: readonly string[], phrase: string, consent: Consent): Promise<void> {
    const asker = this.canAsk ? terminalAsker(this.edge) : null
    return confirmed({ live: intent.environment === 'live', lines, phrase }, consent, asker)
  }
}

import { PaydeskCommand } from '../../lib/cli/command.ts'
import { JournalAccess } from '../../lib/cli/desk/journal.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { type Labels, tableOf, type View } from '../../lib/cli/output/view.ts'
import { sumInWords } from '../../lib/cli/views.ts'
import { Failure } from '../../lib/failure.ts'
import { hint, paste } from '../../lib/hint.ts'
import { describeAttempts, journalEntry, withCurrency } from '../../lib/journal/entry.ts'
import { findByName } from '../../lib/journal/find.ts'
import type { journalShownResult } from '../../lib/journal/result.ts'
import type { ResultOf } from '../../lib/result.ts'

type Shown = ResultOf<typeof journalShownResult>

export default class JournalShow extends PaydeskCommand<Shown> {
  static override summary = 'Show one payment of the journal with all its attempts.'
  static override examples = ['<%= config.bin %> journal show j-3f9a1c2b7d10']

  static override args = { id: named('a journal id, uniqueId, transactionId or key') }

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).journalShownResult

  readonly #journal = new JournalAccess(this)

  async run(): Promise<Shown> {
    const { args, flags } = await this.parse(JournalShow)
    const journal = await this.#journal.open()
    const ofProfile = flags.profile === undefined ? {} : { profile: flags.profile }
    const { intents: known } = await findByName(journal, args.id, ofProfile)
    // Create, cancel and finalize of one order share its id: an open one is asked for before the others.
    const intent = known.find(({ state }) => state === 'unknown') ?? known[0]
    if (!intent) {
      throw new Failure('not-found', `the journal has no payment ${args.id}`, {
        hints: [hint`\`${paste('journal list')}\` lists them.`],
      })
    }
    const [shown = intent] = await withCurrency(journal, [intent])
    return { ...journalEntry(shown), attempts: describeAttempts(await journal.attempts(intent)) }
  }

  protected override view({ attempts, request, answer, amount, currency, ...facts }: Shown): View {
    const rows = [['amount', sumInWords({ currency, amount })] as const, ...Object.entries(facts)]
    return [
      { kind: 'facts', rows: [...rows, ['request', request], ['answer', answer]] },
      tableOf(attempts, attemptColumns, 'No attempt.'),
    ]
  }
}

const attemptColumns: Labels<Shown['attempts'][number]> = {
  attempt: 'number',
  started: 'startedAt',
  ended: 'endedAt',
  outcome: ({ outcome }) => outcome ?? 'none recorded',
  HTTP: 'http',
  code: 'statusCode',
  decision: 'decision',
}

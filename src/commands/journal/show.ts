import { PaydeskCommand } from '../../lib/cli/command.ts'
import { journalOf } from '../../lib/cli/desk/journal.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { type Labels, sumInWords, tableOf, type View } from '../../lib/cli/output/view.ts'
import { accountInWords } from '../../lib/contract/core/iban.ts'
import { isMembers } from '../../lib/contract/core/members.ts'
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

  async run(): Promise<Shown> {
    const { args, flags } = await this.parse(JournalShow)
    const journal = await journalOf(this)
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

  protected override view({ attempts, request, answer, amount, currency, payee, ...facts }: Shown): View {
    const rows = Object.entries({ amount: sumInWords({ currency, amount }), to: accountInWords(payee), ...facts })
    return [
      { kind: 'facts', rows },
      ...partsOf('Request', request),
      ...partsOf('Answer', answer),
      tableOf(attempts, attemptColumns, 'No attempt.'),
    ]
  }
}

/** The members of a request or an answer; nothing where there is none. */
function partsOf(title: string, body: unknown): View {
  if (body === null || body === undefined) return []
  if (!isMembers(body)) return [{ kind: 'facts', rows: [[title, body]] }]
  const { toIban } = body
  const account = typeof toIban === 'string' ? { toIban: accountInWords(toIban) } : {}
  return [{ kind: 'facts', title, rows: Object.entries({ ...body, ...account }) }]
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

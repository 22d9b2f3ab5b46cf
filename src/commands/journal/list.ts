import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { journalOf } from '../../lib/cli/desk/journal.ts'
import { sinceAndUntil, typedPeriod } from '../../lib/cli/flags/times.ts'
import { type Labels, sumInWords, tableOf } from '../../lib/cli/output/view.ts'
import { accountInWords } from '../../lib/contract/core/iban.ts'
import { writeNamed } from '../../lib/contract/operations.ts'
import { type JournalEntry, journalEntry, withCurrency } from '../../lib/journal/entry.ts'
import { intentStates } from '../../lib/journal/verdict.ts'

/** An older payment that is unknown must not be missed. */
function moreOf(limit: number): string {
  return `only the newest ${limit} are shown; choose others with --limit, --since, --until, --state or --named`
}

export default class JournalList extends PaydeskCommand<JournalEntry[]> {
  static override summary = 'List payments of the journal, newest first.'
  static override description =
    'The journal holds every payment that this machine sent or meant to send, of every profile. Times are local; UTC with --json.'
  static override examples = [
    '<%= config.bin %> journal list --state unknown',
    '<%= config.bin %> journal list --since 2026-11-20 --json',
  ]

  static override flags = {
    state: Flags.option({ options: intentStates })({ description: 'only payments in this state' }),
    ...sinceAndUntil('made'),
    named: Flags.string({ description: 'only those with this uniqueId, transactionId, journal id or key' }),
    limit: Flags.integer({ description: 'maximum number of entries', default: 100, min: 1 }),
  }

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).journalListResult

  async run(): Promise<JournalEntry[]> {
    const { flags } = await this.parse(JournalList)
    const journal = await journalOf(this)
    const { profile, state, named } = flags
    const found = await journal.list({
      limit: flags.limit + 1,
      ...(profile === undefined ? {} : { profile }),
      ...(state === undefined ? {} : { states: [state] }),
      ...(named === undefined ? {} : { named }),
      ...typedPeriod(this, flags),
    })
    const intents = found.slice(0, flags.limit)
    if (found.length > intents.length && !this.output.machine) this.output.warn(moreOf(flags.limit))
    return (await withCurrency(journal, intents)).map(journalEntry)
  }

  protected override readonly view = (entries: JournalEntry[]) => [tableOf(entries, columns, 'No payments found.')]
}

const columns: Labels<JournalEntry> = {
  'journal id': 'journalId',
  made: 'openedAt',
  operation: 'operation',
  state: 'state',
  amount: sumInWords,
  'payee or order': about,
  transaction: 'transactionId',
  'last status': 'status',
  key: 'key',
  profile: 'profile',
}

/** The payee; of an order its id, which every command about it takes. */
function about({ operation, uniqueId, payee }: JournalEntry): string {
  const write = writeNamed(operation)
  return write?.listedBy === 'id' ? `${write.about} ${uniqueId}` : accountInWords(payee)
}

import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openStore } from '../../lib/cli/desk/journal.ts'
import { factsOf, type Labels, textView, type View } from '../../lib/cli/output/view.ts'
import { howMany } from '../../lib/contract/core/text.ts'
import { Failure } from '../../lib/failure.ts'
import { blank, hint, paste } from '../../lib/hint.ts'
import type { VerifiedJournal } from '../../lib/journal/chain.ts'

export default class JournalVerify extends PaydeskCommand<VerifiedJournal> {
  static override summary = 'Verify the journal against its hash chain.'
  static override description =
    `Finds rows that were changed, removed, inserted or moved. Receipts and reports print the head of the chain:
keep heads on another machine, and give one with --head to detect a journal that was truncated, replaced by an
older copy, or rewritten. Exit code 1 if something is wrong. Guide: docs/how-to/back-up.md`
  static override examples = [
    '<%= config.bin %> journal verify',
    '<%= config.bin %> journal verify --head 12-9f3c1a2b4d5e6f7081920304 --json',
  ]

  static override flags = {
    head: Flags.string({
      description: 'a head from a receipt or report: check that the chain contains it',
      helpValue: '<head>',
    }),
  }

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).verifiedJournalResult

  async run(): Promise<VerifiedJournal> {
    const { flags } = await this.parse(JournalVerify)
    const { parseHead, verifyJournal } = await import('../../lib/journal/chain.ts')
    // As --json wrote it into a file: between quotes.
    const kept = flags.head === undefined ? null : parseHead(flags.head.replaceAll('"', ''))
    const { store, reading } = await openStore(this)
    const verified = await verifyJournal(store, kept, this.signal, reading)
    if (!verified.intact) throw tampered(verified)
    return verified
  }

  protected override view(verified: VerifiedJournal): View {
    const { intact, findings, moreFindings } = verified
    const more = moreFindings === 0 ? [] : [`… and ${moreFindings} more`]
    const title = intact ? 'The journal is intact' : 'The journal was changed outside paydesk'
    return [
      factsOf(verified, labels, title),
      ...(intact ? [] : textView([...findings.map(({ words }) => words), ...more].join('\n'))),
    ]
  }
}

const labels: Labels<VerifiedJournal> = {
  rows: 'rows',
  links: 'links',
  'journal head': 'head',
  before: ({ sealingLinks: links }) =>
    links === 0
      ? null
      : `${howMany(links, 'link seals', 'links seal')} rows of an earlier build as they stood: what was changed before does not show`,
}

function tampered(verified: VerifiedJournal): Failure {
  const { findings, moreFindings } = verified
  const [first] = findings
  const count = findings.length + moreFindings
  const message = `the journal was changed outside paydesk: ${count === 1 && first ? first.words : `${count} findings`}`
  return new Failure('bug', message, {
    document: verified,
    hints: [
      hint`Do not rely on it for payments. First copy the journal and its -wal, -shm and -mark files to a safe place: they are evidence.`,
      hint`\`${paste('journal show', blank('<id>'))}\` shows what it says about a payment. Compare that with receipts, the newest backup and the service, then restore the backup.`,
    ],
  })
}

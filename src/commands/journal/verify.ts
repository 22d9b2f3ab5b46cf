import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openStore } from '../../lib/cli/desk/journal.ts'
import { factsOf, type Labels, textView, type View } from '../../lib/cli/output/view.ts'
import { howMany } from '../../lib/contract/core/text.ts'
import { Failure } from '../../lib/failure.ts'
import { blank, hint, paste } from '../../lib/hint.ts'
import type { VerifiedJournal } from '../../lib/journal/chain.ts'

export default class JournalVerify extends PaydeskCommand<VerifiedJournal> {
  static override summary = 'Hold the journal against its hash chain: was a row changed, removed, put in or moved?'
  static override description =
    `Every commit adds a link that covers the rows it changed and the link before it. Receipts and reports print the head: how many
links there are, and the last one's hash. Keep heads where whoever can write to this machine cannot; --head says whether the journal
still holds what it held then, so that an end that was cut off or an older copy shows, too. Without a head from outside the chain
shows no more than that the journal agrees with itself: who can write the file can make the whole chain anew. With any finding the
code is 1.`
  static override examples = [
    '<%= config.bin %> journal verify',
    '<%= config.bin %> journal verify --head 12-9f3c1a2b4d5e6f7081920304 --json',
  ]

  static override flags = {
    head: Flags.string({
      description: 'a head that a receipt or report printed: is it still in the chain?',
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
  const message = `the journal is not what paydesk wrote: ${count === 1 && first ? first.words : `${count} findings`}`
  return new Failure('bug', message, {
    document: verified,
    hints: [
      hint`Pay nothing on its word. Copy the journal and its -wal, -shm and -mark neighbours away before anything else: they are evidence.`,
      hint`\`${paste('journal show', blank('<id>'))}\` says what it tells of a payment now; hold it against receipts, the newest backup and the service, then restore the backup.`,
    ],
  })
}

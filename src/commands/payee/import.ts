import { type Complaint, complaintAt, complaintLine } from '../../lib/batch/read/row.ts'
import { fileOf, readingFlags } from '../../lib/cli/batch/planning.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { openPayees } from '../../lib/cli/desk/payees.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { factsOf, textView, type View } from '../../lib/cli/output/view.ts'
import { howMany } from '../../lib/contract/core/text.ts'
import { Failure } from '../../lib/failure.ts'
import { hint } from '../../lib/hint.ts'
import { KnownPayees, type Listing } from '../../lib/journal/payees.ts'
import type { ResultOf } from '../../lib/result.ts'

type Imported = ResultOf<Awaited<ReturnType<(typeof PayeeImport)['result']>>>

export default class PayeeImport extends PaydeskCommand<Imported> {
  static override summary = 'Add the beneficiaries of a CSV or XLSX file to the payees.'
  static override description =
    `Columns are the fields of \`payee add\`, by name (toIban) or flag (to-iban); --map names other columns. If one
row has a mistake, nothing is added (2). A payee that is already listed only gets details that it lacks, so
the same file can be imported again. Nothing is sent. Guide: docs/how-to/payees.md`
  static override examples = [
    '<%= config.bin %> payee import payees.csv -p sandbox',
    '<%= config.bin %> payee import staff.csv --map map.yaml',
  ]

  static override args = { file: named('the file; - is stdin') }
  static override flags = { map: readingFlags.map }

  static override readonly result = async () => (await import('../../lib/batch/read/check.ts')).importedPayeesResult

  async run(): Promise<Imported> {
    const { args, flags } = await this.parse(PayeeImport)
    const { profile, payees: list } = await openPayees(this, flags)
    const { readPayees } = await import('../../lib/batch/read/check.ts')
    const read = await readPayees(...(await fileOf(this, args.file, { map: flags.map }, null)))
    const { file, rows, payees, complaints } = read
    const isDry = complaints.count > 0
    const listings = await list.addAll(
      profile,
      payees.map(({ payee }) => payee),
      isDry,
    )
    for (const [at, each] of listings.entries()) {
      if ('problem' in each) {
        const { message } = each.problem
        complaints.add(() => complaintAt({ row: payees[at]?.row ?? null }, message))
      }
    }
    const isListed = complaints.count === 0
    const count = (wanted: string) =>
      isListed ? listings.filter((each) => 'change' in each && each.change === wanted).length : 0
    const known = new KnownPayees(await list.list(profile))
    const done: Imported = {
      ...{ file, profile, rows, added: count('new'), completed: count('completed'), unchanged: count('none') },
      complaints: complaints.first.map(({ kind: _, ...each }) => each),
      moreComplaints: complaints.more,
      warnings: [...read.warnings, ...(isListed ? severalAccounts(listings, known) : [])],
    }
    if (isListed) return done
    throw new Failure('usage', inOneSentence(file, complaints.first, complaints.count), {
      document: done,
      hints: [hint`No payee was added. Correct the file and import it again.`],
    })
  }

  protected override view(imported: Imported): View {
    const { file, complaints, moreComplaints } = imported
    const lines = complaints.map((each) => complaintLine(file, { kind: 'complaint', ...each }))
    const rest = moreComplaints === 0 ? [] : [`… and ${moreComplaints} more`]
    const text = [...lines, ...rest].join('\n')
    return [factsOf(imported, labels), ...(text === '' ? [] : textView(text))]
  }
}

const labels = {
  ...({ file: 'file', profile: 'profile', rows: 'rows' } as const),
  ...({ added: 'added', completed: 'completed', unchanged: 'unchanged' } as const),
}

function inOneSentence(file: string, [first]: readonly Complaint[], count: number): string {
  return count === 1 && first ? complaintLine(file, first) : `${file} has ${howMany(count, 'complaint')}`
}

/** Names that were listed now, and have another account besides. */
function severalAccounts(listings: readonly Listing[], known: KnownPayees): readonly string[] {
  const said = listings.flatMap((each) => {
    if ('problem' in each || each.change !== 'new') return []
    const accounts = known.accountsOf(each.payee.name)
    return accounts.length > 1 ? [`${each.payee.name} is listed with several accounts: ${accounts.join(', ')}`] : []
  })
  return [...new Set(said)]
}

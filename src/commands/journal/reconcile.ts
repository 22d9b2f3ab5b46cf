import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { journalOf } from '../../lib/cli/desk/journal.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { pageTarget } from '../../lib/cli/page.ts'
import {
  optionsIn,
  reconciliationRows,
  reconciliationView,
  shownDocument,
  writeReconciliation,
} from '../../lib/cli/reconcile/reconciliation.ts'
import type { Reconciliation } from '../../lib/reconcile/reconcile.ts'

export default class JournalReconcile extends PaydeskCommand<Reconciliation> {
  static override summary = 'Compare a bank statement with the payouts of the journal.'
  static override description =
    `Reads camt.053, camt.054, or CSV with --map. Payouts are matched by key, uniqueId or transactionId, else by
amount, account and day if exactly one fits; never by name. --apply resolves unknown payouts that the
statement proves. Exit code 0: all matched; 7: an amount differs; 10: something else does; 2: unreadable.
Guide: docs/reconciliation.md`
  static override examples = [
    '<%= config.bin %> journal reconcile statement.xml',
    '<%= config.bin %> journal reconcile statement.xml -p acme --account GE29NB0000000101904917 --apply --json',
    '<%= config.bin %> journal reconcile statement.csv --map bank.yaml --html --out reconciliation.html',
  ]

  static override args = { statement: named("the bank's file; - is stdin") }

  static override flags = {
    account: Flags.string({ description: 'only statements of this account', helpValue: '<IBAN>' }),
    from: Flags.string({ description: 'first day', helpValue: '2026-11-20' }),
    to: Flags.string({ description: 'last day', helpValue: '2026-11-27' }),
    days: Flags.integer({ description: 'days the bank may take to book a payout', default: 3, min: 0, max: 60 }),
    map: Flags.string({ description: 'YAML file that names the columns of a CSV', helpValue: '<file>' }),
    apply: Flags.boolean({ description: 'write what the statement proves to the journal' }),
    html: Flags.boolean({ description: 'write one HTML page, to stdout or --out' }),
    out: Flags.string({ description: 'new file for the page; - is stdout', helpValue: '<file>' }),
  }

  static override readonly result = async () => (await import('../../lib/reconcile/result.ts')).reconciliationResult

  async run() {
    const { args, flags } = await this.parse(JournalReconcile)
    const { exceptionIn, reconcile } = await import('../../lib/reconcile/reconcile.ts')
    const { fileToRead } = await import('../../lib/batch/read/file.ts')
    const page = pageTarget(flags, this)
    const wanted = await optionsIn(flags)
    const file = fileToRead(args.statement, () => this.edge.stdin, this.signal)
    const around = { journal: await journalOf(this), signal: this.signal, naming: this.naming }
    this.acts = flags.apply
    const found = await reconcile(file, wanted, around)
    if (page) await writeReconciliation(this, page, found)
    const document = page?.path === null ? undefined : await shownDocument(this, found)
    const failure = exceptionIn(found, document)
    if (failure) throw failure
    return document
  }

  protected override readonly rowForms = reconciliationRows

  protected override readonly view = reconciliationView
}

import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { JournalAccess } from '../../lib/cli/desk/journal.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { pageTarget } from '../../lib/cli/page.ts'
import {
  reconciliationRows,
  reconciliationView,
  shownDocument,
  wishIn,
  writeReconciliation,
} from '../../lib/cli/reconcile/reconciliation.ts'
import type { Reconciliation } from '../../lib/reconcile/reconcile.ts'

export default class JournalReconcile extends PaydeskCommand<Reconciliation> {
  static override summary =
    "Hold a bank's statement against what was paid: what agrees, what is missing, what is too much?"
  static override description =
    `The statement is a camt.053 or camt.054 (001.02, 001.04, 001.08), or CSV, whose columns --map names. A payout is found by its key, uniqueId or
transactionId in a reference, else by sum, account and day if exactly one fits; never by a name. Nothing changes unless --apply is given: then
unknown and existing payouts that an entry names are resolved, with that entry as the evidence. A payout found by its sum is listed with
the line that records your word. A statement whose balances do not add up is refused (2). The code is 0 if all agrees, 7 if a sum
differs, 10 for everything else that does not agree.`
  static override examples = [
    '<%= config.bin %> journal reconcile statement.xml',
    '<%= config.bin %> journal reconcile statement.xml -p acme --account GE29NB0000000101904917 --apply --json',
    '<%= config.bin %> journal reconcile statement.csv --map bank.yaml --html --out reconciliation.html',
  ]

  static override args = { statement: named('the file of the bank; - is stdin') }

  static override flags = {
    account: Flags.string({ description: 'only the statements of this account', helpValue: '<IBAN>' }),
    from: Flags.string({ description: 'only from this day on', helpValue: '2026-11-20' }),
    to: Flags.string({ description: 'only up to this day', helpValue: '2026-11-27' }),
    days: Flags.integer({ description: 'days that the bank may take to book a payout', default: 3, min: 0, max: 60 }),
    map: Flags.string({ description: 'which columns of a CSV are which (YAML)', helpValue: '<file>' }),
    apply: Flags.boolean({ description: 'write what the statement proves into the journal' }),
    html: Flags.boolean({ description: 'one page for a browser or paper, on stdout or in --out' }),
    out: Flags.string({ description: 'a new file for the page; - is stdout', helpValue: '<file>' }),
  }

  static override readonly result = async () => (await import('../../lib/reconcile/result.ts')).reconciliationResult

  readonly #journal = new JournalAccess(this)
  #isApplied = false

  async run() {
    const { args, flags } = await this.parse(JournalReconcile)
    const { exceptionIn, reconcile } = await import('../../lib/reconcile/reconcile.ts')
    const { fileToRead } = await import('../../lib/batch/read/file.ts')
    const page = pageTarget(flags, this)
    const wish = await wishIn(flags)
    const file = fileToRead(args.statement, () => this.edge.stdin, this.signal)
    const around = { journal: await this.#journal.open(), signal: this.signal, naming: this.naming }
    this.#isApplied = flags.apply
    const found = await reconcile(file, wish, around)
    if (page) await writeReconciliation(this, page, found)
    const document = page?.path === null ? undefined : await shownDocument(this, found)
    const failure = exceptionIn(found, document)
    if (failure) throw failure
    return document
  }

  protected override get acts(): boolean {
    return this.#isApplied
  }

  protected override readonly rowForms = reconciliationRows

  protected override readonly view = reconciliationView
}

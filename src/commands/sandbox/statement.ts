import { resolve } from 'node:path'
import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { toStdout, writeNewFiles } from '../../lib/cli/output/files.ts'
import { textView, type View } from '../../lib/cli/output/view.ts'
import { ownSandbox } from '../../lib/cli/sandbox.ts'
import { howMany } from '../../lib/contract/core/text.ts'
import { dayAtService, isRealDashedDate } from '../../lib/contract/date.ts'
import { Failure } from '../../lib/failure.ts'
import type { ResultOf } from '../../lib/result.ts'
import type { statementResult } from '../../lib/sandbox/statement.ts'

type Statement = ResultOf<typeof statementResult>

export default class SandboxStatement extends PaydeskCommand<Statement> {
  static override summary = "Write the sandbox's bank statement of a day (camt.053)."
  static override description =
    'Contains commissions, returns of failed payouts and, from four payouts on, a batch booking. --damaged changes one amount, doubles a payment, omits another and adds a foreign one, with correct balances. `journal reconcile` compares it with the journal.'
  static override examples = [
    '<%= config.bin %> sandbox statement --date 2026-11-27 > statement.xml',
    '<%= config.bin %> sandbox statement --damaged --out damaged.xml',
  ]

  static override flags = {
    date: Flags.string({ description: 'day at the service (Tbilisi); today if omitted', helpValue: '2026-11-27' }),
    damaged: Flags.boolean({ description: 'with differences that a reconciliation must find' }),
    out: Flags.string({ description: 'new file; - is stdout', helpValue: '<file>' }),
  }

  static override readonly result = async () => (await import('../../lib/sandbox/statement.ts')).statementResult

  async run() {
    const { flags } = await this.parse(SandboxStatement)
    const out = flags.out === '-' ? undefined : flags.out
    if (flags.date !== undefined && !isRealDashedDate(flags.date)) {
      throw new Failure('usage', `--date takes a day like 2026-11-27, not "${flags.date}"`)
    }
    if (out === undefined && this.output.machine) {
      throw new Failure('usage', 'the statement and the JSON would both go to stdout: add --out')
    }
    const sandbox = await ownSandbox(this)
    const date = flags.date ?? dayAtService((await sandbox.clock()).now)
    const { xml, ...told } = await sandbox.statement({ date, isDamaged: flags.damaged })
    if (out === undefined) {
      await toStdout(this)(xml)
      return undefined
    }
    writeNewFiles([{ path: resolve(out), text: xml }])
    return { file: out, date, ...told }
  }

  protected override view({ file, date, entries, payments, damaged }: Statement): View {
    const wrong = damaged.length === 0 ? '' : ` Wrong on purpose: ${damaged.join(', ')}.`
    const are = entries === 1 ? 'is' : 'are'
    const each = payments === entries ? '' : ` (${payments} with each payment of a batch)`
    return textView(`${howMany(entries, 'entry', 'entries')} of ${date}${each} ${are} in ${file}.${wrong}`)
  }
}

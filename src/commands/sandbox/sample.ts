import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { writeNewPieces } from '../../lib/cli/output/files.ts'
import { textView, type View } from '../../lib/cli/output/view.ts'
import { howMany } from '../../lib/contract/core/text.ts'
import { Failure } from '../../lib/failure.ts'
import { hint, paste } from '../../lib/hint.ts'
import type { ResultOf } from '../../lib/result.ts'
import { kindsOf, type SampleFormat, sampleFormats, samplePieces, sampleResult } from '../../lib/sandbox/sample.ts'

type Sample = ResultOf<typeof sampleResult>

const mostRows: Readonly<Record<SampleFormat, number>> = {
  csv: 1_000_000,
  ndjson: 1_000_000,
  xlsx: 50_000,
  'pain.001': 1_000_000,
}

export default class SandboxSample extends PaydeskCommand<Sample> {
  static override summary = 'Write a sample file of payouts.'
  static override description =
    "Invented payees with valid IBANs, amounts that the sandbox's balances cover, and every description that makes a payout fail (`sandbox world` lists them). The same seed gives the same file."
  static override examples = [
    '<%= config.bin %> sandbox sample --out payroll.csv',
    '<%= config.bin %> sandbox sample --rows 10 --format pain.001 --out pain.xml',
    '<%= config.bin %> sandbox sample --damaged | <%= config.bin %> batch check -',
  ]

  static override flags = {
    rows: Flags.integer({ description: 'number of payouts', default: 1000, min: 1 }),
    format: Flags.option({ description: 'format of the file', options: sampleFormats, default: 'csv' })(),
    damaged: Flags.boolean({ description: 'include every mistake that a row can have' }),
    seed: Flags.integer({ description: 'seed of the random data', default: 1, min: 0, max: 2 ** 31 - 1 }),
    out: Flags.string({ description: 'new file; - is stdout', helpValue: '<file>' }),
  }

  static override readonly result = async () => sampleResult

  async run() {
    const { flags } = await this.parse(SandboxSample)
    const { rows, format, damaged, seed } = flags
    const out = flags.out === '-' ? undefined : flags.out
    const kinds = damaged ? kindsOf[format].length : 0
    refuseImpossible(format, rows, kinds)
    if (out === undefined) this.#mustTake(format)
    const pieces = samplePieces({ format, rows, seed, isDamaged: damaged })
    if (out !== undefined) {
      await writeNewPieces(out, pieces)
      return { file: out, format, rows, seed, damaged: kinds }
    }
    await pipeline(Readable.from(pieces), this.edge.stdout, { end: false, signal: this.signal }).catch((error) => {
      // A reader that has seen enough: `| head -1`.
      if (!this.output.unread.aborted) throw error
    })
    return undefined
  }

  /** stdout takes one document, and a terminal no archive. */
  #mustTake(format: SampleFormat): void {
    if (this.output.machine) throw new Failure('usage', 'the file and the JSON would both go to stdout: add --out')
    if (format === 'xlsx' && this.edge.stdout.isTTY) {
      throw new Failure('usage', 'a workbook cannot be printed at a terminal: add --out')
    }
  }

  protected override view({ file, format, rows, damaged }: Sample): View {
    const wrong = damaged === 0 ? '' : `, ${damaged} of them damaged,`
    return textView(`${howMany(rows, 'payout')}${wrong} ${rows === 1 ? 'is' : 'are'} in ${file} (${format}).`)
  }
}

function refuseImpossible(format: SampleFormat, rows: number, kinds: number): void {
  if (rows > mostRows[format]) throw new Failure('usage', `--rows: at most ${mostRows[format]} of ${format}`)
  if (rows > kinds) return
  throw new Failure('usage', `--damaged needs more than ${kinds} rows of ${format}: it damages as many`, {
    hints: [hint`For example \`${paste('sandbox sample', '--damaged', '--rows', '100')}\`.`],
  })
}

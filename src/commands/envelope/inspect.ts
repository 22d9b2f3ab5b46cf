import { Args, Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { inspectionView } from '../../lib/cli/envelope.ts'
import { readText } from '../../lib/cli/input.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { type Inspection, inspect } from '../../lib/envelope/diagnose/inspect.ts'

export default class EnvelopeInspect extends PaydeskCommand<Inspection> {
  static override summary = 'Inspect an envelope without a key.'
  static override description =
    'Shows layout, base64 variant, lengths, the RSA key size, possible schemes and any damage.'
  static override examples = [
    '<%= config.bin %> envelope inspect <envelope.json',
    "<%= config.bin %> envelope inspect 'encryptedData=…' --json --query 'damage[].code'",
  ]

  static override args = {
    envelope: Args.string({ description: 'the envelope; stdin if omitted', ignoreStdin: true }),
  }
  static override flags = {
    file: Flags.string({ description: 'file with the envelope; - is stdin', helpValue: '<file>' }),
  }

  static override readonly result = async () => (await import('../../lib/envelope/result.ts')).inspectionResult

  async run(): Promise<Inspection> {
    const { args, flags } = await this.parse(EnvelopeInspect)
    const { edge, canAsk, output, signal } = this
    const source = { given: args.envelope, file: flags.file, what: 'the envelope' }
    return inspect(await readText(source, { edge, canAsk, output, signal }))
  }

  protected override view(inspection: Inspection): View {
    return inspectionView(inspection)
  }
}

import { Args, Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { inspectionView } from '../../lib/cli/envelope.ts'
import { readText } from '../../lib/cli/input.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { type Inspection, inspect } from '../../lib/envelope/diagnose/inspect.ts'

export default class EnvelopeInspect extends PaydeskCommand<Inspection> {
  static override summary = 'Look at an envelope without any key.'
  static override description =
    'Layout, kind of base64, lengths, the RSA key they imply, the schemes it may have, and what is damaged.'
  static override examples = [
    '<%= config.bin %> envelope inspect <envelope.json',
    "<%= config.bin %> envelope inspect 'encryptedData=…' --json --query 'damage[].code'",
  ]

  static override args = {
    envelope: Args.string({ description: 'the envelope; without it, stdin', ignoreStdin: true }),
  }
  static override flags = { file: Flags.string({ description: 'the envelope; - is stdin', helpValue: '<file>' }) }

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

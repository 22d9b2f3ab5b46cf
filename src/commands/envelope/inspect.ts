import { PaydeskCommand } from '../../lib/cli/command.ts'
import { envelopeArgs, envelopeFlag, envelopeText, inspectionView } from '../../lib/cli/envelope.ts'
import { type Inspection, inspect } from '../../lib/envelope/diagnose/inspect.ts'

export default class EnvelopeInspect extends PaydeskCommand<Inspection> {
  static override summary = 'Inspect an envelope without a key.'
  static override description =
    'Shows layout, base64 variant, lengths, the RSA key size, possible schemes and any damage.'
  static override examples = [
    '<%= config.bin %> envelope inspect <envelope.json',
    "<%= config.bin %> envelope inspect 'encryptedData=…' --json --query 'damage[].code'",
  ]

  static override args = envelopeArgs
  static override flags = { file: envelopeFlag }

  static override readonly result = async () => (await import('../../lib/envelope/result.ts')).inspectionResult

  async run() {
    const { args, flags } = await this.parse(EnvelopeInspect)
    return inspect(await envelopeText(this, args, flags))
  }

  protected override readonly view = inspectionView
}

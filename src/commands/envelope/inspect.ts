import { PaydeskCommand } from '../../lib/cli/command.ts'
import { envelopeArgs, envelopeFlag, envelopeText, inspectionView } from '../../lib/cli/envelope.ts'
import { type Inspection, inspect } from '../../lib/envelope/diagnose/inspect.ts'

export default class EnvelopeInspect extends PaydeskCommand<Inspection> {
  static override summary = 'Look at an envelope without any key.'
  static override description =
    'Layout, kind of base64, lengths, the RSA key they imply, the schemes it may have, and what is damaged.'
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

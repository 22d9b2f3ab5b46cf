import { Args } from '@oclif/core'
import type { personKeyResult } from '../../../lib/approvals/result.ts'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { writeNewFiles } from '../../../lib/cli/output/files.ts'
import type { View } from '../../../lib/cli/output/view.ts'
import type { ResultOf } from '../../../lib/result.ts'

type NewKey = ResultOf<typeof personKeyResult>

export default class TeamKeyGenerate extends PaydeskCommand<NewKey> {
  static override summary = 'Make the key of a person, in a new file that only you can read.'
  static override description =
    'An Ed25519 key: what it signs speaks in your name. The public line goes to an administrator, who adds you (`team key add`); the file stays with you.'
  static override examples = ['<%= config.bin %> team key generate ~/.config/paydesk/nino.key']

  static override args = {
    file: Args.string({ ignoreStdin: true, required: true, description: 'new file for the private key' }),
  }

  static override readonly result = async () => (await import('../../../lib/approvals/result.ts')).personKeyResult

  async run(): Promise<NewKey> {
    const { args } = await this.parse(TeamKeyGenerate)
    const { newPersonKey } = await import('../../../lib/approvals/signatures.ts')
    const { pem, publicKey } = newPersonKey()
    writeNewFiles([{ path: args.file, text: pem }])
    return { privateKeyFile: args.file, publicKey }
  }

  protected override view({ privateKeyFile, publicKey }: NewKey): View {
    const rows = [
      ['private key', `${privateKeyFile} (keep it)`],
      ['public key', `${publicKey} (give it to an administrator)`],
    ] as const
    return [{ kind: 'facts', title: 'The key of a person', rows }]
  }
}

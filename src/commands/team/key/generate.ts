import { Args } from '@oclif/core'
import type { personKeyResult } from '../../../lib/approvals/result.ts'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { writeNewFiles } from '../../../lib/cli/output/files.ts'
import { factsOf, type Labels } from '../../../lib/cli/output/view.ts'
import type { ResultOf } from '../../../lib/result.ts'

type NewKey = ResultOf<typeof personKeyResult>

export default class TeamKeyGenerate extends PaydeskCommand<NewKey> {
  static override summary = 'Generate your personal key in a new file.'
  static override description =
    'An Ed25519 key that signs in your name; only you can read its file. Give the public key to an administrator, who adds you with `team key add`.'
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

  protected override readonly view = (key: NewKey) => [factsOf(key, labels, 'The key of a person')]
}

const labels: Labels<NewKey> = {
  'private key': ({ privateKeyFile }) => `${privateKeyFile} (keep it)`,
  'public key': ({ publicKey }) => `${publicKey} (give it to an administrator)`,
}

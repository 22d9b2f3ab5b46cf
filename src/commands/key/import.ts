import { Args, Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { readSource } from '../../lib/cli/input.ts'
import { writeNewFiles } from '../../lib/cli/output/files.ts'
import { factsOf } from '../../lib/cli/output/view.ts'
import {
  describeKey,
  publicHalf,
  readPrivateKey,
  requireRsaKey,
  smallExponent,
  writeKey,
} from '../../lib/envelope/key.ts'
import type { keyImportedResult } from '../../lib/envelope/result.ts'
import type { ResultOf } from '../../lib/result.ts'

export type ImportedKey = ResultOf<typeof keyImportedResult>

export default class KeyImport extends PaydeskCommand<ImportedKey> {
  static override summary = 'Convert a key of any format to single-line base64 or PEM.'
  static override description =
    'Reads base64, PEM, PEM with literal \\n, PEM in base64, or DER, from a file or stdin. Writes a new file with mode 0600.'
  static override examples = [
    '<%= config.bin %> key import pasted.txt --to service.pub',
    '<%= config.bin %> key import own.pem --public --to own.pub',
  ]

  static override args = {
    key: Args.string({ description: 'file with the key; stdin if omitted', ignoreStdin: true }),
  }

  static override flags = {
    to: Flags.string({ description: 'the new file', helpValue: '<file>', required: true }),
    pem: Flags.boolean({ description: 'write PEM' }),
    public: Flags.boolean({ description: 'write the public half of a private key' }),
  }

  static override readonly result = async () => (await import('../../lib/envelope/result.ts')).keyImportedResult

  async run(): Promise<ImportedKey> {
    const { args, flags } = await this.parse(KeyImport)
    const bytes = await readSource({ file: args.key, what: 'the key' }, this)
    const name = args.key ?? 'stdin'
    const key = flags.public ? publicHalf(readPrivateKey(bytes, name)) : requireRsaKey(bytes, name)
    const unusual = smallExponent(key)
    if (unusual !== null) this.output.warn(`the key ${unusual}`)
    writeNewFiles([{ path: flags.to, text: writeKey(key, flags.pem ? 'pem' : 'base64') }])
    return { file: flags.to, ...describeKey(key) }
  }

  protected override readonly view = (key: ImportedKey) => [
    factsOf(key, { file: 'file', fingerprint: 'fingerprint' }, `${key.half} ${key.kind} key of ${key.bits} bits`),
  ]
}

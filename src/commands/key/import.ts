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
  static override summary = 'Take a key in any form and write it in one: single-line base64, or PEM.'
  static override description =
    'Reads a file or stdin: base64 in one line or many, PEM, PEM with literal \\n, PEM in base64, DER. Writes a new file, mode 0600. --public takes the public half of a private key.'
  static override examples = [
    '<%= config.bin %> key import pasted.txt --to service.pub',
    '<%= config.bin %> key import own.pem --public --to own.pub',
  ]

  static override args = {
    key: Args.string({ description: 'the file with the key; without it, stdin', ignoreStdin: true }),
  }

  static override flags = {
    to: Flags.string({ description: 'the new file', helpValue: '<file>', required: true }),
    pem: Flags.boolean({ description: 'write PEM' }),
    public: Flags.boolean({ description: 'the public half of a private key' }),
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

import { PaydeskCommand } from '../../lib/cli/command.ts'
import { keyFilesOf, keyIn, warnerOf } from '../../lib/cli/keys.ts'
import { tableOf } from '../../lib/cli/output/view.ts'
import { describeKey, publicHalf, writeKey } from '../../lib/envelope/key.ts'
import type { keysShownResult } from '../../lib/envelope/result.ts'
import type { ResultOf } from '../../lib/result.ts'

export type ShownKey = ResultOf<typeof keysShownResult>[number]

export default class KeyShow extends PaydeskCommand<ShownKey[]> {
  static override summary = 'Show what a key is: kind, half, bits, fingerprint.'
  static override description =
    'Without a file it shows the keys of the profile. The fingerprint is the SHA-256 of the public half (SPKI, DER), the same for both halves: `openssl pkey -pubin -outform der | sha256sum`. A private key is never printed.'
  static override examples = ['<%= config.bin %> key show own.key service.pub', '<%= config.bin %> key show -p acme']

  static override strict = false
  static override usage = 'key show [FILE...]'

  static override readonly result = async () => (await import('../../lib/envelope/result.ts')).keysShownResult

  async run(): Promise<ShownKey[]> {
    const { argv, flags } = await this.parse(KeyShow)
    const given = argv.map(String)
    const files = given.length > 0 ? given : await keyFilesOf(this, flags)
    return files.map((file) => {
      const key = keyIn(file, warnerOf(this))
      return { file, ...describeKey(key), publicKey: writeKey(publicHalf(key), 'base64').trim() }
    })
  }

  protected override readonly view = (keys: ShownKey[]) => [tableOf(keys, columns, 'The profile names no keys.')]
}

const columns = { file: 'file', kind: 'kind', half: 'half', bits: 'bits', fingerprint: 'fingerprint' } as const

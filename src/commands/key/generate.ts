import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { writeNewFiles } from '../../lib/cli/output/files.ts'
import { factsOf, type Labels } from '../../lib/cli/output/view.ts'
import { describeKey, readPrivateKey, readPublicKey, writeKey } from '../../lib/envelope/key.ts'
import type { keyGeneratedResult } from '../../lib/envelope/result.ts'
import type { ResultOf } from '../../lib/result.ts'

export type GeneratedPair = ResultOf<typeof keyGeneratedResult>

const sizes = ['2048', '3072', '4096'] as const

export default class KeyGenerate extends PaydeskCommand<GeneratedPair> {
  static override summary = 'Generate an RSA key pair in two new files.'
  static override description =
    'Writes single-line base64 as the service does (PKCS#8 and SPKI), or PEM with --pem. Only you can read the private key. With the legacy scheme, 4096 bits hold 501 bytes in one block, 2048 bits 245.'
  static override examples = ['<%= config.bin %> key generate --private-key own.key --public-key own.pub']

  static override flags = {
    'private-key': Flags.string({ description: 'new file for the private key', helpValue: '<file>', required: true }),
    'public-key': Flags.string({ description: 'new file for the public key; <private>.pub', helpValue: '<file>' }),
    bits: Flags.option({ options: sizes })({ description: 'size of the key', default: '4096' }),
    pem: Flags.boolean({ description: 'write PEM' }),
  }

  static override readonly result = async () => (await import('../../lib/envelope/result.ts')).keyGeneratedResult

  async run(): Promise<GeneratedPair> {
    const { flags } = await this.parse(KeyGenerate)
    const privateKeyFile = flags['private-key']
    const publicKeyFile = flags['public-key'] ?? `${privateKeyFile}.pub`
    const form = flags.pem ? 'pem' : 'base64'
    const made = await this.edge.random.rsaKeyPair(Number(flags.bits))
    const privateKey = readPrivateKey(Buffer.from(made.privateKey), 'the new private key')
    const publicKey = readPublicKey(Buffer.from(made.publicKey), 'the new public key')
    writeNewFiles([
      { path: privateKeyFile, text: writeKey(privateKey, form) },
      { path: publicKeyFile, text: writeKey(publicKey, form) },
    ])
    const { kind, bits, fingerprint } = describeKey(publicKey)
    return { kind, bits, fingerprint, privateKeyFile, publicKeyFile }
  }

  protected override readonly view = (pair: GeneratedPair) => [factsOf(pair, labels, `RSA pair of ${pair.bits} bits`)]
}

const labels: Labels<GeneratedPair> = {
  'private key': ({ privateKeyFile }) => `${privateKeyFile} (keep it)`,
  'public key': ({ publicKeyFile }) => `${publicKeyFile} (give it to the service)`,
  fingerprint: 'fingerprint',
}

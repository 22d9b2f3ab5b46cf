import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import {
  breaches,
  type Diagnosed,
  diagnosisView,
  envelopeArgs,
  envelopeFlag,
  envelopeText,
  operationNamed,
} from '../../lib/cli/envelope.ts'
import { envelopeKeys, publicKeysIn } from '../../lib/cli/keys.ts'
import { exampleOperation } from '../../lib/contract/order/examples.ts'
import { type Diagnosis, diagnose } from '../../lib/envelope/diagnose/doctor.ts'
import { inspect } from '../../lib/envelope/diagnose/inspect.ts'
import type { NamedKey } from '../../lib/envelope/envelope.ts'
import { describeKey } from '../../lib/envelope/key.ts'
import { schemes } from '../../lib/envelope/scheme.ts'
import { Failure } from '../../lib/failure.ts'
import { hint, paste } from '../../lib/hint.ts'
import { partOf } from '../../lib/profile/parts.ts'

function warningsAbout({ opensWith, inspection }: Diagnosis, service: NamedKey | null): string[] {
  const own = 'it has an identifier, so it is a request, but it was sealed to your own key: the service cannot open it'
  return opensWith && opensWith.key !== service?.name && inspection.identifier !== null ? [own] : []
}

const refusedThere = paste('sandbox requests', '--code', '6010')

function unopened(document: Diagnosed, service: NamedKey | null): Failure {
  if (service) {
    const said = `this request does not open with the key of the sandbox's service: it fails at ${document.step}`
    const hints = [hint`\`${refusedThere}\` says the same of each request that the sandbox could not open.`]
    return new Failure('refused', said, { document, hints })
  }
  const said = `none of your keys opens this envelope: it fails at ${document.step}`
  const sent = hint`Only the service opens a request. Send it to the sandbox: \`${refusedThere}\` says why it does not open.`
  const hints = [
    ...(document.remedies.some(({ code }) => code === 'wrong-direction') ? [sent] : []),
    ...(document.tried.length > 0 ? [hint`--private-key <file> tries another key; it can be repeated.`] : []),
  ]
  return new Failure('refused', said, { document, hints })
}

export default class EnvelopeDoctor extends PaydeskCommand<Diagnosed> {
  static override summary = 'Diagnose why an envelope does not open, and how to fix it.'
  static override description =
    "Tries every key with every scheme, and names the step that fails with the first key and the expected scheme (--scheme, else the profile's, else oaep-sha256). With -p sandbox the key of its service is tried first on a request of yours. Exit code 0: a combination opens it; 5: none does. The diagnosis is on stdout either way, without any plaintext. Guide: docs/how-to/envelopes.md"
  static override examples = [
    '<%= config.bin %> envelope doctor --private-key own.key --private-key old.key <envelope.json',
    '<%= config.bin %> envelope doctor -p acme --as order.create --file envelope.json --json',
  ]

  static override args = envelopeArgs

  static override flags = {
    file: envelopeFlag,
    'private-key': Flags.string({ description: 'a private key to try; can be repeated', multiple: true }),
    'public-key': Flags.string({ description: 'a public key of the sender, to detect swapped keys', multiple: true }),
    scheme: Flags.option({ options: schemes })({ description: 'expected scheme' }),
    as: Flags.string({ description: 'operation whose rules the payload must meet', helpValue: exampleOperation }),
    'insecure-show-keys': Flags.boolean({ description: 'show the AES key and IV of this envelope' }),
  }

  static override readonly result = async () => (await import('../../lib/envelope/result.ts')).diagnosedResult

  async run() {
    const { args, flags } = await this.parse(EnvelopeDoctor)
    const operation = flags.as === undefined ? null : operationNamed(flags.as)
    const text = await envelopeText(this, args, flags)
    const { owner, service, keys } = await envelopeKeys(this, flags, inspect(text).identifier, {
      part: operation && partOf(operation),
      files: flags['private-key'] ?? [],
    })
    const setting = flags.scheme ?? owner?.scheme ?? 'oaep-sha256'
    const sender = { orderType: owner?.orderType ?? null, now: this.edge.clock.now() }
    const check = operation ? (payload: string) => breaches(operation, payload, sender) : undefined
    const publicKeys = publicKeysIn(this, flags['public-key'] ?? [])
    const found = await diagnose({ text, keys, opensRequests: service !== null, publicKeys, setting, check })
    const { symmetric, ...diagnosis } = found
    const shown = flags['insecure-show-keys'] ? symmetric : null
    const diagnosed = {
      ...diagnosis,
      setting,
      keys: keys.map(({ name, key }) => {
        const { bits, fingerprint } = describeKey(key)
        return { name, bits, fingerprint }
      }),
      symmetricKey: shown && { key: shown.key.toString('base64'), iv: shown.iv.toString('base64') },
      warnings: warningsAbout(found, service),
    }
    if (found.opensWith === null) throw unopened(diagnosed, service)
    return diagnosed
  }

  protected override readonly view = diagnosisView
}

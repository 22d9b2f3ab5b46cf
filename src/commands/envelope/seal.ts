import { Flags } from '@oclif/core'
import { z } from 'zod'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { operationNamed, requireFine, requireJson } from '../../lib/cli/envelope.ts'
import { readText } from '../../lib/cli/input.ts'
import { keyOwner, sealingKey } from '../../lib/cli/keys.ts'
import { textView } from '../../lib/cli/output/view.ts'
import { exampleOperation } from '../../lib/contract/order/examples.ts'
import { seal } from '../../lib/envelope/envelope.ts'
import { layouts, layoutsOf, writeMembers, writeQuery } from '../../lib/envelope/layout.ts'
import { type Scheme, schemeFacts, schemes } from '../../lib/envelope/scheme.ts'
import { Failure } from '../../lib/failure.ts'
import { partOf } from '../../lib/profile/parts.ts'
import type { ResultOf } from '../../lib/result.ts'

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/)

const sealed = z
  .strictObject({
    identifier: z.string().optional().describe('Identifier of the sender; answers have none.'),
    encryptedData: base64.optional(),
    encryptedKeys: base64.optional().describe('Not in the schemes of one RSA block.'),
    aes: z.literal(true).optional(),
    query: z.string().optional().describe('Without a question mark.'),
  })
  .describe('The envelope as a request body, or as a query string with --layout query.')

export type Sealed = ResultOf<typeof sealed>

function layoutFor(scheme: Scheme, asked: (typeof layouts)[number] | undefined): (typeof layouts)[number] {
  const possible = layoutsOf(schemeFacts[scheme].aes)
  const layout = possible.find((each) => each === (asked ?? possible[0]))
  if (layout) return layout
  throw new Failure('usage', `--scheme ${scheme} has no layout ${asked}; use ${possible.join(' or ')}`)
}

export default class EnvelopeSeal extends PaydeskCommand<Sealed> {
  static override summary = 'Seal a JSON text to a public key.'
  static override description =
    'Key, scheme and identifier come from the flags, else from the profile. The text is sealed exactly as given.'
  static override examples = [
    '<%= config.bin %> envelope seal --public-key service.pub <order.json',
    '<%= config.bin %> envelope seal -p acme --as order.create --check --layout query --file order.json',
  ]

  static override flags = {
    file: Flags.string({ description: 'file with the text to seal; - is stdin', helpValue: '<file>' }),
    'public-key': Flags.string({ description: 'public key of the receiver, in any format', helpValue: '<file>' }),
    scheme: Flags.option({ options: schemes })({ description: 'sealing scheme' }),
    layout: Flags.option({ options: layouts })({ description: 'layout of the envelope' }),
    identifier: Flags.string({ description: 'identifier of the sender; omit it for an answer', helpValue: '<id>' }),
    as: Flags.string({
      description: 'operation the text is for; wallet.* uses key, scheme and identifier of the wallet',
      helpValue: exampleOperation,
    }),
    check: Flags.boolean({ description: 'first check it by the rules of --as', dependsOn: ['as'] }),
  }

  static override readonly result = () => sealed

  async run() {
    const { flags } = await this.parse(EnvelopeSeal)
    const operation = flags.as === undefined ? null : operationNamed(flags.as)
    const file = flags['public-key']
    const owner = await keyOwner(this, flags, operation && partOf(operation), file !== undefined)
    const scheme = flags.scheme ?? owner?.scheme ?? 'oaep-sha256'
    const layout = layoutFor(scheme, flags.layout)
    const { key } = sealingKey(this, file, owner)
    const text = await readText({ file: flags.file, what: 'the JSON text' }, this)
    requireJson(text)
    if (operation && flags.check)
      requireFine(operation, text, { orderType: owner?.orderType ?? null, now: this.edge.clock.now() })
    const identifier = flags.identifier ?? owner?.identifier ?? null
    const envelope = seal(text, { key, scheme, identifier })
    return layout === 'query' ? { query: writeQuery(envelope) } : writeMembers(envelope)
  }

  protected override readonly view = (sealed: Sealed) =>
    textView(typeof sealed.query === 'string' ? sealed.query : JSON.stringify(sealed))
}

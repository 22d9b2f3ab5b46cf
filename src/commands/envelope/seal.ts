import { Flags } from '@oclif/core'
import { z } from 'zod'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { operationNamed, requireFine, requireJson } from '../../lib/cli/envelope.ts'
import { readText } from '../../lib/cli/input.ts'
import { KeyAccess } from '../../lib/cli/keys.ts'
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
    identifier: z.string().optional().describe('Whose request it is; answers have none.'),
    encryptedData: base64.optional(),
    encryptedKeys: base64.optional().describe('Not in the schemes of one RSA block.'),
    aes: z.literal(true).optional(),
    query: z.string().optional().describe('Without a question mark.'),
  })
  .describe('The envelope itself, as it stands in a body; with --layout query its query string.')

export type Sealed = ResultOf<typeof sealed>

function layoutFor(scheme: Scheme, asked: (typeof layouts)[number] | undefined): (typeof layouts)[number] {
  const possible = layoutsOf(schemeFacts[scheme].aes)
  const layout = possible.find((each) => each === (asked ?? possible[0]))
  if (layout) return layout
  throw new Failure(
    'usage',
    `--layout ${asked} does not go with --scheme ${scheme}; it lies in ${possible.join(' or ')}`,
  )
}

export default class EnvelopeSeal extends PaydeskCommand<Sealed> {
  static override summary = 'Seal a JSON text, from stdin or a file, to a public key.'
  static override description =
    'The key, the scheme and the identifier come from the flags, else from the profile. The text is sealed to the letter.'
  static override examples = [
    '<%= config.bin %> envelope seal --public-key service.pub <order.json',
    '<%= config.bin %> envelope seal -p acme --as order.create --check --layout query --file order.json',
  ]

  static override flags = {
    file: Flags.string({ description: 'the text to seal; - is stdin', helpValue: '<file>' }),
    'public-key': Flags.string({ description: 'public key of the receiver, in any form', helpValue: '<file>' }),
    scheme: Flags.option({ options: schemes })({ description: 'how it is sealed' }),
    layout: Flags.option({ options: layouts })({ description: 'how it is written' }),
    identifier: Flags.string({ description: 'whose request it is; an answer has none', helpValue: '<id>' }),
    as: Flags.string({
      description: 'the operation it is meant for; wallet.* takes keys, scheme and identifier of the wallet',
      helpValue: exampleOperation,
    }),
    check: Flags.boolean({ description: 'look at it with the rules of --as first', dependsOn: ['as'] }),
  }

  static override readonly result = () => sealed

  readonly #keys = new KeyAccess(this)

  async run() {
    const { flags } = await this.parse(EnvelopeSeal)
    const operation = flags.as === undefined ? null : operationNamed(flags.as)
    const file = flags['public-key']
    const owner = await this.#keys.owner(flags, operation && partOf(operation), file !== undefined)
    const scheme = flags.scheme ?? owner?.scheme ?? 'oaep-sha256'
    const layout = layoutFor(scheme, flags.layout)
    const { key } = this.#keys.public(file, owner)
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

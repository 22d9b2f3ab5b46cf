import { Flags } from '@oclif/core'
import { z } from 'zod'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { envelopeArgs, envelopeFlag, envelopeText } from '../../lib/cli/envelope.ts'
import { printExactly } from '../../lib/cli/input.ts'
import { envelopeKeys } from '../../lib/cli/keys.ts'
import { textView } from '../../lib/cli/output/view.ts'
import { readEnvelope, repairsMade } from '../../lib/envelope/diagnose/inspect.ts'
import { openWithOneOf } from '../../lib/envelope/envelope.ts'
import { layouts } from '../../lib/envelope/layout.ts'
import { schemes } from '../../lib/envelope/scheme.ts'
import { type ResultOf, warningTexts } from '../../lib/result.ts'

const opened = z
  .strictObject({
    scheme: z.enum(schemes),
    layout: z.enum(layouts),
    identifier: z.string().nullable(),
    plaintext: z.string().describe('The exact text.'),
    warnings: warningTexts.describe('Damage that was repaired before it opened.'),
  })
  .describe('Without --json stdout holds only the exact text.')

export type EnvelopeResult = ResultOf<typeof opened>

/** Prints the text itself, not one byte more, unless a form of output is asked for. */
export default class EnvelopeOpen extends PaydeskCommand<EnvelopeResult> {
  static override summary = 'Open an envelope and print its exact text.'
  static override description =
    'Reads JSON, a query string or a URL with one. The key comes from --private-key, PAYDESK_PRIVATE_KEY_FILE or the profile. The scheme is detected unless --scheme sets it. Repaired damage, such as spaces for +, is reported on stderr, because other receivers may not repair it.'
  static override examples = [
    '<%= config.bin %> envelope open --private-key own.key <answer.json',
    "<%= config.bin %> envelope open -p acme 'identifier=…&encryptedData=…&encryptedKeys=…&aes=true'",
  ]

  static override args = envelopeArgs

  static override flags = {
    file: envelopeFlag,
    'private-key': Flags.string({ description: 'your private key, in any format', helpValue: '<file>' }),
    scheme: Flags.option({ options: schemes })({ description: 'use only this scheme' }),
  }

  static override readonly result = () => opened

  async run() {
    const { args, flags } = await this.parse(EnvelopeOpen)
    const files = flags['private-key'] === undefined ? [] : [flags['private-key']]
    const pasted = await envelopeText(this, args, flags)
    const { envelope, layout } = readEnvelope(pasted)
    const { keys } = await envelopeKeys(this, flags, envelope.identifier, { files })
    const owners = keys.map(({ key }) => key)
    const { read, scheme } = await openWithOneOf(envelope, owners, flags.scheme ?? 'any')
    const warnings = repairsMade(pasted)
    const result = { scheme, layout, identifier: envelope.identifier, plaintext: read, warnings }
    if (flags.json || flags.output || flags.fields || flags.query) return result
    if (flags.scheme === undefined && scheme !== 'oaep-sha256') this.output.say(`opened as ${scheme}`)
    for (const warning of warnings) this.output.warn(warning)
    printExactly(read, this.edge)
    return undefined
  }

  protected override readonly view = ({ plaintext }: EnvelopeResult) => textView(plaintext)
}

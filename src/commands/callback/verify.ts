import { Flags } from '@oclif/core'
import { z } from 'zod'
import type { Headers } from '../../lib/callback/mask.ts'
import { verify } from '../../lib/callback/open.ts'
import { headersOf } from '../../lib/callback/raw.ts'
import {
  askForCallback,
  callbacksOf,
  signatureSecret,
  storedCallback,
  webhookSecretFlag,
} from '../../lib/cli/callback/callbacks.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { typedMoment } from '../../lib/cli/flags/times.ts'
import { readSource } from '../../lib/cli/input.ts'
import { factsOf } from '../../lib/cli/output/view.ts'
import { Failure } from '../../lib/failure.ts'
import { blank, hint, paste } from '../../lib/hint.ts'
import { type ResultOf, utcMoment, warningTexts } from '../../lib/result.ts'
import { withoutEnds } from '../../lib/text.ts'

const verified = z
  .strictObject({
    callbackId: z.string().nullable().describe('Null for --file.'),
    signature: z.literal('valid'),
    at: utcMoment.describe('When it was received; its timestamp is compared with this.'),
    secretFile: z.string(),
    warnings: warningTexts,
  })
  .describe('An invalid signature ends with exit code 5.')

export type VerifiedCallback = ResultOf<typeof verified>

interface Signed {
  readonly callbackId: string | null
  readonly headers: Headers
  readonly body: Buffer
  readonly at: number
}

function headerOf(typed: string): readonly [string, string] {
  const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(typed) ?? []
  if (name !== undefined) return [name, withoutEnds(value, ' \t')]
  throw new Failure('usage', '--header takes "name: value"')
}

export default class CallbackVerify extends PaydeskCommand<VerifiedCallback> {
  static override summary = 'Verify the signature of a callback by Standard Webhooks.'
  static override description =
    'For gateways that sign with webhook-id, webhook-timestamp and webhook-signature (HMAC-SHA256); how the service itself signs is not specified. The secret comes from --secret-file or the profile. Exit code 5: not signed, or not valid.'
  static override examples = [
    '<%= config.bin %> callback verify cb-3f9a1c2b7d10 --secret-file hook.secret',
    "<%= config.bin %> callback verify --file body.json --header 'webhook-id: m1' --header 'webhook-timestamp: 1795168800' --header 'webhook-signature: v1,…' -p acme",
  ]

  static override args = { id: storedCallback }

  static override flags = {
    file: Flags.string({ description: 'file with the body; - is stdin', helpValue: '<file>' }),
    header: Flags.string({
      description: 'a header of the callback in --file',
      helpValue: 'name: value',
      multiple: true,
    }),
    at: Flags.string({
      description: 'when the callback in --file was received; now if omitted',
      helpValue: '2026-11-20T09:00:00',
    }),
    'secret-file': webhookSecretFlag,
  }

  static override readonly result = () => verified

  async run(): Promise<VerifiedCallback> {
    const { args, flags } = await this.parse(CallbackVerify)
    const id = args.id ?? (flags.file === undefined ? await askForCallback(this) : undefined)
    if ((id === undefined) === (flags.file === undefined)) {
      throw new Failure('usage', 'name a stored callback by its id, or a body with --file')
    }
    const secret = await signatureSecret(this, flags)
    if (!secret) {
      throw new Failure('credentials', 'no secret to verify with', {
        hints: [
          hint`Give --secret-file <file>, or \`${paste('profile add', blank('<name>'), '--callback-secret-file', blank('<file>'))}\`.`,
        ],
      })
    }
    const { callbackId, headers, body, at } = id === undefined ? await this.#given(flags) : await this.#stored(id)
    const verdict = verify(secret.webhook, headers, body, at)
    if (!verdict.valid) throw new Failure('refused', `the callback is not verified: ${verdict.why}`)
    const facts = { callbackId, signature: 'valid', at: new Date(at).toISOString() } as const
    return { ...facts, secretFile: secret.path, warnings: [] }
  }

  async #stored(id: string): Promise<Signed> {
    const { row } = await (await callbacksOf(this)).find(id)
    return { callbackId: id, headers: headersOf(row), body: Buffer.from(row.body), at: Date.parse(row.received_at) }
  }

  async #given(flags: {
    file?: string | undefined
    header?: string[] | undefined
    at?: string | undefined
  }): Promise<Signed> {
    const body = await readSource({ file: flags.file, what: 'the body' }, this)
    const at = flags.at === undefined ? this.edge.clock.now() : Date.parse(typedMoment(this, 'at', flags.at))
    return { callbackId: null, headers: (flags.header ?? []).map(headerOf), body, at }
  }

  protected override readonly view = (verified: VerifiedCallback) => [
    factsOf(verified, { callback: 'callbackId', received: 'at', secret: 'secretFile' }, 'The signature is valid.'),
  ]
}

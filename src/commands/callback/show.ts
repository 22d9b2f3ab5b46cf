import { Flags } from '@oclif/core'
import { z } from 'zod'
import type { callbackWholeResult } from '../../lib/callback/result.ts'
import { type RawBody, rawBody, showCallback } from '../../lib/callback/show.ts'
import { callbackKeys, callbacksOf, ownKeysFlag } from '../../lib/cli/callback/callbacks.ts'
import { callbackView } from '../../lib/cli/callback/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { named } from '../../lib/cli/flags/shared.ts'
import { printBytes } from '../../lib/cli/input.ts'
import { textView } from '../../lib/cli/output/view.ts'
import type { ResultOf } from '../../lib/result.ts'

/** With what is to be said of the keys that it was opened with. */
type Shown = ResultOf<typeof callbackWholeResult>

export default class CallbackShow extends PaydeskCommand<Shown | RawBody> {
  static override summary = 'Show one callback: its content, delivery and forwarding.'
  static override description =
    'A callback that could not be opened is tried again with the keys you have now. --raw prints only the body, for `paydesk envelope open`. Card tokens and card numbers are hidden unless you give --insecure-show-tokens. A callback is only a hint: `paydesk order status <id>` reads the real status.'
  static override examples = [
    '<%= config.bin %> callback show cb-3f9a1c2b7d10',
    '<%= config.bin %> callback show cb-3f9a1c2b7d10 --raw | <%= config.bin %> envelope doctor -p acme',
  ]

  static override args = { id: named('a callback id of `callback list`') }

  static override flags = {
    raw: Flags.boolean({ char: 'r', description: 'print the body unchanged' }),
    'insecure-show-tokens': Flags.boolean({
      description: 'show card tokens and card numbers',
      dependsOn: ['raw'],
    }),
    'private-key': ownKeysFlag,
  }

  static override readonly result = async () => {
    const { callbackRawResult, callbackWholeResult } = await import('../../lib/callback/result.ts')
    return z.union([callbackWholeResult, callbackRawResult])
  }

  async run() {
    const { args, flags } = await this.parse(CallbackShow)
    const callbacks = await callbacksOf(this)
    if (!flags.raw) {
      const { listed } = await callbacks.find(args.id)
      if (listed.how === 'unopened' || listed.how === null) {
        await callbacks.tryAgain(args.id, await callbackKeys(this, flags, () => undefined))
      }
      return { ...(await showCallback(callbacks, args.id)), warnings: [] }
    }
    const raw = await rawBody(callbacks, args.id, flags['insecure-show-tokens'])
    if (flags.json || flags.output || flags.fields || flags.query) return raw
    if (raw.hidden) this.output.warn('card tokens or numbers are hidden; --insecure-show-tokens prints every byte')
    printBytes(raw.base64 === null ? Buffer.from(raw.body) : Buffer.from(raw.base64, 'base64'), this.edge)
    return undefined
  }

  protected override readonly view = (shown: Shown | RawBody) =>
    'request' in shown ? callbackView(shown) : textView(shown.body)
}

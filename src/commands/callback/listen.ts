import { Flags } from '@oclif/core'
import { type ListenerEvent, type ListenerReady, type Listening, listen, tidyPath } from '../../lib/callback/listen.ts'
import {
  callbackKeys,
  callbackProfile,
  callbacksOf,
  ownKeysFlag,
  readTarget,
  relayLimits,
  relayTo,
  signatureSecret,
  webhookSecretFlag,
} from '../../lib/cli/callback/callbacks.ts'
import { arrivalView, forwardInWords, targetInWords } from '../../lib/cli/callback/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { allowHostFlag } from '../../lib/cli/flags/shared.ts'
import { nextAfter, sayNext } from '../../lib/cli/next.ts'
import { isSheetForm } from '../../lib/cli/output/choice.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { Failure } from '../../lib/failure.ts'
import { isLoopback } from '../../lib/profile/address.ts'

export default class CallbackListen extends PaydeskCommand<undefined> {
  static override summary = 'Receive callbacks until ^C: store, answer 200, open, show, forward.'
  static override description =
    'Every callback is stored, answered with 200, then opened with the keys of the profile or --private-key. --forward-to sends it on unchanged, duplicates too, and repeats for a day until your program answers 2xx; a restarted listener continues. A wrong signature is shown, not refused. --json prints one line per event. Guide: docs/how-to/callbacks.md'
  static override examples = [
    '<%= config.bin %> callback listen -p acme',
    '<%= config.bin %> callback listen --private-key own.key --forward-to http://127.0.0.1:3000/callback',
    '<%= config.bin %> callback listen --port 0 --json',
  ]

  static override flags = {
    port: Flags.integer({ description: 'port; 0 takes a free one', default: 4020, min: 0, max: 65_535 }),
    host: Flags.string({
      description: 'address to listen on; other machines can reach any but the loopback',
      default: '127.0.0.1',
    }),
    'allow-host': allowHostFlag,
    path: Flags.string({ description: 'path for callbacks; other paths are answered with 404', default: '/callback' }),
    'forward-to': Flags.string({
      description: 'address of your program, which gets every callback unchanged',
      helpValue: '<url>',
    }),
    'private-key': ownKeysFlag,
    'secret-file': webhookSecretFlag,
  }

  static override readonly result = async () => (await import('../../lib/callback/result.ts')).callbackEventResult

  async run(): Promise<undefined> {
    const { flags } = await this.parse(CallbackListen)
    if (isSheetForm(flags.output))
      throw new Failure('usage', 'events do not go into one table: --output json or ndjson')
    const { clock, random } = this.edge
    const remark = (line: string) => void this.warnings.add(line)
    const target = flags['forward-to'] === undefined ? null : readTarget(this, 'forward-to', flags['forward-to'])
    if (!isLoopback(flags.host) && flags.host !== '::1')
      remark(`listening on ${flags.host}: other machines can reach it and send false callbacks`)
    const sealed = (why: string) => remark(`sealed callbacks are stored without being opened: ${why}`)
    const keys = await callbackKeys(this, flags, sealed)
    const secret = await signatureSecret(this, flags)
    const profile = await callbackProfile(this, flags)
    const callbacks = await callbacksOf(this)
    const forward = target === null ? null : { target, relay: relayTo(this, target), limits: relayLimits(flags) }
    const { host, port, path, 'allow-host': allowHosts = [] } = flags
    const at = { host, port, path: tidyPath(path), allowHosts }
    const from = { ...at, profile, keys, webhook: secret?.webhook ?? null, forward }
    const settings = { ...from, clock, random, signal: this.signal, warnings: [...this.warnings] }
    // They are told when it is ready.
    this.warnings.clear()
    await listen(callbacks, this.places.callbacks, settings, this.#reports())
    const how = this.signal.reason === 'SIGTERM' ? 'terminated' : 'interrupted'
    throw new Failure(how, 'the listener has stopped; received callbacks are stored: `paydesk callback list`')
  }

  #reports(): Listening {
    return {
      onReady: (ready) => this.#ready(ready),
      onCallback: (entry) => this.#tell({ event: 'callback', ...entry }, arrivalView(entry)),
      onForwarded: async (news) => {
        const { line, loud } = forwardInWords(news)
        await this.#tell({ event: 'forward', ...news }, line, loud)
      },
      onTarget: (news) => this.#tell({ event: 'target', ...news }, targetInWords(news), true),
      onRefused: (refused) => {
        const line = `${refused.status} to ${refused.method} ${refused.target}: ${refused.why}`
        void this.#tell({ event: 'refused', ...refused }, line, true)
      },
    }
  }

  async #ready(ready: ListenerReady): Promise<void> {
    const forwards = ready.forwardTo === null ? '' : ` Forwarding to ${ready.forwardTo}; waiting: ${ready.waiting}.`
    await this.#tell(ready, [{ kind: 'text', text: `Listening for callbacks at ${ready.url} until ^C.${forwards}` }])
    for (const warning of ready.warnings) this.output.warn(warning)
    sayNext(this, nextAfter('callback:listen', ready))
  }

  /** To people a block on stdout or a remark on stderr; with a JSON form one line on stdout. */
  async #tell(event: ListenerEvent, shown: View | string, loud = false): Promise<void> {
    if (typeof shown === 'string' && !this.output.machine) {
      if (loud) this.output.warn(shown)
      else this.output.say(shown)
      return
    }
    const view = typeof shown === 'string' ? [] : shown
    try {
      await this.output.document(event, view)
    } catch (error) {
      // A --fields that this event has not got must not end the listener.
      if (!(error instanceof Failure)) throw error
      await this.output.document(event, view, true)
    }
  }

  protected override readonly view = () => []
}

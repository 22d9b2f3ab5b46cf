import { Flags } from '@oclif/core'
import { type ListenerReady, type Listening, listen, type Told, tidyPath } from '../../lib/callback/listen.ts'
import {
  CallbackAccess,
  ownKeysFlag,
  readTarget,
  relayLimits,
  relayTo,
  webhookSecretFlag,
} from '../../lib/cli/callback/callbacks.ts'
import { arrivalView, forwardInWords, targetInWords } from '../../lib/cli/callback/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { allowHostFlag } from '../../lib/cli/flags/shared.ts'
import { nextAfter, sayNext } from '../../lib/cli/next.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { Failure } from '../../lib/failure.ts'
import { isLoopback } from '../../lib/profile/address.ts'

export default class CallbackListen extends PaydeskCommand<undefined> {
  static override summary = 'Receive the callbacks of the service, until ^C: store, answer 200, open, show, forward.'
  static override description =
    'A callback is stored as it came and answered with 200 then, whatever stands in it; it is opened afterwards, sealed or plain, with the keys of the profile or --private-key. It is a hint: read the status again (`paydesk order status <id>`). Duplicates are marked, answered and forwarded all the same: your program has to cope with them. --forward-to gets every callback as it came, repeated until it answers 2xx, for a day; a listener that is started again goes on. Signatures are verified by Standard Webhooks where a secret is set; how the service itself signs is not specified, so a wrong one is shown and stored, not refused. What is forwarded bears one header more, paydesk-listener: what comes back with it is stored and not forwarded again. With --json one line per event: ready, callback, forward, target, refused.'
  static override examples = [
    '<%= config.bin %> callback listen -p acme',
    '<%= config.bin %> callback listen --private-key own.key --forward-to http://127.0.0.1:3000/callback',
    '<%= config.bin %> callback listen --port 0 --json',
  ]

  static override flags = {
    port: Flags.integer({ description: 'port; 0 takes any free one', default: 4020, min: 0, max: 65_535 }),
    host: Flags.string({
      description: 'address to listen on; anything but the loopback opens it to others',
      default: '127.0.0.1',
    }),
    'allow-host': allowHostFlag,
    path: Flags.string({ description: 'the path of callbacks; any other is answered with 404', default: '/callback' }),
    'forward-to': Flags.string({ description: 'your program: it gets every callback as it came', helpValue: '<url>' }),
    'private-key': ownKeysFlag,
    'secret-file': webhookSecretFlag,
  }

  static override readonly result = async () => (await import('../../lib/callback/result.ts')).callbackEventResult

  readonly #callbacks = new CallbackAccess(this)

  async run(): Promise<undefined> {
    const { flags } = await this.parse(CallbackListen)
    if (flags.output === 'csv') throw new Failure('usage', 'events do not go into one table: --output json or ndjson')
    const { clock, random, env } = this.edge
    const remark = (line: string) => this.#callbacks.remark(line)
    const to = flags['forward-to'] === undefined ? null : readTarget('forward-to', flags['forward-to'])
    this.#callbacks.remark(...(to?.warnings ?? []))
    if (!isLoopback(flags.host) && flags.host !== '::1') {
      remark(`listening on ${flags.host}: others can reach it, and whoever does can send callbacks of his own`)
    }
    const keys = await this.#callbacks.keys(flags, (why) => remark(`sealed callbacks are stored unopened: ${why}`))
    const secret = await this.#callbacks.secret(flags)
    const profile = await this.#callbacks.profileName(flags)
    const callbacks = await this.#callbacks.open()
    const forward = to && { target: to.target, relay: relayTo(to.target, env, remark), limits: relayLimits(flags) }
    const { host, port, path, 'allow-host': allowHosts = [] } = flags
    const at = { host, port, path: tidyPath(path), allowHosts }
    const from = { ...at, profile, keys, webhook: secret?.webhook ?? null, forward }
    const settings = { ...from, clock, random, signal: this.signal, warnings: this.#callbacks.warnings }
    await listen(callbacks, this.places.callbacks, settings, this.#told())
    const how = this.signal.reason === 'SIGTERM' ? 'terminated' : 'interrupted'
    throw new Failure(how, 'the listener has stopped; what it received is kept: `paydesk callback list`')
  }

  #told(): Listening {
    return {
      onReady: (ready) => this.#ready(ready),
      onCallback: (entry) => this.#tell({ event: 'callback', ...entry }, arrivalView(entry)),
      onForwarded: async (news) => {
        const { line, loud } = forwardInWords(news)
        await this.#tell({ event: 'forward', ...news }, line, loud)
      },
      onTarget: (news) => this.#tell({ event: 'target', ...news }, targetInWords(news), true),
      onRefused: (refused) => {
        const { method, target, status, why } = refused
        const line = `${status} to ${method} ${target}: ${why}`
        void this.#tell({ event: 'refused', ...refused }, line, true)
      },
    }
  }

  async #ready(ready: ListenerReady): Promise<void> {
    const forwards =
      ready.forwardTo === null ? '' : `\nForwarding to ${ready.forwardTo}; still waiting: ${ready.waiting}.`
    await this.#tell(ready, [{ kind: 'text', text: `Callbacks are taken at ${ready.url} until ^C.${forwards}` }])
    for (const warning of ready.warnings) this.output.warn(warning)
    sayNext(this, nextAfter('callback:listen', ready))
  }

  /** To people a block on stdout or a remark on stderr; with a JSON form one line on stdout. */
  async #tell(event: Told, shown: View | string, loud = false): Promise<void> {
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

import { once } from 'node:events'
import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { allowHostFlag } from '../../lib/cli/flags/shared.ts'
import { textView, type View } from '../../lib/cli/output/view.ts'
import { checkoutBaseFlag, ownSandbox, worldFlags, worldOf } from '../../lib/cli/sandbox.ts'
import { Failure } from '../../lib/failure.ts'
import { callbackForms } from '../../lib/sandbox/areas/callbacks.ts'
import { attemptInWords } from '../../lib/sandbox/courier.ts'
import { usualPort } from '../../lib/sandbox/server/builtin.ts'
import type { RequestLine } from '../../lib/sandbox/server/exchange.ts'
import { consoleScript, type SandboxReady, sandboxReadyResult, startSandbox } from '../../lib/sandbox/server/start.ts'
import { shapes } from '../../lib/sandbox/shape.ts'

export default class SandboxStart extends PaydeskCommand<SandboxReady> {
  static override summary = 'Run the sandbox as a server on this machine, until ^C.'
  static override description =
    'For clients in any language. `sandbox world` prints ids, keys and secrets; `sandbox ledger` shows what was paid. Callbacks are sent while it runs. --json prints one line when it is ready. Guide: docs/how-to/test-your-client.md'
  static override examples = [
    '<%= config.bin %> sandbox start',
    '<%= config.bin %> sandbox start --port 0 --json',
    '<%= config.bin %> sandbox start --callbacks plain',
    '<%= config.bin %> sandbox start --tls',
    '<%= config.bin %> sandbox start --strict --provider directLinkProvider=BOG,TBC',
    '<%= config.bin %> sandbox start --checkout-base https://pay.shop.example --allow-host pay.shop.example',
    '<%= config.bin %> sandbox start --base-path /ecommerce-service --shape recorded',
  ]

  static override flags = {
    port: Flags.integer({
      description: 'port to listen on; 0 takes any free one',
      default: usualPort,
      min: 0,
      max: 65_535,
    }),
    host: Flags.string({
      description: 'address to listen on; other machines can reach any but the loopback',
      default: '127.0.0.1',
    }),
    'allow-host': allowHostFlag,
    tls: Flags.boolean({ description: 'serve https with a temporary certificate' }),
    'checkout-base': checkoutBaseFlag,
    'base-path': Flags.string({ description: 'prefix under which the paths are served as well', helpValue: '/x' }),
    shape: Flags.option({ options: shapes })({
      description: 'answer as documented or as recorded',
      default: 'documented',
    }),
    callbacks: Flags.option({ options: callbackForms })({
      description: 'send callbacks sealed or as plain JSON; the setting is stored',
    }),
    ...worldFlags,
  }

  static override readonly result = async () => sandboxReadyResult

  async run(): Promise<SandboxReady> {
    const { flags } = await this.parse(SandboxStart)
    const sandbox = await ownSandbox(this)
    const turnedAway: string[] = []
    const { ready, close } = await startSandbox(sandbox, this.places.sandbox, {
      port: flags.port,
      host: flags.host,
      shape: flags.shape,
      allowHosts: flags['allow-host'],
      onTurnedAway: ({ method, target, status, why }) => {
        turnedAway.push(why)
        this.output.warn(`${status} to ${method} ${target}: ${why}`)
      },
      ...(flags['base-path'] === undefined ? {} : { basePath: flags['base-path'] }),
      ...(flags['checkout-base'] === undefined ? {} : { checkoutBase: flags['checkout-base'] }),
      callbacks: flags.callbacks,
      certifiedBy: flags.tls ? this.edge : undefined,
      world: worldOf(flags),
      console: {
        token: this.edge.random.secret(24),
        nonce: () => this.edge.random.secret(16),
        script: consoleScript(this.config.root),
      },
      onRequest: (line) => this.output.say(inWords(line)),
      onAttempt: (attempted) => this.output.say(attemptInWords(attempted)),
      onTrouble: (why) => this.output.warn(`no callbacks are sent: ${why}`),
    })
    this.closeAtEnd(close)
    await this.output.document(ready, this.view(ready))
    if (!this.signal.aborted) await once(this.signal, 'abort')
    const how = this.signal.reason === 'SIGTERM' ? 'terminated' : 'interrupted'
    // To people each was said at once.
    const warnings = this.output.machine ? turnedAway : []
    throw new Failure(how, 'the sandbox has stopped; its ledger is stored', { warnings })
  }

  protected override view({ url, dashboard, authority }: SandboxReady): View {
    const lines = [
      `The sandbox runs at ${url} until ^C. No real money.`,
      ...(dashboard === null ? [] : [`Console: ${dashboard}`]),
      ...(authority === null ? [] : [`Its certificate authority: ${authority} (curl --cacert, NODE_EXTRA_CA_CERTS)`]),
      'Ids, keys and secrets of its clients: paydesk sandbox world',
    ]
    return textView(lines.join('\n'))
  }
}

function inWords({ method, path, operation, status, fault }: RequestLine): string {
  const struck = fault ? `, fault: ${fault.kind} ${fault.at}` : ''
  return `${method} ${path}  ${operation ?? 'no operation'}  ${status ?? 'no answer'}${struck}`
}

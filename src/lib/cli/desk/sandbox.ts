/** The built-in sandbox as profiles that need no setting: in this process, or the one that `sandbox start` runs. */
import type { NamedAccount } from '../../contract/payout/payee.ts'
import { readPrivateKey, readPublicKey } from '../../envelope/keys/key.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { BuiltIn } from '../../profile/built-in.ts'
import type { Part } from '../../profile/parts.ts'
import { type Profile, permitsOfProfile } from '../../profile/profile.ts'
import type { Invocation } from '../invocation.ts'
import type { MenuChoice } from '../prompts/ask.ts'

type Opened = Awaited<ReturnType<typeof import('../../sandbox/server/builtin.ts')['openBuiltIn']>>
type Attached = Awaited<ReturnType<Opened['attach']>>

/** `attach` serves requests, and starts it where it does not run yet; `consult` only looks. */
type How = 'attach' | 'consult'

export class BuiltInSandbox {
  readonly #invocation: Invocation
  readonly #reached = new Map<How, Promise<Attached>>()
  #opened: Promise<Opened> | null = null

  constructor(invocation: Invocation) {
    this.#invocation = invocation
  }

  #sandbox(how: How): Promise<Attached> {
    const known = this.#reached.get(how)
    if (known) return known
    const reached = this.#reach(how)
    this.#reached.set(how, reached)
    return reached
  }

  async #reach(how: How): Promise<Attached> {
    this.#opened ??= this.#open()
    return (await this.#opened)[how]()
  }

  /** The only line from here to there, and a lazy one. */
  async #open(): Promise<Opened> {
    const { openBuiltIn } = await import('../../sandbox/server/builtin.ts')
    const { places, edge } = this.#invocation
    const sandbox = await openBuiltIn(places.sandbox, edge.clock, edge.random)
    this.#invocation.closeAtEnd(() => sandbox.close())
    return sandbox
  }

  /** True if a sandbox server runs, so that its checkout and its timers live on after this command. */
  async runs(): Promise<boolean> {
    return (await this.#sandbox('consult')).running
  }

  /** The parts of the service that a profile of the sandbox has. */
  async parts(name: BuiltIn): Promise<readonly Part[]> {
    const { clients, integrator, walletIntegrator } = await this.#sandbox('consult')
    return [
      ...(clients.some((each) => each.name === name) ? (['payouts'] as const) : []),
      ...((await integrator(name)) ? (['orders'] as const) : []),
      ...((await walletIntegrator(name)) ? (['wallet'] as const) : []),
    ]
  }

  /** Those of the sandbox whom a profile of it can pay. */
  async payees(name: string): Promise<readonly NamedAccount[]> {
    return (await this.#sandbox('consult')).payees(name)
  }

  /** The receivers of orders, or the addresses of payment QR codes, that the sandbox knows. */
  async receivers(part: 'orders' | 'wallet'): Promise<readonly MenuChoice[]> {
    return (await this.#sandbox('consult')).receivers(part)
  }

  /** A profile of the sandbox. Throws Failure('credentials') where it has not got this part. */
  async profile(name: BuiltIn, part: Part, how: How): Promise<Profile> {
    const sandbox = await this.#sandbox(how)
    const common = {
      name,
      environment: 'sandbox',
      part,
      service: `sandbox:${sandbox.worldId}`,
      serviceId: `sandbox:${sandbox.worldId}`,
      baseUrl: sandbox.url,
      duplicateGuard: 'warn',
      limits: [],
      // Straight to it: a service on this machine needs no proxy.
      transport: sandbox.transport,
    } as const
    return { ...common, ...(part === 'payouts' ? asClient(sandbox, name) : await asIntegrator(sandbox, name, part)) }
  }
}

/** The members of a profile that hold its identity and its permissions. */
type Identity = Pick<Profile, 'clientId' | 'clientSecret' | 'seal' | 'permits' | 'orderType'>

function asClient({ clients }: Attached, name: BuiltIn): Identity {
  const client = clients.find((each) => each.name === name)
  if (!client) throw elsewhere(name, 'payouts')
  return {
    clientId: client.clientId,
    clientSecret: async () => client.clientSecret,
    seal: null,
    permits: new Set(client.permissions),
    orderType: null,
  }
}

async function asIntegrator(sandbox: Attached, name: BuiltIn, part: 'orders' | 'wallet'): Promise<Identity> {
  const integrator = part === 'orders' ? await sandbox.integrator(name) : await sandbox.walletIntegrator(name)
  if (!integrator) throw elsewhere(name, part)
  const identifier = 'integratorId' in integrator ? integrator.integratorId : integrator.identifier
  const { scheme, servicePublicKey, privateKey } = integrator
  return {
    clientId: identifier,
    clientSecret: () => Promise.reject(new Failure('bug', `${part} have no client secret`)),
    seal: {
      identifier,
      scheme,
      toService: readPublicKey(Buffer.from(servicePublicKey), "the sandbox's public key"),
      own: [readPrivateKey(Buffer.from(privateKey), "the sandbox integrator's private key")],
    },
    // The service decides, and its refusal names the permission.
    permits: permitsOfProfile(true),
    orderType: 'orderType' in integrator ? integrator.orderType : null,
  }
}

function elsewhere(name: string, part: Part): Failure {
  return new Failure('credentials', `the built-in profile ${name} has no ${part}`, {
    hints: [hint`-p sandbox has everything; \`${paste('sandbox world')}\` shows who has what.`],
  })
}

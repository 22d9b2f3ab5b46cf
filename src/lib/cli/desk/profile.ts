/**
 * The identity of a command at the service: the profile that the flags, the environment or the default name, or one that
 * the built-in sandbox has. Opens no socket.
 */
import type { NamedAccount } from '../../contract/payout/payee.ts'
import { readPrivateKey, readPublicKey } from '../../envelope/key.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { BuiltIn } from '../../profile/built-in.ts'
import { chooseProfile, type ProfileChoice } from '../../profile/choose.ts'
import { identityFlag, type Part, partsOf } from '../../profile/parts.ts'
import { missing, type Profile, permitsOfProfile, resolveProfile } from '../../profile/profile.ts'
import { Profiles } from '../../profile/profiles.ts'
import {
  openToOthers,
  secretAtHand,
  secretOf,
  secretVariable,
  systemKeyring,
  uncheckedCertificates,
} from '../../profile/secret.ts'
import type { SecretSource, StoredProfile } from '../../profile/stored.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { type MenuChoice, terminalAsker } from '../prompts/ask.ts'

type Opened = Awaited<ReturnType<typeof import('../../sandbox/server/builtin.ts')['openBuiltIn']>>
type Attached = Awaited<ReturnType<Opened['attach']>>

/** `attach` serves requests, and starts it where it does not run yet; `consult` only looks. */
type How = 'attach' | 'consult'

class BuiltInSandbox {
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
    hints: [hint`-p sandbox has everything; \`${paste('sandbox world')}\` shows the details.`],
  })
}

type Named = Pick<SharedFlags, 'profile'>

/** The identity of a command at the service: the profile that the flags, the environment or the default name. Opens no socket. */
export class ProfileAccess {
  readonly sandbox: BuiltInSandbox
  readonly #invocation: Invocation
  /** True once the person was told that the sandbox is in use. */
  #isNamed = false
  #typed: Promise<string> | undefined

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.sandbox = new BuiltInSandbox(invocation)
  }

  #choice({ profile: flag }: Named): Promise<ProfileChoice> {
    const { places, edge, canAsk } = this.#invocation
    return chooseProfile({ flag, env: edge.env, atTerminal: canAsk }, new Profiles(places.config))
  }

  async name(flags: Named): Promise<string> {
    const choice = await this.#choice(flags)
    return choice.kind === 'stored' ? choice.profile.name : choice.name
  }

  /** The parts that the profile of the flags has; of a built-in one those that the sandbox has for it. */
  async parts(flags: Named): Promise<readonly [Part, ...Part[]]> {
    const choice = await this.#choice(flags)
    const found = choice.kind === 'stored' ? partsOf(choice.profile) : await this.sandbox.parts(choice.name)
    const [first, ...others] = found
    if (first) return [first, ...others]
    const name = choice.kind === 'stored' ? choice.profile.name : choice.name
    const flagsOfParts = Object.values(identityFlag).map((flag) => `--${flag} <id>`)
    throw missing(name, 'client id, integrator id or identifier of the wallet', [flagsOfParts.join(' | ')])
  }

  /** The profile of the flags, as this part of the service knows it. */
  async profile(flags: Named, part: Part): Promise<Profile> {
    const choice = await this.#choice(flags)
    if (choice.kind === 'sandbox') return this.#inSandbox(choice.name, part)
    const { places, edge } = this.#invocation
    for (const line of openToOthers(choice.profile, new Profiles(places.config).path)) this.#invocation.beside(line)
    const unchecked = uncheckedCertificates(choice.profile, edge.env)
    if (unchecked !== null) this.#invocation.beside(unchecked)
    const atHand = secretAtHand(choice.profile, edge.env)
    if (atHand !== null) this.#invocation.output.redactor.hide(atHand)
    return this.#guarded(await this.#resolved(choice.profile, part))
  }

  /** With no secret of its own the profile has it from a person, at the moment that it is needed. It is kept nowhere. */
  #resolved(stored: StoredProfile, part: Part): Promise<Profile> {
    const { edge, canAsk } = this.#invocation
    const isKept = stored.clientSecret !== undefined || edge.env[secretVariable] !== undefined
    if (isKept || !canAsk) return resolveProfile(stored, edge.env, part)
    const clientSecret: SecretSource = { from: 'keyring' }
    const asked = { ...stored, clientSecret }
    return resolveProfile(asked, edge.env, part, { ...systemKeyring, read: () => this.#typedSecret(stored.name) })
  }

  #typedSecret(profile: string): Promise<string> {
    const ask = async () => {
      const { edge, signal } = this.#invocation
      return terminalAsker(edge, signal).hidden({
        message: `What is the client secret of ${profile}? It is not stored.`,
        validate: (text) => {
          const read = secretOf(text)
          return read.ok || (text === '' ? 'It is required.' : `It ${read.complaint}`)
        },
      })
    }
    this.#typed ??= ask()
    return this.#typed
  }

  /** True if the flags choose the built-in sandbox profile, which needs no settings. Nothing is opened for that. */
  async isSandbox(flags: Named): Promise<boolean> {
    const choice = await this.#choice(flags)
    const isSandbox = choice.kind === 'sandbox' && choice.name === 'sandbox'
    if (isSandbox) this.#tellSandbox()
    return isSandbox
  }

  #tellSandbox(): void {
    if (!this.#isNamed) this.#invocation.output.say('sandbox: no real money')
    this.#isNamed = true
  }

  #inSandbox(name: BuiltIn, part: Part): Promise<Profile> {
    this.#tellSandbox()
    return this.builtIn(name, part)
  }

  /** A profile of the sandbox, for commands that need its keys and send nothing; `attach` for one that requests go to. */
  readonly builtIn = async (name: BuiltIn, part: Part, how: 'attach' | 'consult' = 'consult'): Promise<Profile> =>
    this.#guarded(await this.sandbox.profile(name, part, how))

  /** The same profile, its secret known to the redactor as soon as it is fetched. */
  #guarded(profile: Profile): Profile {
    const clientSecret = async () => {
      const secret = await profile.clientSecret()
      this.#invocation.output.redactor.hide(secret)
      return secret
    }
    return { ...profile, clientSecret }
  }
}

/**
 * The identity of a command at the service: the profile that the flags, the environment or the default name, or one that
 * the built-in sandbox has. Opens no socket.
 */
import type { KeyObject } from 'node:crypto'
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
import { terminalAsker } from '../prompts/ask.ts'

type Opened = Awaited<ReturnType<typeof import('../../sandbox/server/builtin.ts')['openBuiltIn']>>
type Attached = Awaited<ReturnType<Opened['attach']>>

/** `attach` serves requests, and starts it where it does not run yet; `consult` only looks. */
type How = 'attach' | 'consult'

/** A profile of the sandbox. Throws Failure('credentials') where it has not got this part. */
async function profileIn(sandbox: Attached, name: BuiltIn, part: Part): Promise<Profile> {
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

async function partsIn(sandbox: Attached, name: BuiltIn): Promise<readonly Part[]> {
  return [
    ...(sandbox.clients.some((each) => each.name === name) ? (['payouts'] as const) : []),
    ...((await sandbox.integrator(name)) ? (['orders'] as const) : []),
    ...((await sandbox.walletIntegrator(name)) ? (['wallet'] as const) : []),
  ]
}

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

async function integratorIn(sandbox: Attached, name: BuiltIn, part: 'orders' | 'wallet') {
  const integrator = part === 'orders' ? await sandbox.integrator(name) : await sandbox.walletIntegrator(name)
  if (!integrator) throw elsewhere(name, part)
  return integrator
}

async function asIntegrator(sandbox: Attached, name: BuiltIn, part: 'orders' | 'wallet'): Promise<Identity> {
  const integrator = await integratorIn(sandbox, name, part)
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

export class ProfileAccess {
  readonly #invocation: Invocation
  readonly #reached = new Map<How, Promise<Attached>>()
  #opened: Promise<Opened> | undefined
  /** True once the person was told that the sandbox is in use. */
  #isNamed = false
  #typed: Promise<string> | undefined

  constructor(invocation: Invocation) {
    this.#invocation = invocation
  }

  /** The built-in sandbox; opened once, and closed when the command ends. */
  sandbox(how: How = 'consult'): Promise<Attached> {
    const known = this.#reached.get(how)
    if (known) return known
    this.#opened ??= this.#openSandbox()
    const reached = this.#opened.then((opened) => opened[how]())
    this.#reached.set(how, reached)
    return reached
  }

  async #openSandbox(): Promise<Opened> {
    const { openBuiltIn } = await import('../../sandbox/server/builtin.ts')
    const { places, edge } = this.#invocation
    const sandbox = await openBuiltIn(places.sandbox, edge.clock, edge.random)
    this.#invocation.closeAtEnd(() => sandbox.close())
    return sandbox
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
    const found = choice.kind === 'stored' ? partsOf(choice.profile) : await partsIn(await this.sandbox(), choice.name)
    const [first, ...others] = found
    if (first) return [first, ...others]
    const name = choice.kind === 'stored' ? choice.profile.name : choice.name
    const flagsOfParts = Object.values(identityFlag).map((flag) => `--${flag} <id>`)
    throw missing(name, 'client id, integrator id or identifier of the wallet', [flagsOfParts.join(' | ')])
  }

  async profile(flags: Named, part: Part): Promise<Profile> {
    const choice = await this.#choice(flags)
    if (choice.kind === 'sandbox') {
      this.#tellSandbox()
      return this.builtIn(choice.name, part)
    }
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

  #tellSandbox(): void {
    if (!this.#isNamed) this.#invocation.output.say('sandbox: no real money')
    this.#isNamed = true
  }

  /** A profile of the sandbox, for commands that need its keys and send nothing; `attach` for one that requests go to. */
  readonly builtIn = async (name: BuiltIn, part: Part, how: How = 'consult'): Promise<Profile> =>
    this.#guarded(await profileIn(await this.sandbox(how), name, part))

  /** The private key of the sandbox's service: it opens requests. Only of the sandbox can this key be known. */
  async serviceKey(name: BuiltIn, part: 'orders' | 'wallet'): Promise<KeyObject> {
    const { servicePrivateKey } = await integratorIn(await this.sandbox(), name, part)
    return readPrivateKey(Buffer.from(servicePrivateKey), "the private key of the sandbox's service")
  }

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

/**
 * The identity of a command at the service: the profile that the flags, the environment or the default name, or one that
 * the built-in sandbox has. Opens no socket.
 */
import type { KeyObject } from 'node:crypto'
import { readPrivateKey, readPublicKey } from '../../envelope/key.ts'
import { Failure } from '../../failure.ts'
import { blank, hint, paste } from '../../hint.ts'
import type { BuiltIn } from '../../profile/built-in.ts'
import { chooseProfile, type ProfileChoice } from '../../profile/choose.ts'
import { identityFlag, type Part, partsOf } from '../../profile/parts.ts'
import { type Profile, permitsOfProfile, resolveProfile } from '../../profile/profile.ts'
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

async function openSandbox({ places, edge, closeAtEnd }: Invocation): Promise<Opened> {
  const { openBuiltIn } = await import('../../sandbox/server/builtin.ts')
  const sandbox = await openBuiltIn(places.sandbox, edge.clock, edge.random)
  closeAtEnd(() => sandbox.close())
  return sandbox
}

const attach = async (invocation: Invocation) => (await invocation.once(openSandbox)).attach()
const consult = async (invocation: Invocation) => (await invocation.once(openSandbox)).consult()

/** The built-in sandbox, only looked at; opened once, and closed when the command ends. */
export const consultSandbox = (invocation: Invocation): Promise<Attached> => invocation.once(consult)

/** The same, serving requests; it is started where it does not run yet. */
export const attachSandbox = (invocation: Invocation): Promise<Attached> => invocation.once(attach)

type Named = Pick<SharedFlags, 'profile'>

function choiceOf({ places, edge, canAsk }: Invocation, { profile: flag }: Named): Promise<ProfileChoice> {
  return chooseProfile({ flag, env: edge.env, atTerminal: canAsk }, new Profiles(places.config))
}

/** The name of the profile that the flags, the environment or the default name. */
export async function profileName(invocation: Invocation, flags: Named): Promise<string> {
  const choice = await choiceOf(invocation, flags)
  return choice.kind === 'stored' ? choice.profile.name : choice.name
}

/** The parts that the profile of the flags has; of a built-in one those that the sandbox has for it. */
export async function partsOfProfile(invocation: Invocation, flags: Named): Promise<readonly [Part, ...Part[]]> {
  const choice = await choiceOf(invocation, flags)
  const [found, name] =
    choice.kind === 'stored'
      ? [partsOf(choice.profile), choice.profile.name]
      : [await partsIn(await consultSandbox(invocation), choice.name), choice.name]
  const [first, ...others] = found
  if (first) return [first, ...others]
  throw new Failure('credentials', `profile ${name} has no client id, integrator id or identifier of the wallet`, {
    hints: Object.entries(identityFlag).map(
      ([part, flag]) => hint`For ${part}: \`${paste('profile add', name, blank(`--${flag} <id>`))}\`.`,
    ),
  })
}

const sayItIsTheSandbox = ({ output }: Invocation) => output.say('sandbox: no real money')

/** The profile of a command, for one part of the service. Throws credentials (4). */
export async function profileOf(invocation: Invocation, flags: Named, part: Part): Promise<Profile> {
  const choice = await choiceOf(invocation, flags)
  if (choice.kind === 'sandbox') {
    invocation.once(sayItIsTheSandbox)
    return builtInProfile(invocation, choice.name, part)
  }
  const { places, edge, output } = invocation
  const { profile } = choice
  for (const line of openToOthers(profile, new Profiles(places.config).path)) invocation.warnings.add(line)
  const unchecked = uncheckedCertificates(profile, edge.env)
  if (unchecked !== null) invocation.warnings.add(unchecked)
  const atHand = secretAtHand(profile, edge.env)
  if (atHand !== null) output.redactor.hide(atHand)
  return hidingSecret(invocation, await resolved(invocation, profile, part))
}

/** With no secret of its own the profile has it from a person, at the moment that it is needed. It is kept nowhere. */
function resolved(invocation: Invocation, stored: StoredProfile, part: Part): Promise<Profile> {
  const { edge, canAsk } = invocation
  const isKept = stored.clientSecret !== undefined || edge.env[secretVariable] !== undefined
  if (isKept || !canAsk) return resolveProfile(stored, edge.env, part)
  const clientSecret: SecretSource = { from: 'keyring' }
  const read = () => typedSecret(invocation, stored.name)
  return resolveProfile({ ...stored, clientSecret }, edge.env, part, { ...systemKeyring, read })
}

const newSecrets = () => new Map<string, Promise<string>>()

/** Asked for once in a run. */
function typedSecret(invocation: Invocation, profile: string): Promise<string> {
  const { edge, signal } = invocation
  const typed = invocation.once(newSecrets)
  const secret =
    typed.get(profile) ??
    terminalAsker(edge, signal).hidden({
      message: `What is the client secret of ${profile}? It is not stored.`,
      validate: (text) => {
        const read = secretOf(text)
        return read.ok || (text === '' ? 'It is required.' : `It ${read.complaint}`)
      },
    })
  typed.set(profile, secret)
  return secret
}

/**
 * A profile of the sandbox. `attach`: requests go to it, and it is started where it does not run yet; else only its keys are
 * looked at.
 */
export async function builtInProfile(
  invocation: Invocation,
  name: BuiltIn,
  part: Part,
  how: 'attach' | 'consult' = 'consult',
): Promise<Profile> {
  const sandbox = await (how === 'attach' ? attachSandbox(invocation) : consultSandbox(invocation))
  return hidingSecret(invocation, await profileIn(sandbox, name, part))
}

/** The private key of the sandbox's service: it opens requests. Only of the sandbox can this key be known. */
export async function serviceKeyOf(
  invocation: Invocation,
  name: BuiltIn,
  part: 'orders' | 'wallet',
): Promise<KeyObject> {
  const { servicePrivateKey } = await integratorIn(await consultSandbox(invocation), name, part)
  return readPrivateKey(Buffer.from(servicePrivateKey), "the private key of the sandbox's service")
}

/** The same profile, its secret known to the redactor as soon as it is fetched. */
function hidingSecret({ output }: Invocation, profile: Profile): Profile {
  const clientSecret = async () => {
    const secret = await profile.clientSecret()
    output.redactor.hide(secret)
    return secret
  }
  return { ...profile, clientSecret }
}

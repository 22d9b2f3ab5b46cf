/**
 * The whole report of doctor: it looks, and changes nothing. Each part is looked at whatever the others found: the profile
 * with its secret, the service with its clock and certificate, then this machine.
 */
import { arch, platform } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { howMany } from '../../contract/core/text.ts'
import { Failure } from '../../failure.ts'
import { type Hint, hint } from '../../hint.ts'
import { freshTransport, shownCertificate } from '../../http/client.ts'
import { mendedBy } from '../../http/explain.ts'
import { type PlatformDirectories, places as placesIn } from '../../paths.ts'
import { chooseProfile, NoProfileNamed } from '../../profile/choose.ts'
import { partsOf } from '../../profile/parts.ts'
import { type Profile, resolveProfile } from '../../profile/profile.ts'
import { Profiles, storeNamed, UnknownProfile } from '../../profile/profiles.ts'
import { fetchSecret, sourceInWords, systemKeyring, uncheckedCertificates } from '../../profile/secret.ts'
import type { StoredProfile } from '../../profile/stored.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { lookAtHome, lookAtJournal, lookAtModes } from './machine.ts'
import { failureFinding, finding, findingInWords, type OpenFinding, type Report } from './report.ts'

interface LookedProfile {
  readonly found: readonly OpenFinding[]
  readonly name: string | null
  readonly environment: Profile['environment'] | null
  readonly stored: StoredProfile | null
  /** Its parts as far as they can be used, one for each address. */
  readonly parts: readonly Profile[]
}

/** Milliseconds for a keyring that may wait for a person. */
const keyringTime = 5_000

const nothing: Omit<LookedProfile, 'found'> = { name: null, environment: null, stored: null, parts: [] }

/** Throws credentials (4) for a profile that does not exist. `config`: the directory of the settings. */
async function lookAtProfile(flag: string | undefined, config: string, invocation: Invocation): Promise<LookedProfile> {
  const { edge, canAsk } = invocation
  const profiles = new Profiles(config)
  try {
    const choice = await chooseProfile({ flag, env: edge.env, atTerminal: canAsk }, profiles)
    if (choice.kind === 'stored') return await lookAtStored(choice.profile, invocation)
    const says = `${choice.name}: built in, no real money`
    return { ...nothing, name: choice.name, environment: 'sandbox', found: [finding('profile', 'good', says)] }
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof UnknownProfile) throw error
    // A profile is not needed here; a file that cannot be read is another matter.
    return { ...nothing, found: [failureFinding('profile', error, error instanceof NoProfileNamed ? 'unseen' : 'bad')] }
  }
}

async function lookAtStored(stored: StoredProfile, invocation: Invocation): Promise<LookedProfile> {
  const { env } = invocation.edge
  const parts: Profile[] = []
  const wrong: OpenFinding[] = []
  for (const part of partsOf(stored)) {
    try {
      parts.push(await resolveProfile(stored, env, part))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      wrong.push(failureFinding('profile', error))
    }
  }
  const names = partsOf(stored).join(', ') || 'no part of the service yet'
  const says = finding('profile', 'good', `${stored.name} (${stored.environment}): ${names}`)
  const { name, environment } = stored
  const all = [
    ...(wrong.length === 0 ? [says] : wrong),
    ...ofCertificates(stored, env),
    ...(await ofSecret(stored, invocation)),
  ]
  const addresses = new Map(parts.map((part) => [part.baseUrl, part]))
  return { name, environment, stored, parts: [...addresses.values()], found: all }
}

function ofCertificates(stored: StoredProfile, env: Invocation['edge']['env']): readonly OpenFinding[] {
  try {
    const unchecked = uncheckedCertificates(stored, env)
    return unchecked === null ? [] : [finding('tls', 'notice', unchecked)]
  } catch (error) {
    if (error instanceof Failure) return [failureFinding('tls', error)]
    throw error
  }
}

async function ofSecret(stored: StoredProfile, { edge: { env }, output }: Invocation): Promise<readonly OpenFinding[]> {
  if (stored.clientId === undefined) return []
  const source = sourceInWords(stored.clientSecret, env)
  if (source === null) return [finding('secret', 'unseen', 'not stored: a terminal asks for it')]
  try {
    const late = wait(keyringTime, null, { ref: false })
    const secret = await Promise.race([fetchSecret(stored, env, systemKeyring), late])
    if (secret === null)
      return [finding('secret', 'bad', `${source} does not answer`, hint`Unlock it, or keep the secret in a file.`)]
    output.redactor.hide(secret)
    return [finding('secret', 'good', `it can be read from ${source}`)]
  } catch (error) {
    if (error instanceof Failure) return [failureFinding('secret', error)]
    throw error
  }
}

/** Seconds by which the clocks may differ: the wallet's deadline leaves five, a token's end as many. */
const fine = 5
const bearable = 60
const day = 86_400_000

interface Limits {
  readonly connectTimeout: number
  readonly answerTimeout: number
  /** A line of --trace. */
  readonly trace: (line: string) => void
}

type Asked = Pick<Profile, 'baseUrl' | 'transport'>

/** One address of a profile. */
async function lookAtService(profile: Asked, invocation: Invocation, limits: Limits): Promise<readonly OpenFinding[]> {
  const { edge, signal } = invocation
  const { baseUrl, transport } = profile
  const request = { method: 'GET', path: '/', query: [], headers: {}, body: null } as const
  limits.trace(`> GET ${baseUrl}/`)
  const startedAt = edge.clock.now()
  const { connectTimeout, answerTimeout } = limits
  const sent = await freshTransport(transport)(baseUrl, request, { connectTimeout, answerTimeout, signal })
  const endedAt = edge.clock.now()
  signal.throwIfAborted()
  const tls = await ofTls(profile, edge.clock.now(), connectTimeout)
  if (sent.kind !== 'answered') {
    limits.trace(`< ${sent.kind}: ${sent.why}`)
    const next = hint`Check the network, the proxy and the address of the profile.`
    return [finding('service', 'bad', `${baseUrl} does not answer: ${sent.why}`, next), ...tls]
  }
  const { status, headers } = sent.answer
  limits.trace(`< ${status} date: ${headers.date ?? 'none'}`)
  const says = `${baseUrl} answers (HTTP ${status}, after ${endedAt - startedAt} ms)`
  return [finding('service', 'good', says), ofClock(headers.date, startedAt, endedAt), ...tls]
}

/** The header names whole seconds: on average it is half a second late. */
function ofClock(date: string | undefined, startedAt: number, endedAt: number): OpenFinding {
  const told = Date.parse(date ?? '')
  if (Number.isNaN(told)) return finding('clock', 'unseen', 'the service does not send its time')
  const doubt = (endedAt - startedAt) / 2 + 500
  const ahead = (startedAt + endedAt) / 2 - (told + 500)
  const seconds = Math.round(Math.abs(ahead) / 1000)
  if (Math.abs(ahead) <= fine * 1000 + doubt)
    return finding('clock', 'good', `within ${Math.max(1, Math.ceil(doubt / 1000))} s of the service's clock`)
  const verdict = Math.abs(ahead) <= bearable * 1000 + doubt ? 'notice' : 'bad'
  const says = `this machine's clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the service's`
  return finding(
    'clock',
    verdict,
    says,
    hint`Let the system set it (NTP): deadlines, daily limits and token ages depend on it.`,
  )
}

async function ofTls(
  { baseUrl, transport }: Asked,
  now: number,
  milliseconds: number,
): Promise<readonly OpenFinding[]> {
  const tls = (verdict: OpenFinding['verdict'], says: string, ...next: readonly Hint[]) => [
    finding('tls', verdict, says, ...next),
  ]
  const address = new URL(baseUrl)
  if (address.protocol !== 'https:') return tls('good', 'plain http, which does not leave this machine')
  if (transport.proxies?.httpsProxy)
    return tls('unseen', 'behind a proxy each request checks the certificate; it is not shown here')
  const shown = await shownCertificate(address, transport, milliseconds)
  if (!shown) return tls('unseen', `no certificate of ${address.host} was seen`)
  const { complaint, protocol, validTo } = shown
  if (complaint !== null) {
    const own = hint`If the service has its own certificate authority, name it with --ca-file in the profile.`
    return tls('bad', `the certificate of ${address.host} is not trusted: ${complaint}`, mendedBy(complaint) ?? own)
  }
  const days = Math.floor((validTo - now) / day)
  const says = `${protocol}, the certificate is trusted`
  if (days >= 14) return tls('good', `${says} for ${howMany(days, 'day')} more`)
  return tls('notice', `${says}, expires in ${howMany(days, 'day')}`, hint`The operator of the service must renew it.`)
}

/** The oldest Node that runs it, by package.json. */
const oldestNode = [20, 19]

const obeyed =
  /^(?:PAYDESK_[A-Z_]+|NODE_(?:OPTIONS|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|TZ|NO_COLOR|CLICOLOR_FORCE|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)$/

interface LookedOver {
  readonly report: Report
  readonly isDamaged: boolean
}

/** Throws credentials (4) for a profile that does not exist. */
export async function diagnoseAll(
  invocation: Invocation,
  flags: SharedFlags,
  directories: PlatformDirectories,
): Promise<LookedOver> {
  const { edge, version, naming, output } = invocation
  const { env } = edge
  const places = placesIn(env, directories)
  const home = env.PAYDESK_HOME ? resolve(env.PAYDESK_HOME) : null
  const profile = await lookAtProfile(flags.profile, places.config, invocation)
  const services: OpenFinding[] = []
  const limits = {
    connectTimeout: flags['connect-timeout'] ?? 5_000,
    answerTimeout: flags['answer-timeout'] ?? 10_000,
    trace: (line: string) => (flags.trace ? output.trace(line) : undefined),
  }
  for (const part of profile.parts) services.push(...(await lookAtService(part, invocation, limits)))
  const team = places.team ?? storeNamed(places.config, profile.name)?.address ?? null
  const journal = await lookAtJournal(places.journal, team, invocation)
  const all = [
    ofProgram(version),
    lookAtHome(places, home),
    ...lookAtModes(places, home, profile.stored),
    ...profile.found,
    ...services,
    ...journal.found,
  ]
  const report: Report = {
    healthy: all.every(({ verdict }) => verdict !== 'bad'),
    at: new Date(edge.clock.now()).toISOString(),
    version,
    node: process.version,
    system: `${platform()} ${arch()}`,
    profile: profile.name,
    environment: profile.environment,
    variables: Object.keys(env)
      .filter((name) => obeyed.test(name) && env[name])
      .toSorted(),
    findings: all.map((each) => findingInWords(each, naming)),
    payments: journal.payments,
    warnings: [],
  }
  return { report: output.redactor.cleanAll(report), isDamaged: journal.isDamaged }
}

function ofProgram(version: string): OpenFinding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [most = 0, least = 0] = oldestNode
  const says = `version ${version} on Node ${process.versions.node}`
  if (major > most || (major === most && minor >= least)) return finding('program', 'good', says)
  return finding('program', 'bad', `${says}, which is too old`, hint`Use Node ${oldestNode.join('.')} or newer.`)
}

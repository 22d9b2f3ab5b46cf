/**
 * `doctor`: a list of checks that look and change nothing. Each is made whatever the others found: the program, this machine,
 * the profile with its secret, the service with its clock and certificate, the journal.
 */
import { arch, platform } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { howMany } from '../../contract/core/text.ts'
import { Failure } from '../../failure.ts'
import { type Hint, hint } from '../../hint.ts'
import { freshTransport, shownCertificate } from '../../http/client.ts'
import { remedyFor } from '../../http/explain.ts'
import { type PlatformDirectories, places as placesIn } from '../../paths.ts'
import { chooseProfile, NoProfileNamed, type ProfileChoice } from '../../profile/choose.ts'
import { partsOf } from '../../profile/parts.ts'
import { type Profile, resolveProfile } from '../../profile/profile.ts'
import { Profiles, storeNamed, UnknownProfile } from '../../profile/profiles.ts'
import { fetchSecret, sourceInWords, systemKeyring, uncheckedCertificates } from '../../profile/secret.ts'
import type { StoredProfile } from '../../profile/stored.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { checkFiles, checkHome, checkJournal } from './machine.ts'
import { failureFinding, finding, findingInWords, findingsOf, type OpenFinding, type Report } from './report.ts'

/** The whole report, and whether the journal is damaged. Throws credentials (4) for a profile that does not exist. */
export async function diagnoseAll(
  invocation: Invocation,
  flags: SharedFlags,
  directories: PlatformDirectories,
): Promise<{ readonly report: Report; readonly isDamaged: boolean }> {
  const { edge, version, naming, output } = invocation
  const { env } = edge
  const places = placesIn(env, directories)
  const home = env.PAYDESK_HOME ? resolve(env.PAYDESK_HOME) : null
  const choice = await choiceOf(flags.profile, places.config, invocation)
  const stored = 'profile' in choice ? choice.profile : null
  const name = stored?.name ?? ('name' in choice ? choice.name : null)
  const team = places.team ?? storeNamed(places.config, name)?.address ?? null
  const found: OpenFinding[] = [checkProgram(version), checkHome(places, home), ...checkFiles(places, home, stored)]
  if (stored) found.push(...(await checkStored(stored, invocation, flags)))
  else if ('name' in choice) found.push(finding('profile', 'good', `${choice.name}: built in, no real money`))
  else if ('about' in choice) found.push(choice)
  const journal = await checkJournal(places.journal, team, invocation)
  found.push(...journal.found)
  const report: Report = {
    healthy: found.every(({ verdict }) => verdict !== 'bad'),
    at: new Date(edge.clock.now()).toISOString(),
    version,
    node: process.version,
    system: `${platform()} ${arch()}`,
    profile: name,
    environment: stored?.environment ?? (name === null ? null : 'sandbox'),
    variables: Object.keys(env)
      .filter((each) => obeyed.test(each) && env[each])
      .toSorted(),
    findings: found.map((each) => findingInWords(each, naming)),
    payments: journal.payments,
    warnings: [],
  }
  return { report: output.redactor.cleanAll(report), isDamaged: journal.isDamaged }
}

const obeyed =
  /^(?:PAYDESK_[A-Z_]+|NODE_(?:OPTIONS|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|TZ|NO_COLOR|CLICOLOR_FORCE|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)$/

/** The oldest Node that runs it, by package.json. */
const oldestNode = [20, 19]

function checkProgram(version: string): OpenFinding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [most = 0, least = 0] = oldestNode
  const says = `version ${version} on Node ${process.versions.node}`
  if (major > most || (major === most && minor >= least)) return finding('program', 'good', says)
  return finding('program', 'bad', `${says}, which is too old`, hint`Use Node ${oldestNode.join('.')} or newer.`)
}

// --- The profile

/** The profile that is meant, or the finding that says why there is none: it is not needed here. */
async function choiceOf(
  flag: string | undefined,
  config: string,
  { edge, canAsk }: Invocation,
): Promise<ProfileChoice | OpenFinding> {
  try {
    return await chooseProfile({ flag, env: edge.env, atTerminal: canAsk }, new Profiles(config))
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof UnknownProfile) throw error
    // A file that cannot be read is another matter.
    return failureFinding('profile', error, error instanceof NoProfileNamed ? 'unseen' : 'bad')
  }
}

async function checkStored(
  stored: StoredProfile,
  invocation: Invocation,
  flags: SharedFlags,
): Promise<readonly OpenFinding[]> {
  const { env } = invocation.edge
  const parts: Profile[] = []
  const wrong: OpenFinding[] = []
  for (const part of partsOf(stored)) {
    const failed = await findingsOf('profile', async () => {
      parts.push(await resolveProfile(stored, env, part))
      return []
    })
    wrong.push(...failed)
  }
  const names = partsOf(stored).join(', ') || 'no part of the service yet'
  const certificates = await findingsOf('tls', async () => {
    const unchecked = uncheckedCertificates(stored, env)
    return unchecked === null ? [] : [finding('tls', 'notice', unchecked)]
  })
  const services: OpenFinding[] = []
  for (const part of new Map(parts.map((each) => [each.baseUrl, each])).values())
    services.push(...(await checkService(part, invocation, flags)))
  return [
    ...(wrong.length > 0 ? wrong : [finding('profile', 'good', `${stored.name} (${stored.environment}): ${names}`)]),
    ...certificates,
    ...(stored.clientId === undefined ? [] : await findingsOf('secret', () => checkSecret(stored, invocation))),
    ...services,
  ]
}

/** Milliseconds for a keyring that may wait for a person. */
const keyringTime = 5_000

async function checkSecret(stored: StoredProfile, { edge: { env }, output }: Invocation) {
  const source = sourceInWords(stored.clientSecret, env)
  if (source === null) return [finding('secret', 'unseen', 'not stored: a terminal asks for it')]
  const late = wait(keyringTime, null, { ref: false })
  const secret = await Promise.race([fetchSecret(stored, env, systemKeyring), late])
  if (secret === null)
    return [finding('secret', 'bad', `${source} does not answer`, hint`Unlock it, or keep the secret in a file.`)]
  output.redactor.hide(secret)
  return [finding('secret', 'good', `it can be read from ${source}`)]
}

// --- The service

/** One address of a profile. */
async function checkService(
  { baseUrl, transport }: Profile,
  { edge, signal, output }: Invocation,
  flags: SharedFlags,
): Promise<readonly OpenFinding[]> {
  const trace = (line: string) => (flags.trace ? output.trace(line) : undefined)
  const limits = {
    connectTimeout: flags['connect-timeout'] ?? 5_000,
    answerTimeout: flags['answer-timeout'] ?? 10_000,
    signal,
  }
  const request = { method: 'GET', path: '/', query: [], headers: {}, body: null } as const
  trace(`> GET ${baseUrl}/`)
  const startedAt = edge.clock.now()
  const sent = await freshTransport(transport)(baseUrl, request, limits)
  const endedAt = edge.clock.now()
  signal.throwIfAborted()
  const tls = await checkCertificate(baseUrl, transport, edge.clock.now(), limits.connectTimeout)
  if (sent.kind !== 'answered') {
    trace(`< ${sent.kind}: ${sent.why}`)
    const next = hint`Check the network, the proxy and the address of the profile.`
    return [finding('service', 'bad', `${baseUrl} does not answer: ${sent.why}`, next), tls]
  }
  const { status, headers } = sent.answer
  trace(`< ${status} date: ${headers.date ?? 'none'}`)
  const says = `${baseUrl} answers (HTTP ${status}, after ${endedAt - startedAt} ms)`
  return [finding('service', 'good', says), checkClock(headers.date, startedAt, endedAt), tls]
}

/** Seconds by which the clocks may differ: the wallet's deadline leaves five, a token's end as many. */
const fine = 5
const bearable = 60

/** The header names whole seconds: on average it is half a second late. */
function checkClock(date: string | undefined, startedAt: number, endedAt: number): OpenFinding {
  const told = Date.parse(date ?? '')
  if (Number.isNaN(told)) return finding('clock', 'unseen', 'the service does not send its time')
  const doubt = (endedAt - startedAt) / 2 + 500
  const ahead = (startedAt + endedAt) / 2 - (told + 500)
  const seconds = Math.round(Math.abs(ahead) / 1000)
  if (Math.abs(ahead) <= fine * 1000 + doubt)
    return finding('clock', 'good', `within ${Math.max(1, Math.ceil(doubt / 1000))} s of the service's clock`)
  const verdict = Math.abs(ahead) <= bearable * 1000 + doubt ? 'notice' : 'bad'
  const says = `this machine's clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the service's`
  const next = hint`Let the system set it (NTP): deadlines, daily limits and token ages depend on it.`
  return finding('clock', verdict, says, next)
}

const day = 86_400_000

async function checkCertificate(
  baseUrl: string,
  transport: Profile['transport'],
  now: number,
  milliseconds: number,
): Promise<OpenFinding> {
  const tls = (verdict: OpenFinding['verdict'], says: string, ...next: readonly Hint[]) =>
    finding('tls', verdict, says, ...next)
  const address = new URL(baseUrl)
  if (address.protocol !== 'https:') return tls('good', 'plain http, which does not leave this machine')
  if (transport.proxies?.httpsProxy)
    return tls('unseen', 'behind a proxy each request checks the certificate; it is not shown here')
  const shown = await shownCertificate(address, transport, milliseconds)
  if (!shown) return tls('unseen', `no certificate of ${address.host} was seen`)
  const { complaint, protocol, validTo } = shown
  if (complaint !== null) {
    const own = hint`If the service has its own certificate authority, name it with --ca-file in the profile.`
    return tls('bad', `the certificate of ${address.host} is not trusted: ${complaint}`, remedyFor(complaint) ?? own)
  }
  const days = Math.floor((validTo - now) / day)
  const says = `${protocol}, the certificate is trusted`
  if (days >= 14) return tls('good', `${says} for ${howMany(days, 'day')} more`)
  return tls('notice', `${says}, expires in ${howMany(days, 'day')}`, hint`The operator of the service must renew it.`)
}

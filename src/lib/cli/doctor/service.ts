/** The service of a profile: does it answer, by which clock, and with which certificate? Nobody signs in for that. */
import { howMany } from '../../contract/core/text.ts'
import { hint } from '../../hint.ts'
import { freshTransport, shownCertificate } from '../../http/client.ts'
import { mendedBy } from '../../http/explain.ts'
import type { Profile } from '../../profile/profile.ts'
import type { Invocation } from '../invocation.ts'
import { finding, type OpenFinding } from './finding.ts'

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
export async function lookAtService(
  profile: Asked,
  invocation: Invocation,
  limits: Limits,
): Promise<readonly OpenFinding[]> {
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
  if (Number.isNaN(told)) return finding('clock', 'unseen', 'the service does not tell its time')
  const doubt = (endedAt - startedAt) / 2 + 500
  const ahead = (startedAt + endedAt) / 2 - (told + 500)
  const seconds = Math.round(Math.abs(ahead) / 1000)
  if (Math.abs(ahead) <= fine * 1000 + doubt)
    return finding('clock', 'good', `it agrees with the service's, to ${Math.max(1, Math.ceil(doubt / 1000))} s`)
  const verdict = Math.abs(ahead) <= bearable * 1000 + doubt ? 'notice' : 'bad'
  const says = `this machine's clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the service's`
  return finding(
    'clock',
    verdict,
    says,
    hint`Let the system set it (NTP). Deadlines, limits of a day and the ages of tokens go by it.`,
  )
}

async function ofTls(
  { baseUrl, transport }: Asked,
  now: number,
  milliseconds: number,
): Promise<readonly OpenFinding[]> {
  const address = new URL(baseUrl)
  if (address.protocol !== 'https:') return [finding('tls', 'good', 'plain http, which does not leave this machine')]
  if (transport.proxies?.httpsProxy)
    return [finding('tls', 'unseen', 'behind a proxy the certificate is checked by each request, and not shown here')]
  const shown = await shownCertificate(address, transport, milliseconds)
  if (!shown) return [finding('tls', 'unseen', `no certificate of ${address.host} was seen`)]
  const { complaint, protocol, validTo } = shown
  if (complaint !== null)
    return [
      finding(
        'tls',
        'bad',
        `the certificate of ${address.host} is not trusted: ${complaint}`,
        mendedBy(complaint) ?? hint`Where the service has an authority of its own, --ca-file of the profile names it.`,
      ),
    ]
  const days = Math.floor((validTo - now) / day)
  const says = `${protocol}, the certificate is trusted`
  if (days < 14)
    return [
      finding(
        'tls',
        'notice',
        `${says}, and ends in ${howMany(days, 'day')}`,
        hint`Whoever runs the service has to renew it.`,
      ),
    ]
  return [finding('tls', 'good', `${says} for ${howMany(days, 'day')} more`)]
}

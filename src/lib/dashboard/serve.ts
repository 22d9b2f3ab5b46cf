/**
 * The dashboard on the loopback. The token of its address becomes a cookie at the first visit, so that it stands in no history; the
 * Host header must name this machine (src/lib/http/host-check.ts), and nothing can be changed.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { HostCheckSettings } from '../http/host-check.ts'
import { type PageAsked, type ReadOnlyPage, type ServedPages, servePages, textPage } from '../http/server.ts'
import { dashboardMain, dashboardPage, type SeenStore } from './page.ts'

interface DashboardSettings extends Pick<HostCheckSettings, 'onTurnedAway'> {
  readonly port: number
  /** Unguessable, of letters that an address and a cookie take as they are. */
  readonly token: string
  /** A new one for each answer. */
  readonly nonce: () => string
  readonly see: () => Promise<SeenStore>
}

interface ServedDashboard extends ServedPages {
  /** The address that opens it, with the token. */
  readonly address: string
}

function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}

/** Browsers share cookies among the ports of a host: every port has its own name. */
const cookieAt = (port: number) => `paydesk-team-${port}`

function cookieIn({ headers }: PageAsked, name: string): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}

function guarded({ status, headers, text }: ReadOnlyPage, nonce: string | null): ReadOnlyPage {
  const own = nonce === null ? [] : [`script-src 'nonce-${nonce}'`, `style-src 'nonce-${nonce}'`, "connect-src 'self'"]
  const rest = ['img-src data:', "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'"]
  const always = {
    'content-security-policy': ["default-src 'none'", ...own, ...rest].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  }
  return { status, headers: { ...headers, ...always }, text }
}

const host = '127.0.0.1'

/** Throws Failure('usage') where the port is taken. */
export async function serveDashboard(settings: DashboardSettings): Promise<ServedDashboard> {
  const { port, token, nonce, see, onTurnedAway } = settings
  let served: ServedPages | null = null
  const page = async (asked: PageAsked): Promise<ReadOnlyPage> => {
    const name = cookieAt(served?.port ?? 0)
    const typed = asked.query.get('token')
    if (typed !== null && isSame(typed, token)) {
      const { headers, ...entered } = textPage(303, 'Come in.')
      const cookie = `${name}=${token}; Path=/; HttpOnly; SameSite=Strict`
      return guarded({ ...entered, headers: { ...headers, location: '/', 'set-cookie': cookie } }, null)
    }
    if (!isSame(cookieIn(asked, name), token))
      return guarded(
        textPage(403, 'The dashboard opens with the address that `paydesk team dashboard` has printed.'),
        null,
      )
    if (asked.path !== '/') return guarded(textPage(404, 'There is one page, at /.'), null)
    const seen = await see()
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    if (asked.headers['x-parts'] !== undefined)
      return guarded({ status: 200, headers, text: await dashboardMain(seen) }, null)
    const own = nonce()
    return guarded({ status: 200, headers, text: await dashboardPage(seen, own) }, own)
  }
  served = await servePages({ host, port, page, onTurnedAway })
  return { ...served, address: `${served.url}/?token=${token}` }
}

export const dashboardReadyResult = z
  .strictObject({
    event: z.literal('ready'),
    url: z.string().describe('With the token that opens it.'),
    pid: z.int(),
  })
  .describe('One line, as soon as it answers; the command ends with 130 or 143 when it is stopped.')

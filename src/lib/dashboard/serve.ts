import { z } from 'zod'
import { ownerPageHeaders } from '../html.ts'
import type { HostCheckSettings } from '../http/host-check.ts'
import { hasTokenCookie, isSameSecret, tokenCookie } from '../http/page-token.ts'
import { type ListeningServer, type PageAsked, type ReadOnlyPage, servePages, textPage } from '../http/server.ts'
import { dashboardMain, dashboardPage, type SeenStore } from './page.ts'

interface DashboardSettings extends Pick<HostCheckSettings, 'onTurnedAway'> {
  readonly port: number
  /** Unguessable, of letters that an address and a cookie take as they are. */
  readonly token: string
  /** A new one for each answer. */
  readonly nonce: () => string
  readonly see: () => Promise<SeenStore>
}

interface ServedDashboard extends ListeningServer {
  /** The address that opens it, with the token. */
  readonly address: string
}

function guarded({ status, headers, text }: ReadOnlyPage, nonce: string | null): ReadOnlyPage {
  return { status, headers: { ...ownerPageHeaders(nonce, false), ...headers }, text }
}

const host = '127.0.0.1'

/** Throws Failure('usage') where the port is taken. */
export async function serveDashboard(settings: DashboardSettings): Promise<ServedDashboard> {
  const { port, token, nonce, see, onTurnedAway } = settings
  let served: ListeningServer | null = null
  const page = async (asked: PageAsked): Promise<ReadOnlyPage> => {
    const place = { name: 'paydesk-team', port: served?.port ?? 0, token }
    const typed = asked.query.get('token')
    if (typed !== null && isSameSecret(typed, token)) {
      const { headers, ...entered } = textPage(303, 'Come in.')
      return guarded(
        { ...entered, headers: { ...headers, location: '/', 'set-cookie': tokenCookie(place, '/') } },
        null,
      )
    }
    if (!hasTokenCookie(asked.headers.cookie, place))
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

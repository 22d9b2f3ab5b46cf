/** Pages as HTTP answers: never kept, never in a frame, without scripts, with nothing from elsewhere. */
import type { html } from 'hono/html'
import type { HttpAnswer } from '../../wire/message.ts'
import { styleHash } from './pages/style.ts'
import { withoutReordering } from './reordering.ts'

export type Html = ReturnType<typeof html>

const policy = [
  "default-src 'none'",
  `style-src ${styleHash}`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  // Not `no-referrer`: browsers would then send forms with the origin `null`.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

export async function pageAnswer(status: number, page: Html): Promise<HttpAnswer> {
  const body = withoutReordering(String(await page))
  return { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body }
}

/** After a form that changed something: the browser fetches the page anew, so that reloading sends nothing twice. */
export function seeOther(location: string): HttpAnswer {
  return { status: 303, headers: { ...headers, location }, body: '' }
}

/**
 * True if a form came from one of these pages. Browsers say so in one of two headers, and pages of other sites cannot forge
 * them; a program that sends neither is no browser.
 */
export function isFromHere({ host, origin, 'sec-fetch-site': site }: HttpAnswer['headers']): boolean {
  if (site !== undefined && site !== 'same-origin') return false
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}

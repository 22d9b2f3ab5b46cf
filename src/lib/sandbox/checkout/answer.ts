/** Pages as HTTP answers: never kept, never in a frame, with nothing from elsewhere, and no script but the page's own. */
import { createHash } from 'node:crypto'
import type { html } from 'hono/html'
import type { HttpAnswer } from '../../http/message.ts'
import { visiblePage } from '../../visible.ts'
import { checkoutStyle } from './style.ts'

export type Html = ReturnType<typeof html>

/** The content security policy allows this text and no other. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

const styleHash = hashOf(checkoutStyle)

function headersFor(script: string | null) {
  const policy = [
    "default-src 'none'",
    ...(script === null ? [] : [`script-src ${hashOf(script)}`]),
    `style-src ${styleHash}`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    // Not `no-referrer`: browsers would then send forms with the origin `null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
}

/** `script` is the one that stands on the page; null for a page without. */
export async function pageAnswer(status: number, page: Html, script: string | null): Promise<HttpAnswer> {
  const body = visiblePage(String(await page))
  return { status, headers: { ...headersFor(script), 'content-type': 'text/html; charset=utf-8' }, body }
}

/** After a form that changed something: the browser fetches the page anew, so that reloading sends nothing twice. */
export function seeOther(location: string): HttpAnswer {
  return { status: 303, headers: { ...headersFor(null), location }, body: '' }
}

/**
 * True if a form came from one of these pages. Browsers say so in one of two headers, and pages of other sites cannot forge
 * them; a program that sends neither is no browser.
 */
export function isFromHere({ host, origin, 'sec-fetch-site': site }: HttpAnswer['headers']): boolean {
  if (site !== undefined && site !== 'same-origin') return false
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}

/** The window of the sandbox at /_sandbox: the visitors it admits, and the answer of each address. */
import type { Context, Hono } from 'hono'
import { Failure } from '../../failure.ts'
import { hintInWords } from '../../hint.ts'
import { visiblePage } from '../../visible.ts'
import { readBody } from '../server/body.ts'
import type { Env, SandboxPage, WindowSettings } from '../server/page.ts'
import type { Service } from '../service.ts'
import { acts, type WindowSandbox } from './act.ts'
import { cookieFor, isLoopbackHost, judgeVisit } from './guard.ts'
import { live } from './live.ts'
import { see, wanted } from './look.ts'
import { page, pageParts } from './sections/page.ts'

const home = '/_sandbox'

function policy(nonce: string | null): string {
  const own = nonce === null ? [] : [`script-src 'nonce-${nonce}'`, `style-src 'nonce-${nonce}'`, "connect-src 'self'"]
  const rest = ['img-src data:', "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"]
  return ["default-src 'none'", ...own, ...rest].join('; ')
}

function headers(nonce: string | null, type: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy(nonce),
    'content-type': type,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

function sentence(status: number, words: string): Response {
  return new Response(`${words}\n`, { status, headers: headers(null, 'text/plain; charset=utf-8') })
}

/** A Failure in one sentence, with what to do next. */
function sentences({ message, facts }: Failure): string {
  const said = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`
  return [`${said}${/[.!?”]$/.test(said) ? '' : '.'}`, ...(facts.hints ?? []).map((each) => hintInWords(each))].join(
    ' ',
  )
}

async function acted(c: Context<Env>, sandbox: WindowSandbox): Promise<Response> {
  const act = acts[c.req.path.slice(home.length + 1)]
  if (!act) return sentence(404, 'There is nothing to be done there.')
  const body = await readBody(c.env.incoming)
  if (body.kind !== 'text') return sentence(413, 'That is too much.')
  try {
    return sentence(200, await act(sandbox, new URLSearchParams(body.text ?? '')))
  } catch (error) {
    if (error instanceof Failure) return sentence(422, sentences(error))
    throw error
  }
}

/** The address is cleaned: it would stay in the history, and be copied. */
function entered(port: number, token: string): Response {
  const answer = sentence(303, 'Come in.')
  answer.headers.set('location', home)
  answer.headers.set('set-cookie', cookieFor(port, token))
  return answer
}

/** The address of the window for a browser on this machine; null where the server cannot be reached from the loopback. */
export function windowAddress(url: string, { token }: WindowSettings): string | null {
  return isLoopbackHost(new URL(url).hostname) ? `${url}${home}?token=${token}` : null
}

function mountWindow(app: Hono<Env>, sandbox: WindowSandbox, { token, nonce, script }: WindowSettings): void {
  app.all(`${home}/*`, async (c) => {
    const { socket } = c.env.incoming
    const port = socket.localPort ?? 0
    const { host, origin, cookie } = c.req.header()
    const visit = {
      method: c.req.method,
      peer: socket.remoteAddress,
      host,
      origin,
      cookie,
      token: c.req.query('token'),
    }
    const judged = judgeVisit(visit, port, token)
    if (!judged.ok) return sentence(403, judged.why)
    if (judged.enters) return entered(port, token)
    if (c.req.method === 'POST') return await acted(c, sandbox)
    if (c.req.method !== 'GET') return sentence(405, 'The window takes GET and POST.')
    if (c.req.path === `${home}/live`) return live(c, sandbox)
    if (c.req.path !== home) return sentence(404, 'There is no such page.')
    const { origin: base, searchParams } = new URL(c.req.url)
    const seen = await see(sandbox, wanted(searchParams), base)
    // The script of a page asks for the parts alone.
    const own = c.req.header('x-parts') === undefined ? nonce() : null
    const text = await (own === null ? pageParts(seen) : page(seen, own, await script()))
    return new Response(visiblePage(String(text)), { headers: headers(own, 'text/html; charset=utf-8') })
  })
}

/** The window on a server, if it is opened. */
export function windowPage(service: Service, trigger: WindowSandbox['trigger']): SandboxPage {
  return (app, { window }) => {
    if (window) mountWindow(app, { ...service, trigger }, window)
  }
}

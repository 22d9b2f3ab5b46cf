/** The console of the sandbox at /_sandbox: who may look, what each address answers, what each form does. */
import { momentOfValidUntil } from '../../contract/date.ts'
import { Failure } from '../../failure.ts'
import { hintInWords } from '../../hint.ts'
import { ownerPageHeaders } from '../../html.ts'
import { isLoopbackAddress, isLoopbackHost, plainAddress } from '../../http/host-check.ts'
import type { HttpAnswer } from '../../http/message.ts'
import { hasTokenCookie, isSameSecret, tokenCookie } from '../../http/page-token.ts'
import { changeMark } from '../../store/sandbox/requests.ts'
import { type ClockState, localMoment, readLongTime, serviceZone } from '../clock.ts'
import { faultKinds, faultPlaces, faultsCleared, waitUnlessGone } from '../faults.ts'
import type { Sandbox } from '../sandbox.ts'
import { readBody } from '../server/exchange.ts'
import type { ConsoleSettings, PageRequest, SandboxPage } from '../server/server.ts'
import { triggers } from '../trigger.ts'
import { faultPresets, loadPageState, page, pageParts, readQuery } from './page.ts'

type Action = (sandbox: Sandbox, given: URLSearchParams) => Promise<string>

function clockInWords({ now }: ClockState): string {
  return `It is ${localMoment(now).slice(0, 19).replace('T', ' ')} at the service (${serviceZone}).`
}

/** One of the words a form may choose from. */
function oneOf<Word extends string>(words: readonly Word[], given: string | null, what: string): Word {
  const word = words.find((each) => each === given)
  if (word === undefined) throw new Failure('usage', `${what} is one of ${words.join(', ')}`)
  return word
}

function count(given: URLSearchParams, name: string): number | undefined {
  const text = given.get(name)
  return text === null || text === '' ? undefined : Number(text)
}

function time(text: string | null): number {
  const milliseconds = readLongTime(text ?? '')
  if (milliseconds !== null) return milliseconds
  throw new Failure('usage', `A time is a number with a unit like 90s, 5m, 24h or 31d, not “${text ?? ''}”`)
}

const actions: Readonly<Record<string, Action>> = {
  'clock/advance': async (sandbox, given) => {
    const milliseconds = time(given.get('by'))
    return clockInWords(await sandbox.moveClock((now) => now + milliseconds))
  },
  'clock/set': async (sandbox, given) => {
    const to = (given.get('to') ?? '').trim()
    const moment = momentOfValidUntil(to)
    if (moment === null) throw new Failure('usage', `A moment is yyyy-MM-dd HH:mm:ss in Tbilisi time, not “${to}”`)
    return clockInWords(await sandbox.moveClock(() => moment))
  },
  'fault/add': async (sandbox, given) => {
    const fault = await sandbox.faults.add({
      op: given.get('op') ?? '',
      at: oneOf(faultPlaces, given.get('at'), 'The place of a fault'),
      kind: oneOf(faultKinds, given.get('kind'), 'The kind of a fault'),
      nth: count(given, 'nth'),
      times: count(given, 'times'),
      perMille: count(given, 'perMille'),
      delay: given.get('delay') ? time(given.get('delay')) : undefined,
      above: given.get('above') || undefined,
    })
    return `The fault waits: ${fault.op}, ${fault.kind} ${fault.at} it is executed.`
  },
  'fault/clear': async (sandbox, given) => {
    const cleared = await sandbox.faults.clear(given.get('id') ?? undefined)
    return faultsCleared(cleared)
  },
  'fault/preset': async (sandbox, given) => {
    const chosen = faultPresets.find(({ name }) => name === given.get('preset'))
    if (!chosen) throw new Failure('usage', `A preset is one of ${faultPresets.map(({ name }) => name).join(', ')}`)
    const { at, kind, delay } = chosen
    const { op } = await sandbox.faults.add({ op: given.get('op') ?? '', at, kind, delay })
    return `The fault waits for the next ${op}: ${chosen.promise}.`
  },
  'callback/resend': async (sandbox, given) => {
    const which = Number(given.get('callback') ?? Number.NaN)
    const again = { what: 'callback', order: given.get('order') ?? '', duplicate: true, which } as const
    const [sent] = (await sandbox.trigger(again)).callbacks
    if (!sent) throw new Failure('refused', 'nothing was sent')
    return sent.why === null ? `It is sent again, as callback ${sent.id}.` : `Callback ${sent.id} is ${sent.why}.`
  },
  trigger: async (sandbox, given) => {
    const what = oneOf(triggers, given.get('what'), 'What happens')
    const card = what === 'paid' ? given.get('card') : null
    const amount = what === 'refunded' ? (given.get('amount') ?? '').trim() : ''
    const more = { ...(card === null ? {} : { card }), ...(amount === '' ? {} : { amount }) }
    const played = await sandbox.trigger({ what, order: given.get('order') ?? '', ...more })
    const why = played.failReason === null ? '' : `: ${played.failReason}`
    return `The order is ${played.status}${why}.`
  },
}

// The right to look into the sandbox: a browser on this machine that has the token. A page on the internet can make a
// browser send requests to 127.0.0.1, and can even give its own name that address; so the name in the Host header
// counts, and for whatever changes something the origin does too.

export interface ConsoleVisit {
  readonly method: string
  /** Address of the other end of the connection. */
  readonly peer: string | undefined
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly cookie: string | undefined
  /** The token of the address, if it has one. */
  readonly token: string | undefined
}

const consoleToken = (port: number, token: string) => ({ name: 'paydesk-console', port, token })

type Judgement =
  /** `enters`: with the token in the address, which is to become a cookie. */
  { readonly ok: true; readonly enters: boolean } | { readonly ok: false; readonly why: string }

/** This server speaks one of the two: a page of the other scheme has another host or port. */
function isOwnOrigin({ origin, host }: ConsoleVisit): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}

export function judgeVisit(visit: ConsoleVisit, port: number, token: string): Judgement {
  const no = (why: string): Judgement => ({ ok: false, why })
  if (!isLoopbackAddress(plainAddress(visit.peer ?? ''))) {
    return no('The console of the sandbox opens on its own machine only.')
  }
  if (!isLoopbackHost(visit.host ?? '')) {
    return no('The console of the sandbox has no other address than 127.0.0.1 or localhost.')
  }
  const isEntry = visit.method === 'GET' && visit.token !== undefined && isSameSecret(visit.token, token)
  if (!isEntry && !hasTokenCookie(visit.cookie, consoleToken(port, token))) {
    return no('The console opens with the address that `paydesk sandbox start` has printed, token included.')
  }
  if (visit.method !== 'GET' && !isOwnOrigin(visit)) {
    return no('The console takes requests from its own pages only.')
  }
  return { ok: true, enters: isEntry }
}

// Tells a console that something has changed, be it by this process, a command in another one, or the time that
// passed. The store is asked four times a second, for as long as the console is open.

/** Milliseconds between two looks: real ones, whatever the sandbox's clock shows. */
const pause = 250
/** A line that says nothing, every so many looks: a browser that went away is noticed. */
const looksPerSign = 60

async function streamChanges({ outgoing, closing }: PageRequest, sandbox: Sandbox): Promise<void> {
  outgoing.writeHead(200, headers(null, 'text/event-stream'))
  try {
    let before: string | null = null
    for (let looks = 0; ; looks += 1) {
      const mark = await sandbox.read(changeMark)
      if (mark !== before) outgoing.write('event: changed\ndata: \n\n')
      else if (looks % looksPerSign === 0) outgoing.write('event: sign\ndata: \n\n')
      before = mark
      if (!(await waitUnlessGone(pause, closing, outgoing))) break
    }
  } catch {
    // The sandbox was closed meanwhile: the stream ends, and the browser says so.
  }
  outgoing.end()
}

const home = '/_sandbox'

function headers(nonce: string | null, type: string): Record<string, string> {
  return { ...ownerPageHeaders(nonce, true), 'content-type': type }
}

function plainAnswer(status: number, words: string, more: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers: { ...headers(null, 'text/plain; charset=utf-8'), ...more }, body: `${words}\n` }
}

/** A Failure in one sentence, with what to do next. */
function failureInWords({ message, facts }: Failure): string {
  const said = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`
  return [`${said}${/[.!?”]$/.test(said) ? '' : '.'}`, ...(facts.hints ?? []).map((each) => hintInWords(each))].join(
    ' ',
  )
}

async function runAction({ incoming, path }: PageRequest, sandbox: Sandbox): Promise<HttpAnswer> {
  const action = actions[path.slice(home.length + 1)]
  if (!action) return plainAnswer(404, 'There is nothing to be done there.')
  const body = await readBody(incoming)
  if (body.kind !== 'text') return plainAnswer(413, 'That is too much.')
  try {
    return plainAnswer(200, await action(sandbox, new URLSearchParams(body.text ?? '')))
  } catch (error) {
    if (error instanceof Failure) return plainAnswer(422, failureInWords(error))
    throw error
  }
}

async function answerConsole(
  asked: PageRequest,
  sandbox: Sandbox,
  { token, nonce, script }: ConsoleSettings,
): Promise<HttpAnswer | 'sent'> {
  const { incoming, method, path, query } = asked
  const { socket, headers: sent } = incoming
  const { host, origin, cookie } = sent
  const port = socket.localPort ?? 0
  const visit = { method, peer: socket.remoteAddress, host, origin, cookie, token: query.get('token') ?? undefined }
  const judged = judgeVisit(visit, port, token)
  if (!judged.ok) return plainAnswer(403, judged.why)
  // The address is cleaned: it would stay in the history, and be copied.
  const entry = { location: home, 'set-cookie': tokenCookie(consoleToken(port, token), home) }
  if (judged.enters) return plainAnswer(303, 'Come in.', entry)
  if (method === 'POST') return await runAction(asked, sandbox)
  if (method !== 'GET') return plainAnswer(405, 'The console takes GET and POST.')
  if (path === `${home}/live`) {
    await streamChanges(asked, sandbox)
    return 'sent'
  }
  if (path !== home) return plainAnswer(404, 'There is no such page.')
  const base = `${'encrypted' in socket ? 'https' : 'http'}://${host}`
  const seen = await loadPageState(sandbox, readQuery(query), base)
  // The script of a page asks for the parts alone.
  const own = sent['x-parts'] === undefined ? nonce() : null
  const body = await (own === null ? pageParts(seen) : page(seen, own, await script()))
  return { status: 200, headers: headers(own, 'text/html; charset=utf-8'), body }
}

export function consolePage(sandbox: Sandbox): SandboxPage {
  return {
    answer: async (asked) => {
      const { console: opened } = asked.settings
      if (!opened || (asked.path !== home && !asked.path.startsWith(`${home}/`))) return null
      return await answerConsole(asked, sandbox, opened)
    },
  }
}

/**
 * The courier of a running sandbox. A few times a second, and after every request, it makes the moves that are due and
 * sends the callbacks that are due: several at once, one at a time for each order, so that they arrive in their order
 * unless one had to be repeated.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { jsonHeaders } from '../client/answer.ts'
import { callbackRetries, callbackTimeout } from '../contract/assumed.ts'
import { cardTokensIn, mask, withoutSecrets } from '../contract/mask.ts'
import type { Clock } from '../edge.ts'
import type { Transmission, Transport } from '../http/client.ts'
import { readJson, writeJson } from '../json.ts'
import { addRow, changeRows, dueRows, findRow, listRows } from '../store/sandbox/rows.ts'
import type { Row, SandboxReader, SandboxWriter } from '../store/sandbox/schema.ts'
import { shortened } from '../text.ts'
import { localMoment } from './clock.ts'
import { type HandlerContext, readUpToDate } from './handler.ts'

/** The moment of the next attempt after so many that failed; null where it is given up. */
function nextAttempt(failed: number, now: number): number | null {
  const seconds = callbackRetries[failed - 1]
  return seconds === undefined ? null : now + seconds * 1000
}

function jsonWithoutSecrets(text: string): string {
  try {
    const value = readJson(text)
    const kept = writeJson(withoutSecrets(value))
    // To the letter, where there was nothing to hide.
    return kept === writeJson(value) ? text : kept
  } catch {
    return text
  }
}

/**
 * A receiver's reply as it is stored: its beginning, without secrets. `plain` is what the callback said, which the reply may
 * quote, the token of a card among it.
 */
function maskedReply(reply: string, plain: string): string {
  const tokens = cardTokensIn(readJson(plain)).flatMap((token) => [token, token.toUpperCase()])
  return shortened(tokens.reduce((text, token) => text.replaceAll(token, mask), jsonWithoutSecrets(reply)))
}

/** An attempt as the terminal of `sandbox start` shows it. */
export interface Attempted {
  readonly id: string
  readonly kind: Row<'callbacks'>['kind']
  readonly url: string
  readonly state: Row<'callbacks'>['state']
  readonly http: number | null
  readonly why: string | null
  /** The time of the next try, by the sandbox's clock. */
  readonly nextAt: number | null
}

/** Only 200 is the answer that is documented: a receiver that answers 204 here might be called again in life. */
function whyNot(delivery: Transmission): string | null {
  if (delivery.kind !== 'answered') return delivery.why
  const { status } = delivery.answer
  if (status === 200) return null
  return status >= 300 && status < 400 ? `answered ${status}: no redirect is followed` : `answered ${status}, not 200`
}

type Outcome = Omit<Row<'callback_attempts'>, 'callback_id' | 'number'>

/** Writes an attempt down. Null where a new world has begun meanwhile. */
async function noteAttempt(
  db: SandboxWriter,
  { callback_id, kind, url }: Row<'callbacks'>,
  outcome: Outcome,
  now: number,
): Promise<Attempted | null> {
  if (!(await findRow(db, 'callbacks', { callback_id }))) return null
  const number = (await listRows(db, 'callback_attempts', { callback_id })).length + 1
  await addRow(db, 'callback_attempts', { callback_id, number, ...outcome })
  const nextAt = outcome.why === null ? null : nextAttempt(number, now)
  const state = outcome.why === null ? 'delivered' : nextAt === null ? 'given-up' : 'waiting'
  await changeRows(db, 'callbacks', { callback_id }, { state, due: nextAt })
  return { id: String(callback_id), kind, url, state, http: outcome.http, why: outcome.why, nextAt }
}

function postCallback(
  transport: Transport,
  { url, body }: Row<'callbacks'>,
  signal: AbortSignal,
): Promise<Transmission> {
  const { protocol, host, pathname, search } = new URL(url)
  const limit = callbackTimeout * 1000
  const headers = { ...jsonHeaders, 'user-agent': 'paydesk-sandbox' }
  // The query as it was given: taken apart and put together again it could be another one.
  const request = { method: 'POST', path: pathname + search, query: [], headers, body } as const
  return transport(`${protocol}//${host}`, request, { connectTimeout: limit, answerTimeout: limit, signal })
}

/**
 * Tries it once. Null where there was nothing to send, or where the signal came before the end: the callback is due until an
 * attempt is written down, so that it is sent at least once, whatever is killed.
 */
async function deliver(
  context: () => Promise<HandlerContext>,
  id: number,
  transport: Transport,
  signal: AbortSignal,
): Promise<Attempted | null> {
  const { store, clock } = await context()
  const time = clock.now()
  const callback = await store.ask((db) => findRow(db, 'callbacks', { callback_id: id }))
  if (!callback || callback.due === null || callback.due > time) return null
  const delivery = await postCallback(transport, callback, signal)
  const answered = delivery.kind === 'answered'
  if (signal.aborted && !answered) return null
  const outcome = {
    ...{ time, why: whyNot(delivery), http: answered ? delivery.answer.status : null },
    milliseconds: answered ? delivery.milliseconds : clock.now() - time,
    reply: answered ? maskedReply(delivery.answer.body, callback.plain) : null,
  }
  // Asked anew: the sandbox's clock may have been moved meanwhile.
  const now = (await context()).clock.now()
  return await store.write((db) => noteAttempt(db, callback, outcome, now))
}

/** Milliseconds between two looks: another process may have moved the clock, or have caused a callback. */
const pause = 250
const mostAtOnce = 8

export interface CourierSettings {
  /** The machine's: what is waited between two looks. */
  readonly clock: Clock
  readonly transport: Transport
  /** Hears of every attempt. */
  readonly onAttempt?: ((attempted: Attempted) => void) | undefined
  /** Hears why nothing can be looked up or written at the moment; once, however often that is found. */
  readonly onTrouble?: ((why: string) => void) | undefined
}

export interface Courier {
  /** Looks at once. */
  wake(): void
  /** Breaks off what is under way: it is sent again by the next courier. */
  close(): Promise<void>
}

const waitingCallbacks = (db: SandboxReader, now: number) => dueRows(db, 'callbacks', now)

export function startCourier(context: () => Promise<HandlerContext>, settings: CourierSettings): Courier {
  const { clock, transport, onAttempt, onTrouble } = settings
  const stop = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  let nap = new AbortController()
  let trouble: string | null = null

  const troubled = (error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    if (why !== trouble) onTrouble?.(why)
    trouble = why
  }

  const send = async (order: string, id: number) => {
    try {
      const attempted = await deliver(context, id, transport, stop.signal)
      if (attempted) onAttempt?.(attempted)
      // Perhaps the next one of this order is due. Not after trouble: that would be asked again without a pause.
      nap.abort()
    } catch (error) {
      troubled(error)
    } finally {
      underWay.delete(order)
    }
  }

  const look = async () => {
    for (const { order_id, callback_id } of await readUpToDate(await context(), waitingCallbacks)) {
      if (underWay.size >= mostAtOnce || stop.signal.aborted) break
      if (!underWay.has(order_id)) underWay.set(order_id, send(order_id, callback_id))
    }
  }

  const rounds = async () => {
    while (!stop.signal.aborted) {
      nap = new AbortController()
      // A store answers without a turn of the event loop, and so may a clock that does not wait: signals want theirs.
      await turn()
      await look().catch(troubled)
      await clock.sleep(pause, nap.signal).catch(() => undefined)
    }
  }

  const done = rounds()
  return {
    wake: () => nap.abort(),
    close: async () => {
      stop.abort()
      nap.abort()
      await done
      await Promise.all(underWay.values())
    },
  }
}

/** RFC 2606: four endings (`.localhost` is this machine, and is called) and the second-level names for examples. */
const reserved = /(^|\.)(example|invalid|test|example\.(com|net|org))$/

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '')
}

/** True of an address whose host is a name for examples and tests, which leads nowhere. */
export const isReservedName = (url: string): boolean => reserved.test(hostOf(url))

/** The reason why nothing is sent to this address; null where it may be called. */
export function whyNeverCalled(url: string): string | null {
  const host = hostOf(url)
  return isReservedName(url) ? `not sent: ${host} is a name for examples (RFC 2606), which nobody has` : null
}

/** True if the address is on this machine, by its name alone. */
export function isOnThisMachine(url: string): boolean {
  const host = hostOf(url)
  return host === '[::1]' || /(^|\.)localhost$/.test(host) || /^127(\.\d+){3}$/.test(host)
}

/** One attempt, in one line. It names the other machine, because a sandbox seldom means to call one. */
export function attemptInWords({ id, kind, url, http, why, state, nextAt }: Attempted): string {
  const where = isOnThisMachine(url) ? url : `${url} (another machine)`
  const next = nextAt === null ? '' : `, again at ${localMoment(nextAt).slice(0, 19)}`
  const end = state === 'given-up' ? ', given up' : next
  return `POST ${where}  callback ${id}, ${kind}  ${why ?? http}${end}`
}

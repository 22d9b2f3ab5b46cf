/** The listener: receives, opens, forwards, and tells of it. One at a time for a store, so that nothing is forwarded twice. */
import { once } from 'node:events'
import type { Webhook } from 'standardwebhooks'
import type { Clock, Random } from '../edge.ts'
import type { NamedKey } from '../envelope/envelope.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import type { Relay } from '../http/client.ts'
import type { ResultOf } from '../result.ts'
import { withLock } from '../store/engine/lock.ts'
import type { CallbackStore } from './callbacks.ts'
import type { CallbackEntry } from './entry.ts'
import { Forwarder, type ForwardNews, type TargetNews, waitForSlot } from './forwarder.ts'
import { maskedText } from './mask.ts'
import { openBody, signatureInWords, verify } from './open.ts'
import { headersOf, isMarkedBy, type RawCallback } from './raw.ts'
import { type Refused, receive } from './receive.ts'
import type { callbackEventResult, listenerReady } from './result.ts'

interface ListenSettings {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly allowHosts?: readonly string[] | undefined
  readonly profile: string | null
  readonly keys: readonly NamedKey[]
  readonly webhook: Webhook | null
  /** Null where nothing is forwarded. */
  readonly forward: {
    readonly target: string
    readonly relay: Relay
    readonly limits: { readonly connectTimeout: number; readonly answerTimeout: number }
  } | null
  readonly clock: Clock
  readonly random: Random
  readonly signal: AbortSignal
  /** Warnings to print as soon as it runs. */
  readonly warnings: readonly string[]
}

/** The one line that a program waits for before it has anything sent. */
export type ListenerReady = ResultOf<typeof listenerReady>

/** Everything that is told while it runs. */
export type ListenerEvent = ResultOf<typeof callbackEventResult>

/** Reports of its steps while it runs. An error that one of them throws ends the listener. */
export interface Listening {
  readonly onReady: (ready: ListenerReady) => Promise<void>
  readonly onCallback: (entry: CallbackEntry) => Promise<void>
  readonly onForwarded: (news: ForwardNews) => Promise<void>
  readonly onTarget: (news: TargetNews) => Promise<void>
  readonly onRefused: (refused: Refused) => void
}

/** The path as it is compared, with the slash that people leave out. */
export function tidyPath(typed: string): string {
  if (/[?#\s]/.test(typed)) throw new Failure('usage', `--path takes a path like /callback, not "${typed}"`)
  return typed.startsWith('/') ? typed : `/${typed}`
}

async function readyAt(
  url: string,
  callbacks: CallbackStore,
  { forward, warnings }: ListenSettings,
): Promise<ListenerReady> {
  const counts = await callbacks.waiting()
  const forwardTo = forward?.target ?? null
  const others = counts.filter(({ target }) => target !== forwardTo)
  const left = others.map(
    ({ target, count }) =>
      `${count} undelivered for ${maskedText(target)}: ${count === 1 ? 'it goes' : 'they go'} when --forward-to names that address again`,
  )
  const waiting = counts.find(({ target }) => target === forwardTo)?.count ?? 0
  const shown = forwardTo && maskedText(forwardTo)
  return { event: 'ready', url, pid: process.pid, forwardTo: shown, waiting, warnings: [...warnings, ...left] }
}

/** Tells once that what is forwarded comes back. */
function loopDetector(mark: string, { forward }: ListenSettings, { onTarget }: Listening) {
  let isReported = false
  return async ({ headers }: RawCallback): Promise<void> => {
    if (!forward || isReported || !isMarkedBy(mark, headers)) return
    isReported = true
    const why = 'callbacks sent there come back to this listener; they are stored but not forwarded again'
    await onTarget({ target: maskedText(forward.target), state: 'itself', why, waiting: 0 })
  }
}

async function listenAlone(callbacks: CallbackStore, settings: ListenSettings, reports: Listening): Promise<void> {
  const { profile, forward, keys, webhook, clock, random, host, port, path, allowHosts } = settings
  const ended = new AbortController()
  const signal = AbortSignal.any([settings.signal, ended.signal])
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => undefined)
  const mark = random.uuid()
  const forwarder = forward && new Forwarder(callbacks, { ...forward, ...reports, mark, keys, clock, random, signal })
  const opener = startOpener(callbacks, {
    ...{ keys, webhook, clock, signal, onTrouble: fail },
    onOpened: reports.onCallback,
  })
  const tellOfCircle = loopDetector(mark, settings, reports)
  const take: Parameters<typeof receive>[0]['take'] = async (raw) => {
    await callbacks.receive(raw, { profile, target: forward?.target ?? null, mark })
    setImmediate(() => {
      opener.wake()
      forwarder?.wake()
      tellOfCircle(raw).catch(fail)
    })
  }
  const { onRefused } = reports
  const receiver = await receive({ host, port, path, allowHosts, now: () => clock.now(), take, onRefused })
  let forwarding: Promise<void> | undefined
  try {
    await reports.onReady(await readyAt(receiver.url, callbacks, settings))
    forwarding = forwarder?.run().catch(fail)
    // Callbacks that a killed listener has left.
    opener.wake()
    const { signal: stop } = settings
    await Promise.race([stop.aborted ? null : once(stop, 'abort'), failed])
  } finally {
    await receiver.close()
    ended.abort()
    // The last callbacks are still shown.
    opener.wake()
    await opener.idle()
    await forwarding
  }
}

const patience = 2_000

/**
 * Listens until the signal fires. Throws a Failure: locked (12) where another listener has the store, usage (2) where it
 * cannot listen.
 */
export async function listen(
  callbacks: CallbackStore,
  path: string,
  settings: ListenSettings,
  reports: Listening,
): Promise<void> {
  try {
    await withLock(`${path}-listener`, () => listenAlone(callbacks, settings, reports), { patience })
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'locked') throw error
    throw new Failure('locked', `another \`callback listen\` uses ${path}`, {
      hints: [hint`Stop it, or set another PAYDESK_HOME for this one.`],
    })
  }
}

interface OpenerSettings {
  readonly keys: readonly NamedKey[]
  readonly webhook: Webhook | null
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onOpened: (entry: CallbackEntry) => Promise<void>
  readonly onTrouble: (error: unknown) => void
}

/** Opens what was stored, in the order it came, and goes on where a listener that was killed has left off. */
function startOpener(callbacks: CallbackStore, settings: OpenerSettings) {
  const { keys, webhook, onOpened, onTrouble } = settings
  let running: Promise<void> | null = null
  let isAwake = false

  /** False where nothing was left to open. */
  const openNext = async (): Promise<boolean> => {
    const row = await callbacks.firstUnopened()
    if (row === null) return false
    const bytes = Buffer.from(row.body)
    const body = await openBody(bytes, keys)
    await new Promise(setImmediate)
    const received = Date.parse(row.received_at)
    const signature = webhook ? signatureInWords(verify(webhook, headersOf(row), bytes, received)) : null
    const noted = await waitForSlot(() => callbacks.noteOpened(row, body, signature), settings)
    if (noted !== null) await onOpened(noted)
    return true
  }
  const run = async (): Promise<void> => {
    try {
      while (isAwake) {
        // Answers go first: they are sent before the keys are at work.
        await new Promise(setImmediate)
        isAwake = await openNext()
      }
    } catch (error) {
      onTrouble(error)
    }
  }
  return {
    /** There may be something to open. */
    wake(): void {
      isAwake = true
      running ??= run().finally(() => {
        running = null
      })
    },
    /** Resolves when nothing is left to open. */
    async idle(): Promise<void> {
      await running
    },
  }
}

/** One callback with everything that is known of it: how it came, what it says, and what became of it. */
import { Secrets } from '../redact.ts'
import type { ResultOf } from '../result.ts'
import type { CallbackStore } from './callbacks.ts'
import { fieldsIn } from './entry.ts'
import type { ForwardOutcome, ForwardState } from './forward.ts'
import { maskedHeaders, maskedText } from './mask.ts'
import { secretsOf } from './open.ts'
import { digestOf, headersOf } from './raw.ts'
import type { callbackRawResult, callbackWholeResult } from './result.ts'

export type ShownCallback = Omit<ResultOf<typeof callbackWholeResult>, 'warnings'>

const longestBeginning = 200

/** Throws Failure('not-found'). */
export async function showCallback(callbacks: CallbackStore, id: string): Promise<ShownCallback> {
  const { row, listed } = await callbacks.find(id)
  const { deliveries, attempts } = await callbacks.deliveries(row.seq)
  const body = Buffer.from(row.body)
  const secrets = new Secrets(await secretsOf(body, []))
  // Masked before it is cut: half a token is one too.
  const beginning =
    listed.how === 'unreadable' ? maskedText(body.toString('utf8'), secrets).slice(0, longestBeginning) : null
  return {
    ...callbacks.entryOf(listed),
    request: {
      remote: row.remote,
      method: row.method,
      target: maskedText(row.target, secrets),
      headers: maskedHeaders(headersOf(row), secrets).map(([name, value]) => ({ name, value })),
      sha256: digestOf(body),
      beginning,
    },
    fields: fieldsIn(listed),
    deliveries: deliveries.map(({ target, state, tries, due, since }) => ({
      ...{ target: maskedText(target), state: state as ForwardState, tries },
      due: state === 'pending' && due > since ? new Date(due).toISOString() : null,
    })),
    attempts: attempts.map(({ number: _, seq: __, by, target, outcome, started_at, edited, ...rest }) => ({
      target: maskedText(target),
      ...{ by: by as 'forward', outcome: outcome as ForwardOutcome, startedAt: started_at, edited: edited === 1 },
      ...rest,
    })),
  }
}

export type RawBody = ResultOf<typeof callbackRawResult>

/** The body to the byte, or with tokens and numbers of cards hidden. A sealed body hides them by itself. */
export async function rawBody(callbacks: CallbackStore, id: string, showTokens: boolean): Promise<RawBody> {
  const { row } = await callbacks.find(id)
  const bytes = Buffer.from(row.body)
  const text = bytes.toString('utf8')
  const body = showTokens ? text : maskedText(text, new Secrets(await secretsOf(bytes, [])))
  const hidden = body !== text
  return { callbackId: id, body, base64: hidden ? null : bytes.toString('base64'), hidden }
}

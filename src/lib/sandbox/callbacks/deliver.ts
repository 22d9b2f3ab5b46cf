/**
 * One attempt to deliver a callback. It is written down before anything leaves, so that an attempt without a known end is in
 * the list as well; the callback stays due until its end is written, so that it is sent at least once, whatever is killed.
 */

import { jsonHeaders } from '../../client/answer.ts'
import { callbackTimeout } from '../../contract/assumed.ts'
import type { Transmission, Transport } from '../../http/client.ts'
import {
  addCallbackAttempt,
  callbackAttempts,
  callbackById,
  endAttempt,
  type KeptCallback,
  moveCallback,
} from '../../store/sandbox/callbacks.ts'
import type { CallbackAttemptRow, SandboxWriter } from '../../store/sandbox/schema.ts'
import type { Surroundings } from '../handler.ts'
import { nextAttempt, noEndSeen } from './plan.ts'
import { keptReply } from './reply.ts'

/** An attempt as the sandbox's own window shows it. */
export interface Attempted {
  readonly id: string
  readonly kind: KeptCallback['kind']
  readonly url: string
  readonly state: KeptCallback['state']
  readonly http: number | null
  readonly why: string | null
  /** The time of the next try, by the sandbox's clock. */
  readonly again: number | null
}

interface Begun {
  readonly callback: KeptCallback
  readonly number: number
}

/** Null where there is nothing to send any more: a new world has begun, or it was sent meanwhile. */
async function begin(db: SandboxWriter, id: number, now: number): Promise<Begun | null> {
  const callback = await callbackById(db, id)
  if (!callback || callback.due === null || callback.due > now) return null
  const number = (await callbackAttempts(db, id)).length + 1
  await addCallbackAttempt(db, {
    callback_id: id,
    number,
    time: now,
    http: null,
    why: noEndSeen,
    milliseconds: 0,
    reply: null,
  })
  return { callback, number }
}

/** Only 200 is the answer that is documented: a receiver that answers 204 here might be called again in life. */
function whyNot(delivery: Transmission): string | null {
  if (delivery.kind !== 'answered') return delivery.why
  const { status } = delivery.answer
  if (status === 200) return null
  return status >= 300 && status < 400 ? `answered ${status}: no redirect is followed` : `answered ${status}, not 200`
}

type Ended = Pick<CallbackAttemptRow, 'http' | 'why' | 'milliseconds' | 'reply'> & { readonly now: number }

async function end(db: SandboxWriter, { callback, number }: Begun, ended: Ended): Promise<Attempted | null> {
  const { callback_id, kind, url } = callback
  // A new world has begun meanwhile.
  if (!(await callbackById(db, callback_id))) return null
  const { now, ...outcome } = ended
  await endAttempt(db, { callback_id, number, ...outcome })
  const failed = (await callbackAttempts(db, callback_id)).filter(({ why }) => why !== null && why !== noEndSeen).length
  const again = outcome.why === null ? null : nextAttempt(failed, now)
  const state = outcome.why === null ? 'delivered' : again === null ? 'given-up' : 'waiting'
  await moveCallback(db, callback_id, { state, due: again })
  return { id: String(callback_id), kind, url, state, http: outcome.http, why: outcome.why, again }
}

function post(transport: Transport, { url, body }: KeptCallback, signal: AbortSignal): Promise<Transmission> {
  const { protocol, host, pathname, search } = new URL(url)
  const limit = callbackTimeout * 1000
  const headers = { ...jsonHeaders, 'user-agent': 'paydesk-sandbox' }
  // The query as it was given: taken apart and put together again it could be another one.
  const request = { method: 'POST', path: pathname + search, query: [], headers, body } as const
  return transport(`${protocol}//${host}`, request, { connectTimeout: limit, answerTimeout: limit, signal })
}

/** Tries it once. Null where there was nothing to send, or where the signal came before the end. */
export async function deliver(
  around: () => Promise<Surroundings>,
  id: number,
  transport: Transport,
  signal: AbortSignal,
): Promise<Attempted | null> {
  const { store, clock } = await around()
  const started = clock.now()
  const begun = await store.write((db) => begin(db, id, started))
  if (!begun) return null
  const delivery = await post(transport, begun.callback, signal)
  const answered = delivery.kind === 'answered'
  if (signal.aborted && !answered) return null
  const milliseconds = answered ? delivery.milliseconds : clock.now() - started
  // Asked anew: the sandbox's clock may have been moved meanwhile.
  const now = (await around()).clock.now()
  const http = answered ? delivery.answer.status : null
  const reply = answered ? keptReply(delivery.answer.body, begun.callback.plain) : null
  return await store.write((db) => end(db, begun, { http, reply, why: whyNot(delivery), now, milliseconds }))
}

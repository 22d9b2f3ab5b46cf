/** Callbacks as people and tests see them: what was told, where to, and every attempt. */
import { withoutCardTokens } from '../../contract/mask.ts'
import { readJson } from '../../json.ts'
import type { ResultOf } from '../../result.ts'
import {
  callbackAttempts,
  type KeptCallback,
  listSentCallbacks,
  type NamedCallback,
} from '../../store/sandbox/callbacks.ts'
import type { CallbackAttemptRow, SandboxReader } from '../../store/sandbox/schema.ts'
import { localMoment } from '../clock/clock.ts'
import { orderRequest } from '../ledger/accepted.ts'
import { describeEach } from '../ledger/ledger.ts'
import { orderNamed } from '../orders/named.ts'
import type { causedCallback, ledgerCallbackResult, sentCallbacksResult } from './result.ts'

export type CallbackAttempt = Callback['attempts'][number]

export type Callback = ResultOf<typeof sentCallbacksResult>[number]

/** As the ledger tells of it. */
export type LedgerCallback = ResultOf<typeof ledgerCallbackResult>

function describeAttempt({ number, time, http, why, milliseconds, reply }: CallbackAttemptRow): CallbackAttempt {
  return { number, at: localMoment(time), http, why, milliseconds, reply }
}

async function describeCallback(db: SandboxReader, callback: NamedCallback): Promise<Callback> {
  const { integrator_id, kind, url, state, note, due } = callback
  return {
    id: String(callback.callback_id),
    integratorOrderId: orderRequest(callback).integratorOrderId,
    integratorId: integrator_id,
    ...{ kind, url, sealed: callback.sealed === 1, state, note },
    payload: withoutCardTokens(readJson(callback.plain)),
    createdAt: localMoment(callback.created),
    nextAttemptAt: due === null ? null : localMoment(due),
    attempts: (await callbackAttempts(db, callback.callback_id)).map(describeAttempt),
  }
}

/** The oldest first; of one order only where one is named. Throws Failure('not-found') for an order that there is not. */
export async function readCallbacks(db: SandboxReader, order?: string): Promise<Callback[]> {
  const of = order === undefined ? null : [(await orderNamed(db, order)).order_id]
  return await describeEach(await listSentCallbacks(db, of), (callback) => describeCallback(db, callback))
}

async function describeForLedger(db: SandboxReader, callback: NamedCallback): Promise<LedgerCallback> {
  const { callback_id, kind, state } = callback
  const attempts = (await callbackAttempts(db, callback_id)).length
  return { id: String(callback_id), integratorOrderId: orderRequest(callback).integratorOrderId, kind, state, attempts }
}

export async function callbackLedger(db: SandboxReader): Promise<LedgerCallback[]> {
  return await describeEach(await listSentCallbacks(db, null), (callback) => describeForLedger(db, callback))
}

/** A callback that has just been caused. */
export type CausedCallback = ResultOf<typeof causedCallback>

export async function describeCaused(
  db: SandboxReader,
  { callback_id, kind, url, state }: KeptCallback,
): Promise<CausedCallback> {
  const why = (await callbackAttempts(db, callback_id)).at(-1)?.why ?? null
  return { id: String(callback_id), kind, url, state, why }
}

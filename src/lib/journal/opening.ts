/**
 * What the journal says to a draft before anything is written: is it new, was it settled, does another run have it, does it
 * look like a payment that was just made?
 */
import { Failure } from '../failure.ts'
import * as rows from '../store/journal.ts'
import type { IntentRow, Reader } from '../store/journal-schema.ts'
import type { Holding } from './holder.ts'
import { attemptOf, type Draft, factsOf, type Intent, intentOf } from './intent.ts'
import { otherBody, twinFound } from './objection.ts'
import { mayBeMended } from './verdict.ts'

const twinWindow = 24 * 60 * 60 * 1000

export interface Guard {
  /** What another payment of the same amount to the same payee within 24 hours means. */
  readonly twins: 'refuse' | 'warn' | 'off'
  /** Refuses a twin whose outcome is unknown whatever `twins` says: the service could not tell the two apart. */
  readonly unknownTwins?: 'refuse'
  /** The journal id of the one twin that somebody has looked at. */
  readonly allowed: string | null
}

/** How a draft stands against what the journal holds already. */
export type Opening =
  /** Nothing speaks against sending it. */
  | {
      readonly kind: 'open'
      /** A look-alike that only deserves a warning. */
      readonly twin: Intent | null
      /** The intent, if earlier attempts may have executed it. */
      readonly unsettled: Intent | null
    }
  /** The same id with the same body was settled before. */
  | { readonly kind: 'settled'; readonly intent: Intent }

/** The moment and the process in which a draft is considered. */
export interface Present {
  readonly now: number
  readonly holding: Holding
}

/** How a draft stands, with the row and the attempts it was judged by. Throws a Failure: duplicate (7), locked (12). */
export async function consider(db: Reader, draft: Draft, guard: Guard, present: Present) {
  const row = await rows.findIntent(db, draft)
  if (!row) {
    const twin = await twinOf(db, draft, guard, present.now)
    return { opening: { kind: 'open', twin, unsettled: null } as const, row: null, past: [] }
  }
  const intent = intentOf(row)
  const past = (await rows.attemptsOf(db, row.id)).map(attemptOf)
  if (row.body_digest !== draft.bodyDigest && !mayBeMended(past)) throw otherBody(intent, draft)
  if (intent.state === 'accepted' || intent.state === 'exists') {
    return { opening: { kind: 'settled', intent } as const, row, past }
  }
  mustBeFree(row, present)
  const unsettled = intent.state === 'unknown' ? intent : null
  const begins = intent.state === 'refused' || intent.state === 'unsent'
  const twin = begins ? await twinOf(db, draft, guard, present.now) : null
  return { opening: { kind: 'open', twin, unsettled } as const, row, past }
}

async function twinOf(db: Reader, draft: Draft, guard: Guard, now: number): Promise<Intent | null> {
  if ((guard.twins === 'off' && !guard.unknownTwins) || draft.businessKey !== null) return null
  const found = await rows.listIntents(db, {
    service: draft.service,
    clientId: draft.clientId,
    states: ['accepted', 'exists', 'turned-away', 'unknown'],
    since: new Date(now - twinWindow).toISOString(),
    twinOf: {
      operation: draft.operation,
      payee: draft.payee,
      amount_minor: draft.amountMinor ?? '',
      currency: draft.currency ?? '',
    },
  })
  // The one whose outcome is unknown weighs more than a newer one.
  const row = found.find(({ state }) => state === 'unknown') ?? found[0]
  if (!row || row.id === guard.allowed) return null
  const unknown = row.state === 'unknown' && guard.unknownTwins === 'refuse'
  if (guard.twins === 'refuse' || unknown) throw twinFound(intentOf(row))
  return guard.twins === 'off' ? null : intentOf(row)
}

/** Throws a Failure, locked (12), while another process that may still be at work holds the intent. */
export function mustBeFree(row: IntentRow, { now, holding }: Present): void {
  const { holder, held_until } = row
  if (holder === null || held_until === null) return
  if (held_until <= new Date(now).toISOString() || !holding.alive(holder)) return
  throw new Failure('locked', `another run has this payment in flight (${holder}, until ${held_until} at the latest)`, {
    ...factsOf(intentOf(row)),
    hints: ['Wait for it to end; `paydesk journal show` says how it stands.'],
  })
}

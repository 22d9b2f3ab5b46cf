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
    const twin = await twinOf(db, draft, guard, present)
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
  const twin = begins ? await twinOf(db, draft, guard, present) : null
  return { opening: { kind: 'open', twin, unsettled } as const, row, past }
}

const countsAsTwin: ReadonlySet<string> = new Set(['accepted', 'exists', 'turned-away', 'unknown'])

async function twinOf(db: Reader, draft: Draft, guard: Guard, present: Present): Promise<Intent | null> {
  // A key names a payment of its own; it does not make an open one of the same sum known.
  const twinsMatter = guard.twins !== 'off' && draft.businessKey === null
  if (!twinsMatter && !guard.unknownTwins) return null
  const since = new Date(present.now - twinWindow).toISOString()
  const found = await rows.listIntents(db, {
    service: draft.service,
    clientId: draft.clientId,
    twinOf: {
      operation: draft.operation,
      payee: draft.payee,
      amount_minor: draft.amountMinor ?? '',
      currency: draft.currency ?? '',
    },
  })
  // One that another run has in flight may be about to be sent again, whatever its last attempt came to.
  const isOpen = (row: IntentRow) => row.state === 'unknown' || isHeld(row, present)
  const others = found.filter((row) => row.unique_id !== draft.uniqueId)
  // What is open stays in the way until it is settled, however old it is.
  const open = others.find((row) => isOpen(row) && row.id !== guard.allowed)
  if (open && guard.unknownTwins === 'refuse') throw twinFound(intentOf(open))
  const recent = others.filter((row) => row.opened_at >= since && (countsAsTwin.has(row.state) || isOpen(row)))
  const row = recent.find((each) => isOpen(each) && each.id !== guard.allowed) ?? recent[0]
  if (!twinsMatter || !row || row.id === guard.allowed) return null
  if (guard.twins === 'refuse') throw twinFound(intentOf(row))
  return intentOf(row)
}

/** Whether a process that may still be at work has the intent in flight. */
function isHeld({ holder, held_until }: IntentRow, { now, holding }: Present): boolean {
  if (holder === null || held_until === null) return false
  return held_until > new Date(now).toISOString() && holding.alive(holder)
}

/** Throws a Failure, locked (12), while another process that may still be at work holds the intent. */
export function mustBeFree(row: IntentRow, present: Present): void {
  if (!isHeld(row, present)) return
  const { holder, held_until } = row
  throw new Failure('locked', `another run has this payment in flight (${holder}, until ${held_until} at the latest)`, {
    ...factsOf(intentOf(row)),
    hints: ['Wait for it to end; `paydesk journal show` says how it stands.'],
  })
}

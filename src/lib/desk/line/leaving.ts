/**
 * The moment in which a write leaves: what speaks against it by then, and the hold on it in the journal, which has to outlast its
 * answer (money-safety.md#clocks-and-leases).
 */

import { takenOver } from '../../journal/duplicates.ts'
import type { Intent } from '../../journal/intent.ts'
import { isLeaseOver, leaseReserve } from '../../journal/lease.ts'
import type { Desk } from '../desk.ts'
import { outOfTurn, type RunLimits } from './terms.ts'

type HoldingDesk = Pick<Desk, 'clock' | 'journal' | 'settings'>

/** Milliseconds that an intent is held for: a request that leaves at the last moment is answered by then. */
export function heldFor({ settings }: Pick<Desk, 'settings'>): number {
  return settings.timeout + settings.connectTimeout + settings.answerTimeout + leaseReserve
}

/** Milliseconds in which a request that leaves now is answered, or given up. */
function longestAnswer({ clock, settings }: HoldingDesk, { deadline }: RunLimits): number {
  return Math.max(0, Math.min(settings.connectTimeout + settings.answerTimeout, deadline() - clock.now()))
}

/** Milliseconds before that in which it is held anew: none of them is over between that and the first byte. */
function spare({ settings }: HoldingDesk): number {
  return settings.timeout / 2
}

/** True if it is not sent any more, however its turn comes: it was called off, or has no time left. */
export function staysHere(until: RunLimits, isUnderWay: boolean): boolean {
  return until.timeToSend(isUnderWay) <= 0
}

/** The objection to sending now, asked for right before the first byte: this process may have slept for hours. */
export function objectionNow(desk: HoldingDesk, intent: Intent, until: RunLimits, isUnderWay: boolean): string | null {
  const isCalledOff = !isUnderWay && until.calledOff()
  if (staysHere(until, isUnderWay)) return isCalledOff ? outOfTurn : 'the time for sending it was over'
  return isLeaseOver(intent, desk.journal.moment, longestAnswer(desk, until))
    ? 'the hold on it in the journal was over'
    : null
}

/**
 * The intent, held until a request that leaves now is answered: it may have waited long for its turn. Throws locked (12) where another
 * process has taken it over meanwhile.
 */
export async function heldThrough(
  desk: HoldingDesk,
  intent: Intent,
  until: RunLimits,
  isUnderWay: boolean,
): Promise<Intent> {
  const needed = longestAnswer(desk, until) + spare(desk)
  if (staysHere(until, isUnderWay) || !isLeaseOver(intent, desk.journal.moment, needed)) return intent
  const held = await desk.journal.renewLease(intent, heldFor(desk))
  if (held === null) throw takenOver(intent)
  return held
}

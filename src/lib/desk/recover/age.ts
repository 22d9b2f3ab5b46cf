/** The age of an intent without an answer: what is told of it counts only once its request is certainly on its way no more. */
import type { Attempt, Intent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import { isOfThisMachine, isOfThisStart, type Moment, minElapsed, type StoredMoment } from '../../journal/moment.ts'
import { isOpen } from '../../journal/verdict.ts'

/** Milliseconds. */
export interface Age {
  /** Since its last attempt was sent, by the clock of the journal. */
  readonly sent: number
  /** Since this machine has known of that attempt, by a time that no clock that is set can move; null where nothing tells that here. */
  readonly known: number | null
}

/** The moment at which an attempt was made. */
export const startOf = ({ startedAt, startedSteady }: Attempt): StoredMoment => ({
  iso: startedAt,
  steady: startedSteady,
})

/** Milliseconds from the start of an attempt to its end: it may have been sent as late as that. 0 while it has none. */
function lasted({ startedAt, endedAt }: Attempt): number {
  return endedAt === null ? 0 : Math.max(0, Date.parse(endedAt) - Date.parse(startedAt))
}

/** The age of an open intent. `asked`: the moment of the question to the service. */
export async function ageOf(journal: Journal, intent: Intent, asked: Moment): Promise<Age> {
  const attempts = await journal.attempts(intent)
  const { knownFor } = await journal.ask(async (_, { holding }) => holding)
  const sent = Math.min(...attempts.map((each) => minElapsed(startOf(each), asked) - lasted(each)))
  const last = attempts.at(-1)
  if (!knownFor) {
    const isFromHere = attempts.filter(isOpen).every((each) => isOfThisMachine(startOf(each), asked))
    return { sent, known: isFromHere ? sent : null }
  }
  if (!last || isOfThisStart(startOf(last), asked)) return { sent, known: sent }
  return { sent, known: (await knownFor({ journalId: intent.journalId, number: last.number })) ?? sent }
}

/** The time that it certainly is, milliseconds since 1970: within one start of the machine a clock that was set ahead gains none. */
function certainTime(starts: readonly StoredMoment[], present: Moment): number {
  const here = starts.filter((start) => isOfThisStart(start, present))
  return Math.min(present.now, ...here.map((start) => Date.parse(start.iso) + minElapsed(start, present)))
}

/** A clock for what ends by itself at some time after it was sent: it runs on, and nobody can set it ahead of its attempts. */
export async function certainClock(journal: Journal, intent: Intent): Promise<() => number> {
  const starts = (await journal.attempts(intent)).map(startOf)
  return () => certainTime(starts, journal.moment)
}

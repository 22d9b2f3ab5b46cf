/** The output of a command at its end: the same as the real one, whose base makes it for all of them. */
import type { Desk } from '../../src/lib/desk/desk.ts'
import { Failure } from '../../src/lib/failure.ts'
import type { Ended, Errand, ErrandProcess } from './trade.ts'

/** As the base of the commands understands it. */
function understood(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof Failure && error.kind === 'duplicate') return error
  if (!signal.aborted) {
    if (error instanceof Failure) return error
    throw error
  }
  const kind = signal.reason === 'SIGTERM' ? 'terminated' : 'interrupted'
  if (!(error instanceof Failure)) {
    return new Failure(kind, 'stopped before anything was sent', { moneyMoved: 'no', retry: 'same-id' })
  }
  const { moneyMoved } = error.toLine().error
  return new Failure(kind, error.message, { ...error.facts, moneyMoved: moneyMoved as 'no' })
}

/**
 * A store that cannot be reached says nothing of what was sent before, to a command that was stopped meanwhile
 * either: then the base knows only what this run has not done.
 */
function unread(failure: Failure, thrown: unknown): Failure {
  const isUnread = thrown instanceof Failure && thrown.kind === 'unsent' && (failure.facts.journalId ?? null) === null
  return isUnread ? new Failure(failure.kind, failure.message, { ...failure.facts, moneyMoved: 'unknown' }) : failure
}

export async function carryOut(
  desk: Desk,
  { plan, act }: Errand,
  process: ErrandProcess,
): Promise<Omit<Ended, 'wroteAt'>> {
  const about: string[] = []
  try {
    await process.team?.reach()
    await process.flushOutbox()
    const told = JSON.stringify(await act(desk, (journalId) => about.push(journalId), process))
    return { exit: 0, told, plan, moneyMoved: null, about }
  } catch (error) {
    const isOfEarlier = plan !== null || about.length > 0
    const ended = understood(error, desk.signal)
    const failure = isOfEarlier && process.team !== null ? unread(ended, error) : ended
    const line = failure.toLine()
    const { journalId, moneyMoved } = line.error
    // One that names an intent speaks of that one.
    const meant = typeof journalId === 'string' ? [journalId] : about
    return {
      exit: failure.exit,
      told: JSON.stringify(line),
      plan,
      moneyMoved: String(moneyMoved),
      about: meant,
    }
  }
}

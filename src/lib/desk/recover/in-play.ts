/**
 * Failures while an intent of the journal is in play. Whatever ends a command then, ^C and defects among it, says how that
 * payment stands: "nothing was sent" would be true of this command and wrong about the money.
 */
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { factsOf, type Intent } from '../../journal/intent.ts'
import { unmoved } from '../../journal/verdict.ts'
import type { Desk } from '../desk.ts'

/** The end of a command by ^C or SIGTERM while this intent was in play. */
export function interrupted(intent: Intent): Failure {
  const { state, journalId } = intent
  const said = {
    unknown: 'stopped; the outcome of the payment is unknown',
    accepted: 'stopped; the service has accepted the payment',
    exists: 'stopped; the service has the payment',
  }
  const isOver = unmoved.has(state) && !intent.isTaken
  const taken = 'stopped; the service has the id, from this request or from another'
  const how = isOver ? 'stopped; nothing was executed' : (said[state as keyof typeof said] ?? taken)
  return new Failure('interrupted', how, {
    ...factsOf(intent),
    retry: 'same-id',
    hints: state === 'unknown' ? [hint`${paste('resume', journalId)}`] : [],
  })
}

function defect(intent: Intent, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error)
  return new Failure('unknown', `a defect ended this run while ${intent.journalId} was under way: ${why}`, {
    ...factsOf(intent),
    hints: [hint`Never create it anew. \`${paste('resume', intent.journalId)}\` asks what came of it.`],
  })
}

/** An error as a failure that tells the state of the intent. A failure that names an intent already stays as it is. */
export function told(error: unknown, intent: Intent, signal: AbortSignal): Failure {
  const isPrompt = error instanceof Error && error.name === 'ExitPromptError'
  if (!(error instanceof Failure)) return signal.aborted || isPrompt ? interrupted(intent) : defect(intent, error)
  if (error.facts.journalId) return error
  const { kind, facts } = error
  const about = { ...facts, ...factsOf(intent) }
  return error.as(kind, facts.operation ? { ...about, operation: facts.operation } : about)
}

/** Does the work; whatever it throws says how the intent stands. */
export async function inPlay<Result>(
  { signal }: Pick<Desk, 'signal'>,
  intent: Intent,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw told(error, intent, signal)
  }
}

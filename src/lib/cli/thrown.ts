/** Anything that was thrown, as one of the few ways to fail. */
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { endedAtOnce, kindOf, nothingSent } from '../signals.ts'
import { sourceLine } from './program/source-line.ts'

const missingModule: ReadonlySet<unknown> = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'])

function isMissing(error: Error): boolean {
  return 'code' in error && missingModule.has(error.code)
}

/** Without the tag in front and the list of files behind that loaders add. */
function missingPart(error: Error): string {
  const [line = ''] = error.message.replace(/^\[MODULE_NOT_FOUND\] /, '').split('\n')
  return `a part of paydesk cannot be loaded: ${line}`
}

/** A program that is not whole, and all else that was not foreseen, is a defect. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (!(error instanceof Error)) return new Failure('bug', String(error))
  return new Failure('bug', isMissing(error) ? missingPart(error) : error.message)
}

/** A command that could not be loaded: before that nothing was sent. */
export function unloadable(error: unknown): unknown {
  return error instanceof Error && isMissing(error)
    ? new Failure('bug', missingPart(error), { moneyMoved: 'no' })
    : error
}

const aDefect = hint`This is a defect of paydesk. If a payment was under way, \`${paste('journal list')}\` says how it stands.`

/** The end of a command that threw this, at a moment in which `signal` may have asked it to stop. */
export function endOf(error: unknown, signal: AbortSignal): Failure {
  const stopped = signal.aborted || (error instanceof Error && error.name === 'ExitPromptError')
  if (error instanceof Failure) return stopped ? stoppedBy(error, signal.reason) : error
  if (stopped) return endedAtOnce(signal.reason, nothingSent)
  const failure = asFailure(error)
  if (failure.kind !== 'bug') return failure
  const line = error instanceof Error ? sourceLine(error) : null
  return failure.with({ hints: line === null ? [aDefect] : [aDefect, hint`It comes from ${line}.`] })
}

/** A failure after a stop. A taken id or key stays one: a stop in that moment does not change whose it is. */
function stoppedBy(failure: Failure, signal: unknown): Failure {
  const { kind, facts, moneyMoved, retry } = failure
  return kind === 'duplicate' ? failure : failure.as(kindOf(signal), { ...facts, moneyMoved, retry })
}

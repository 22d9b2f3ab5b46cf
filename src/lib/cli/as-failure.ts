/** Anything that was thrown, as one of the few ways to fail; of a defect, the line of the source that it comes from. */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import { Failure } from '../failure.ts'
import { hint, paste } from '../hint.ts'
import { endedAtOnce, kindOf, nothingSent } from '../signals.ts'

/** The place in the source of a place in a file that was made of it. */
function inSource(file: string, line: number, column: number): { readonly file: string; readonly line: number } {
  if (!existsSync(`${file}.map`)) return { file, line }
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  const found = map.findEntry(line - 1, column - 1)
  if (!('originalSource' in found)) return { file, line }
  return { file: resolve(dirname(file), found.originalSource), line: found.originalLine + 1 }
}

/** Of a line of a stack such as `at run (/opt/paydesk/dist/main.js:1:20)`; null where it does not lead into the program. */
function lineOfFrame(frame: string): string | null {
  const end = /:(\d{1,9}):(\d{1,9})\)?$/.exec(frame)
  if (!end) return null
  const before = frame.slice(0, end.index)
  const path = before.slice(Math.max(before.lastIndexOf('(') + 1, before.indexOf('at ') + 3, 0))
  const { file, line } = inSource(path.replace(/^file:\/\//, ''), Number(end[1]), Number(end[2]))
  const source = file.replaceAll('\\', '/')
  const at = Math.max(source.lastIndexOf('/src/lib/'), source.lastIndexOf('/src/commands/'))
  return at < 0 ? null : `${source.slice(at + 1)}:${line}`
}

/** Such as `src/lib/desk/attempt-loop.ts:88`, of the innermost frame in the program; null where the stack does not lead there. */
export function sourceLine({ stack = '' }: Error): string | null {
  try {
    for (const frame of stack.split('\n')) {
      const line = lineOfFrame(frame)
      if (line !== null) return line
    }
  } catch {
    // A map that cannot be read takes nothing from what is told of the defect.
  }
  return null
}

const missingModule: ReadonlySet<unknown> = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'])

function isMissing(error: Error): boolean {
  return 'code' in error && missingModule.has(error.code)
}

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

const aDefect = hint`This is a defect of paydesk. If a payment was in progress, \`${paste('journal list')}\` shows its state.`

/** The end of a command that threw this, at a moment in which `signal` may have asked it to stop. */
export function failureAtEnd(error: unknown, signal: AbortSignal): Failure {
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

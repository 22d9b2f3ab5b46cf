/** Does what a step says, and gives back what it has to show. */
import { momentOfValidUntil } from '../../contract/date.ts'
import type { Clock } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { writeJson } from '../../json.ts'
import { readLongTime } from '../clock/long-time.ts'
import type { Sandbox } from '../sandbox.ts'
import { type Program, runProgram } from './child.ts'
import type { ActualResult } from './expect.ts'
import { longestWait, type StepFields, tooLong } from './language.ts'

export interface Stage {
  readonly sandbox: Sandbox
  readonly program: Program
  /** For pauses: real ones. */
  readonly clock: Clock
}

/** The output of a step, and its end. */
export interface Acted extends ActualResult {
  /** The words of a failure; null where there was none. */
  readonly said: string | null
}

/** As a script reads it. */
const plain = (value: unknown): unknown => JSON.parse(writeJson(value))

function readable(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Scripts ask for JSON; what comes behind `--` are no flags. */
function withJson(argv: readonly string[]): readonly string[] {
  if (argv.includes('--json')) return argv
  const end = argv.indexOf('--')
  return end < 0 ? [...argv, '--json'] : [...argv.slice(0, end), '--json', ...argv.slice(end)]
}

async function run(argv: readonly string[], program: Program): Promise<Omit<Acted, 'ledger'>> {
  const { exit, stdout, stderr } = await runProgram(withJson(argv), program)
  const last = readable(stderr.trim().split('\n').at(-1) ?? '') as { error?: { message?: unknown } } | null
  const error = last?.error ?? null
  const killed = exit === null ? `it did not end within ${program.patience / 1000} s` : null
  return {
    exit,
    json: readable(stdout),
    error,
    said: killed ?? (error ? String(error.message) : stderr.trim() || null),
  }
}

/** Milliseconds. The language has checked what was written; what a variable had in it is seen only here. */
function timeOf(text: string): number {
  const milliseconds = readLongTime(text)
  if (milliseconds !== null) return milliseconds
  throw new Failure('usage', `"${text}" is no time like 500ms, 90s, 5m, 24h or 31d`)
}

function pauseOf(text: string): number {
  const milliseconds = timeOf(text)
  if (milliseconds <= longestWait) return milliseconds
  throw new Failure('usage', `wait ${text} ${tooLong}`)
}

async function addFault({ delay, ...fault }: NonNullable<StepFields['fault']>, sandbox: Sandbox): Promise<void> {
  await sandbox.faults.add({ ...fault, ...(delay === undefined ? {} : { delay: timeOf(delay) }) })
}

async function moveClock(to: NonNullable<StepFields['clock']>, sandbox: Sandbox): Promise<void> {
  if ('advance' in to) {
    const milliseconds = timeOf(to.advance)
    await sandbox.moveClock((now) => now + milliseconds)
  } else {
    await sandbox.moveClock((now) => momentOfValidUntil(to.set) ?? now)
  }
}

export async function act(step: StepFields, { sandbox, program, clock }: Stage): Promise<Acted> {
  const ledger = async () => plain(await sandbox.ledger())
  const nothing: Acted = { exit: null, json: null, error: null, said: null, ledger }
  if (step.run) return { ...nothing, ...(await run(step.run, program)) }
  if (step.trigger) return { ...nothing, json: plain(await sandbox.trigger(step.trigger)) }
  if (step.fault) await addFault(step.fault, sandbox)
  if (step.clearFaults) await sandbox.faults.clear()
  if (step.reset) await sandbox.reset()
  if (step.wait !== undefined) await clock.sleep(pauseOf(step.wait), program.signal)
  if (step.clock) await moveClock(step.clock, sandbox)
  return nothing
}

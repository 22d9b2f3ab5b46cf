/** Plays a scenario, step by step, until one does not hold: what comes after it would only say the same again. */
import { Failure } from '../../failure.ts'
import type { ResultOf } from '../../result.ts'
import { act, type Stage } from './act.ts'
import { trespass } from './confine.ts'
import { found, unmet, wordsOfError } from './expect.ts'
import type { StepFields } from './language.ts'
import type { Scenario, ScenarioStep } from './read.ts'
import type { scenarioResult } from './result.ts'
import { filled } from './words.ts'

export type StepResult = ScenarioResult['steps'][number]

export type ScenarioResult = ResultOf<typeof scenarioResult>

function nameOf({ name, run, trigger, fault, clock, wait, reset, clearFaults }: StepFields): string {
  if (name !== undefined) return name
  if (run) return run.slice(0, 2).join(' ')
  if (trigger) return `trigger ${trigger.what}`
  if (fault) return `fault ${fault.kind} ${fault.at} ${fault.op}`
  if (clock) return 'advance' in clock ? `clock advance ${clock.advance}` : `clock set ${clock.set}`
  if (wait !== undefined) return `wait ${wait}`
  if (reset) return 'a new world'
  return clearFaults ? 'clear faults' : 'expect'
}

/** Does a step and holds it against what it expects. Without another word a command ends with 0. */
async function held(step: StepFields, stage: Stage, variables: Map<string, string>): Promise<string[]> {
  const shown = await act(step, stage)
  const usual = step.run && step.expect?.exit === undefined && step.expect?.error === undefined ? { exit: 0 } : {}
  const problems = await unmet({ ...usual, ...step.expect }, shown)
  for (const [name, expression] of Object.entries(step.save ?? {})) {
    try {
      const value = found(shown.json, expression)
      if (['string', 'number', 'boolean'].includes(typeof value)) variables.set(name, String(value))
      else problems.push(`there is nothing to save as ${name} at ${expression}`)
    } catch (error) {
      problems.push(`${name} cannot be saved at ${expression}: ${wordsOfError(error)}`)
    }
  }
  if (problems.length > 0 && shown.said !== null) problems.push(`it said: ${shown.said}`)
  return problems
}

async function problemsOf(step: StepFields, stage: Stage, variables: Map<string, string>): Promise<string[]> {
  try {
    return await held(filled(step, variables), stage, variables)
  } catch (error) {
    if (stage.program.signal.aborted || !(error instanceof Failure) || error.kind === 'bug') throw error
    return [error.message]
  }
}

/** Looks once more when every variable has its value. Throws Failure('usage'). */
function mustStayInside({ run, line }: ScenarioStep, { program }: Stage, variables: Map<string, string>): void {
  const why = run ? trespass(filled(run, variables), program.directory) : null
  if (why !== null) throw new Failure('usage', `line ${line}: run ${why}`)
}

export async function playScenario(
  { scenario, variables: given = {}, steps }: Scenario,
  stage: Stage,
  tell: (step: StepResult) => void,
): Promise<ScenarioResult> {
  const variables = new Map(Object.entries(given))
  const results: StepResult[] = []
  const one = async (step: ScenarioStep): Promise<Pick<StepResult, 'outcome' | 'problems'>> => {
    if (results.some(({ outcome }) => outcome === 'failed')) return { outcome: 'skipped', problems: [] }
    mustStayInside(step, stage, variables)
    const problems = await problemsOf(step, stage, variables)
    return { outcome: problems.length === 0 ? 'passed' : 'failed', problems }
  }
  for (const [at, step] of steps.entries()) {
    const started = stage.clock.now()
    const ended = await one(step)
    const milliseconds = Math.max(0, stage.clock.now() - started)
    const result = { step: at + 1, line: step.line, name: filled(nameOf(step), variables), ...ended, milliseconds }
    results.push(result)
    tell(result)
  }
  const count = (outcome: StepResult['outcome']) => results.filter((each) => each.outcome === outcome).length
  return { scenario, passed: count('passed'), failed: count('failed'), steps: results }
}

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Args } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { durationFlag } from '../../lib/cli/flags/times.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { ownSandbox } from '../../lib/cli/sandbox.ts'
import { Failure } from '../../lib/failure.ts'
import { fileTrouble, openedFile, textOf } from '../../lib/readable-file.ts'
import { startSandbox } from '../../lib/sandbox/running/start.ts'
import { playScenario, type ScenarioResult, type StepResult } from '../../lib/sandbox/scenarios/play.ts'
import { readScenario } from '../../lib/sandbox/scenarios/read.ts'

export default class SandboxRun extends PaydeskCommand<ScenarioResult> {
  static override summary = 'Play a scenario against a sandbox of its own, and say whether what it expects holds.'
  static override description =
    'The world is new, lies in a temporary directory and is gone at the end. A scenario is YAML: `scenario` (its title), `variables`, and `steps`. A step does one thing: `run` (a command line of paydesk, as text or as a list, run with --json and the profile sandbox), `trigger`, `fault` or `clearFaults`, `clock` (`advance` or `set`), `reset`, `wait`; and it may `expect` an `exit` code (0 when not given), members of `json`, of the `error`, or of the `ledger` by JMESPath, each a value, `{matches: <pattern>}` or `{equals: <value>}`. `save` keeps members for later steps, which write its name in braces behind a dollar sign. It ends at the first step that does not hold: 5. It stays in its world: its profiles are those of the sandbox, its files lie beside it, its callbacks go to this machine. An unreadable scenario, or one that goes further, is 2, every violation with its line.'
  static override examples = [
    '<%= config.bin %> sandbox run docs/scenarios/lost-answer.yaml',
    `<%= config.bin %> sandbox run docs/scenarios/partial-refund.yaml --json --query "steps[?outcome=='failed']"`,
  ]

  static override args = {
    file: Args.string({ ignoreStdin: true, required: true, description: 'the scenario' }),
  }

  static override flags = {
    patience: durationFlag({ description: 'how long one command may take', default: 120_000, helpValue: '<time>' }),
  }

  static override readonly result = async () => (await import('../../lib/sandbox/scenarios/result.ts')).scenarioResult

  async run(): Promise<ScenarioResult> {
    const { args, flags } = await this.parse(SandboxRun)
    const scenario = await readScenario(args.file, await this.#read(args.file))
    const home = mkdtempSync(resolve(tmpdir(), 'paydesk-scenario-'))
    this.closeAtEnd(async () => rmSync(home, { recursive: true, force: true }))
    const directory = join(home, 'sandbox')
    const sandbox = await ownSandbox(this, directory)
    const { close } = await startSandbox(sandbox, directory, { callsOnlyHere: true })
    this.closeAtEnd(close)
    const program = {
      file: join(this.config.root, 'bin', 'run.js'),
      env: {
        ...{ PATH: this.edge.env.PATH ?? '', HOME: home, PAYDESK_HOME: home },
        ...{ PAYDESK_PROFILE: 'sandbox', PAYDESK_NO_INPUT: '1' },
      },
      directory: dirname(realpathSync(args.file)),
      patience: flags.patience,
      signal: this.signal,
    }
    const result = await playScenario(scenario, { sandbox, program, clock: this.edge.clock }, (step) =>
      this.output.say(inWords(step)),
    )
    const failed = result.steps.find(({ outcome }) => outcome === 'failed')
    if (!failed) return result
    const said = `step ${failed.step} (line ${failed.line}) does not hold: ${failed.problems.join('; ')}`
    throw new Failure('refused', said, { document: result })
  }

  protected override view({ scenario, passed, failed, steps }: ScenarioResult): View {
    const skipped = steps.length - passed - failed
    const counts = [`${passed} passed`, `${failed} failed`, ...(skipped > 0 ? [`${skipped} skipped`] : [])]
    return [{ kind: 'text', text: `${scenario}: ${counts.join(', ')}.` }]
  }

  async #read(file: string): Promise<string> {
    try {
      const text = textOf(await buffer(await openedFile(file, this.signal)))
      if (text !== null) return text
    } catch (error) {
      this.signal.throwIfAborted()
      throw new Failure('usage', `the scenario ${file} cannot be read: ${fileTrouble(error)}`)
    }
    throw new Failure('usage', `the scenario ${file} is no UTF-8 text`)
  }
}

function inWords({ step, name, outcome, problems, milliseconds }: StepResult): string {
  const how = outcome === 'skipped' ? outcome : `${outcome}, ${milliseconds} ms`
  return [`${step}  ${name}: ${how}`, ...problems.map((problem) => `     ${problem}`)].join('\n')
}

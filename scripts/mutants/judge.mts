/** Runs test files, or the simulator, against a broken copy of the repository: do they notice? */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { copyOf } from './copy.mts'
import { simulate } from './killers.mts'

export type End = 'killed' | 'SURVIVED' | 'DOES NOT RUN'

const told = z.object({
  testResults: z.array(z.object({ name: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
})

type TestEnds = z.infer<typeof told>['testResults'][number]['assertionResults']

function endOfTests(tests: TestEnds): End {
  if (tests.length === 0) return 'DOES NOT RUN'
  return tests.some(({ status }) => status === 'failed') ? 'killed' : 'SURVIVED'
}

const isSimulation = (killer: string) => killer.split(' ')[0] === simulate

/** A copy of its own to break, and what runs in it. */
export class Judge {
  readonly #copy: string
  #child: ChildProcess | undefined

  constructor(root: string) {
    this.#copy = copyOf(root)
  }

  write(path: string, text = ''): void {
    writeFileSync(join(this.#copy, path), text)
  }

  async endOf(killer: string): Promise<End> {
    if (isSimulation(killer)) return this.#endOfSimulation(killer)
    const ends = await this.#testEnds([killer], ['--bail=1'])
    return endOfTests(ends.get(killer) ?? [])
  }

  /** The ends of many killers: the test files in one run. */
  async endsOf(killers: readonly string[]): Promise<ReadonlyMap<string, End>> {
    const files = killers.filter((killer) => !isSimulation(killer))
    const tests = files.length > 0 ? await this.#testEnds(files) : new Map<string, TestEnds>()
    const ends = new Map(files.map((file) => [file, endOfTests(tests.get(file) ?? [])]))
    for (const killer of killers.filter(isSimulation)) ends.set(killer, await this.#endOfSimulation(killer))
    return ends
  }

  /** Ends what is running, and takes the copy away. */
  stop(): void {
    this.#child?.kill('SIGKILL')
    rmSync(this.#copy, { recursive: true, force: true })
  }

  async #endOfSimulation(killer: string): Promise<End> {
    const [, plays, first = '1'] = killer.split(' ')
    const named = plays === undefined ? [] : [plays]
    const stories = plays === undefined ? '1200' : '400'
    const simulator = ['node_modules/tsx/dist/cli.mjs', 'scripts/simulate.mts', stories, first, ...named]
    const { status, stdout } = await this.#run(simulator)
    if (!stdout.includes(`${stories} stories`)) return 'DOES NOT RUN'
    return status === 1 ? 'killed' : 'SURVIVED'
  }

  async #testEnds(files: readonly string[], flags: readonly string[] = []): Promise<ReadonlyMap<string, TestEnds>> {
    const report = join(this.#copy, 'report.json')
    rmSync(report, { force: true })
    const reporting = ['--reporter=json', `--outputFile=${report}`]
    await this.#run(['node_modules/vitest/vitest.mjs', 'run', ...files, ...flags, ...reporting])
    if (!existsSync(report)) return new Map()
    const { testResults } = told.parse(JSON.parse(readFileSync(report, 'utf8')))
    const here = realpathSync(this.#copy)
    return new Map(testResults.map(({ name, assertionResults }) => [relative(here, name), assertionResults]))
  }

  #run(argv: readonly string[]): Promise<{ status: number | null; stdout: string }> {
    return new Promise((resolve) => {
      const running = spawn(process.execPath, argv, {
        cwd: this.#copy,
        env: { ...process.env, SIMULATE_UNTIL_FAILURE: '1' },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      this.#child = running
      let stdout = ''
      running.stdout.on('data', (chunk) => {
        stdout += String(chunk)
      })
      running.on('close', (status) => resolve({ status, stdout }))
    })
  }
}

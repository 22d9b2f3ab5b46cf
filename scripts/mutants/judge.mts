/** Runs a test file, or the simulator, against a broken copy of the repository: does it notice? */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { simulate } from './killers.mts'

export type End = 'killed' | 'SURVIVED' | 'DOES NOT RUN'

let child: ChildProcess | undefined

/** Ends what is running, when this process is to end. */
export function stop(): void {
  child?.kill('SIGKILL')
}

function run(copy: string, argv: readonly string[]): Promise<{ status: number | null; stdout: string }> {
  return new Promise((resolve) => {
    const running = spawn(process.execPath, argv, { cwd: copy, stdio: ['ignore', 'pipe', 'ignore'] })
    child = running
    let stdout = ''
    running.stdout.on('data', (chunk) => {
      stdout += String(chunk)
    })
    running.on('close', (status) => resolve({ status, stdout }))
  })
}

async function endOfSimulation(copy: string, plays: readonly string[]): Promise<End> {
  const simulator = ['node_modules/tsx/dist/cli.mjs', 'scripts/simulate.mts', '400', '1']
  const { status, stdout } = await run(copy, [...simulator, ...plays])
  if (!stdout.includes('400 stories')) return 'DOES NOT RUN'
  return status === 1 ? 'killed' : 'SURVIVED'
}

const told = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ status: z.string() })) })),
})

async function endOfTests(copy: string, file: string): Promise<End> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const flags = ['--bail=1', '--reporter=json', `--outputFile=${report}`]
  await run(copy, ['node_modules/vitest/vitest.mjs', 'run', file, ...flags])
  if (!existsSync(report)) return 'DOES NOT RUN'
  const { testResults } = told.parse(JSON.parse(readFileSync(report, 'utf8')))
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (tests.length === 0) return 'DOES NOT RUN'
  return tests.some(({ status }) => status === 'failed') ? 'killed' : 'SURVIVED'
}

export function endOf(copy: string, killer: string): Promise<End> {
  const [first, ...plays] = killer.split(' ')
  return first === simulate ? endOfSimulation(copy, plays) : endOfTests(copy, killer)
}

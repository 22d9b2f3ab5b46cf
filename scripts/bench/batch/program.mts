/** The built program as a process, in a home of its own. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const program = join(import.meta.dirname, '..', '..', '..', 'bin', 'run.js')

export interface Timed {
  readonly milliseconds: number
  readonly stdout: string
}

/** Runs Node to its end. Throws where it does not end well. `more`: further environment variables. */
export function timedNode(argv: readonly string[], home: string, more: Readonly<Record<string, string>> = {}): Timed {
  // NODE_EXTRA_CA_CERTS alone costs Node 20 more than a whole command.
  const env = { PATH: process.env.PATH ?? '', HOME: home, PAYDESK_HOME: home, ...more }
  const started = process.hrtime.bigint()
  const ended: SpawnSyncReturns<string> = spawnSync(process.execPath, argv, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  })
  const milliseconds = Number(process.hrtime.bigint() - started) / 1e6
  if (ended.status !== 0) throw new Error(`${argv.slice(0, 4).join(' ')} ended with ${ended.status}: ${ended.stderr}`)
  return { milliseconds, stdout: ended.stdout }
}

/** The built program, run to its end. */
export function timedPaydesk(
  argv: readonly string[],
  home: string,
  nodeFlags: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Timed {
  return timedNode([...nodeFlags, program, ...argv], home, more)
}

interface BenchClient {
  readonly clientId: string
  readonly clientSecret: string
}

/** Known to the bare service, as every other is. */
const anyClient: BenchClient = {
  clientId: '11111111-2222-4333-8444-555555555555',
  clientSecret: 'secret-of-the-bench',
}

/** A new home with the profile `bench` for a service at an address. */
export function newBenchHome(home: string, url: string, { clientId, clientSecret } = anyClient): void {
  mkdirSync(home, { recursive: true })
  const secret = join(home, 'bench.secret')
  writeFileSync(secret, `${clientSecret}\n`, { mode: 0o600 })
  timedPaydesk(
    [
      ...['profile', 'add', 'bench', '--base-url', url, '--environment', 'test'],
      ...['--client-id', clientId, '--client-secret-file', secret],
    ],
    home,
  )
}

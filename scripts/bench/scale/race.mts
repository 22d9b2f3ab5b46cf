/** One race: workers of a team pay a file over one Postgres. What it took is read from the store and from the processes. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { csvOf, written } from '../batch/payees.mts'
import { newBenchHome, program, timedPaydesk } from '../batch/program.mts'
import { served } from '../batch/served.mts'
import { type BenchServer, coreSeconds } from '../fleet/postgres.mts'

export interface Setting {
  readonly workers: number
  /** Requests of a worker on their way at once. */
  readonly concurrency: number
  /** Milliseconds after which the service answers. */
  readonly late: number
  /** Milliseconds that the way to the store takes in one direction, besides its own. */
  readonly storeLate: number
  readonly rows: number
}

export interface Result extends Setting {
  /** Rows a second, from the first attempt to the last answer that was recorded. */
  readonly rate: number
  readonly commits: number
  readonly seconds: number
  /** Milliseconds of the processor for a row: of the server, and of all workers. */
  readonly serverCpu: number
  readonly workerCpu: number
  /** Bytes of the server's log for a row. */
  readonly logged: number
  /** Share of the time in which somebody has the store's row, and in which the server waits for a client that has it. */
  readonly heldShare: number
  readonly idleShare: number
  /** Writers that wait for the store's row, on average. */
  readonly waiting: number
}

interface Place {
  readonly directory: string
  readonly server: BenchServer
  /** The script of the service. */
  readonly service: string
}

async function delayed(
  address: string,
  late: number,
): Promise<{ readonly address: string; readonly stop: () => void }> {
  if (late === 0) return { address, stop: () => undefined }
  const { port } = new URL(address)
  const child = fork(join(import.meta.dirname, 'delay.cjs'), [port, String(late)], { execArgv: [] })
  const [other] = (await once(child, 'message')) as [number]
  return { address: address.replace(`:${port}/`, `:${other}/`), stop: () => child.kill() }
}

function started(argv: readonly string[], home: string, more: Readonly<Record<string, string>>): ChildProcess {
  const env = { PATH: process.env.PATH ?? '', HOME: home, PAYDESK_HOME: home, ...more }
  return spawn(process.execPath, [program, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function worker(home: string, concurrency: number, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = started(['worker', 'start', '-p', 'bench', '--concurrency', String(concurrency)], home, env)
  child.stdout?.resume()
  await once(child.stderr as NonNullable<ChildProcess['stderr']>, 'data')
  child.stderr?.resume()
  return child
}

let homes = 0

export async function race(place: Place, setting: Setting): Promise<Result> {
  const { directory, server } = place
  const { workers, concurrency, late, storeLate, rows } = setting
  const store = await server.newStore()
  const { child: service, url } = await served(place.service, late)
  const way = await delayed(store.PAYDESK_STORE, storeLate)
  homes += 1
  const home = join(directory, `scale-${homes}`)
  const near = { PAYDESK_STORE: store.PAYDESK_STORE, PGPASSWORD: store.PGPASSWORD }
  const far = { ...near, PAYDESK_STORE: way.address }
  const fleet: ChildProcess[] = []
  try {
    newBenchHome(home, url)
    const file = join(home, 'rows.csv')
    written(file, csvOf(rows))
    const plan = timedPaydesk(['batch', 'plan', file, '--key-column', 'key', '-p', 'bench', '--json'], home, [], near)
    const { planId, consent } = JSON.parse(plan.stdout) as { planId: string; consent: string }
    fleet.push(...(await Promise.all(Array.from({ length: workers }, () => worker(home, concurrency, far)))))
    const before = await server.look(store)
    const pids = fleet.map(({ pid }) => pid ?? 0)
    const cores = () => [coreSeconds(server.pids()), coreSeconds(pids)] as const
    const [serverBefore, workersBefore] = cores()
    const run = started(['batch', 'run', planId, '--workers', '--confirm', consent, '--json'], home, near)
    run.stdout?.resume()
    run.stderr?.resume()
    const ended = once(run, 'exit')
    const endSampling = await server.sampleLock(store)
    const [code] = await ended
    const { looks, cores: looked } = await endSampling()
    if (code !== 0) throw new Error(`batch run ended with ${code}`)
    const after = await server.look(store)
    const [serverAfter, workersAfter] = cores()
    const seconds = after.last - after.first
    // While all of them work: not at the beginning, and not at the end.
    const within = looks.filter(({ at }) => at > after.first + seconds / 10 && at < after.last - seconds / 10)
    const sum = (of: 'held' | 'idle' | 'waiting') => within.reduce((all, each) => all + each[of], 0)
    return {
      ...setting,
      rate: rows / seconds,
      commits: after.commits - before.commits,
      seconds,
      serverCpu: (1000 * (serverAfter - serverBefore - looked)) / rows,
      workerCpu: (1000 * (workersAfter - workersBefore)) / rows,
      logged: (after.logged - before.logged) / rows,
      ...{ heldShare: sum('held') / Math.max(1, within.length), idleShare: sum('idle') / Math.max(1, sum('held')) },
      waiting: sum('waiting') / Math.max(1, within.length),
    }
  } finally {
    const ends = fleet.map((child) => once(child, 'exit'))
    for (const child of fleet) child.kill('SIGTERM')
    await Promise.all(ends)
    way.stop()
    service.kill()
    rmSync(home, { recursive: true, force: true })
  }
}

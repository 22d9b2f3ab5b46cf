/** A team's store of the crash matrix: a real Postgres that is killed, and started again at once or when the command has ended. */
import { join } from 'node:path'
import type { OwnServer } from '../../kit/postgres.ts'
import { until } from '../../kit/tools.ts'
import type { TeamCell } from './cells.ts'
import type { CrashPlace } from './place.ts'
import { strike } from './strike.cjs'

/** Servers of which each serves one cell at a time. */
export class Servers {
  readonly #free: OwnServer[]
  readonly #waiting: ((server: OwnServer) => void)[] = []

  constructor(all: readonly OwnServer[]) {
    this.#free = [...all]
  }

  async lent<Result>(work: (server: OwnServer) => Promise<Result>): Promise<Result> {
    const server = this.#free.pop() ?? (await new Promise<OwnServer>((resolve) => this.#waiting.push(resolve)))
    try {
      return await work(server)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(server)
      else this.#free.push(server)
    }
  }
}

/** Starts a server again once it is dead. Gives what waits until it is there, and tells whether it was dead. */
function startedAgain(server: OwnServer, atOnce: boolean): () => Promise<boolean> {
  let hasEnded = false
  const { pid } = server
  const dead = () => until('the server is dead, or the command', () => !server.isRunning() || hasEnded)
  const back = atOnce ? dead().then(() => server.start()) : Promise.resolve()
  return async () => {
    hasEnded = true
    await back
    await server.start()
    return server.pid !== pid
  }
}

/** An empty store in a server, for one cell. */
export async function inServer(server: OwnServer, { crash }: Pick<TeamCell, 'crash'>): Promise<CrashPlace> {
  const address = await server.newAddress()
  let back = async () => false
  const befall = (kind: string, pid: number) => strike(kind, pid, '', server.pid)
  return {
    env: { PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' },
    // Long enough for a busy machine. A server that is back at once is waited for; one that is gone is not worth a long wait.
    patience: ['--timeout', crash === 'database gone' ? '6s' : '20s', '--answer-timeout', '3s'],
    more: [12],
    crashing: (_home, cell) => {
      back = startedAgain(server, crash === 'database killed')
      return {
        NODE_OPTIONS: `--require=${join(import.meta.dirname, 'team-boundary.cjs')}`,
        ...{ CRASH_AT: cell.boundary, CRASH_KIND: cell.crash },
        ...{ CRASH_PORT: String(server.port), CRASH_SERVER: String(server.pid) },
      }
    },
    strike: (_home, kind, pid) => befall(kind, pid),
    isThere: () => true,
    mended: async () => (await back()) === (crash !== 'kill -9'),
  }
}

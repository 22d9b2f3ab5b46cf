/** Agents that keep their connection for the next request. */
import type { Dispatcher } from 'undici'
import { agentWith, directAgentWith, type Hearing, type TransportSettings } from '../agent.ts'
import type { Overheard } from '../overheard.ts'
import { OwnSockets } from '../own-sockets.ts'
import type { SendLimits } from '../transport.ts'

/**
 * A service closes a connection that rests, and a request that meets the end of one may be executed or not. So it is kept for
 * much less than services do (Node 5 s, nginx 75 s), and less than they announce (Keep-Alive: timeout).
 */
const kept = { keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000, keepAliveTimeoutThreshold: 2_000 }

export type Keeping = Pick<SendLimits, 'connectTimeout'>

/** An agent that keeps its connection. */
export interface Keeper {
  readonly agent: Dispatcher
  /** The connection that it has now, or had last; null until the first stands. */
  readonly connection: () => Overheard | null
  /** Hangs up, and takes no connection any more. */
  readonly end: () => void
}

/**
 * An agent that keeps one connection to an origin for the next request. Before it is used again undici looks whether it ended
 * meanwhile.
 */
export function keepingAgentFor(settings: TransportSettings, origin: string, limits: Keeping): Keeper {
  let connection: Overheard | null = null
  let isOver = false
  const sockets = new OwnSockets()
  const hearing: Hearing = {
    sockets,
    refusal: () => (isOver ? 'it is over' : null),
    made: (socket) => {
      connection?.hangUp()
      connection = socket
    },
  }
  const isDirect = !settings.proxies?.httpProxy && !settings.proxies?.httpsProxy
  const agent = isDirect
    ? directAgentWith(settings, origin, limits, hearing, kept)
    : agentWith(settings, limits, hearing, { ...kept, connections: 1 })
  const end = () => {
    isOver = true
    connection?.hangUp()
    agent.destroy().catch(() => undefined)
    sockets.end()
  }
  return { agent, connection: () => connection, end }
}

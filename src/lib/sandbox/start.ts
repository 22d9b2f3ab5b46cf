/** Runs the sandbox as the server of its directory: one at a time, its address left where the built-in profiles look. */
import { alreadyRunning, announce, runningServer, withdraw } from './address.ts'
import type { Sandbox } from './sandbox.ts'
import { type ServeSettings, serve } from './server.ts'

/** The one line that a program waits for before it sends anything. */
export interface Ready {
  readonly event: 'ready'
  readonly url: string
  readonly pid: number
  /** The address of its pages, once it has some. */
  readonly dashboard: string | null
}

export interface Started {
  readonly ready: Ready
  /** Takes the address back and ends every connection. */
  close(): Promise<void>
}

/** Throws a Failure: locked (12) where another one runs on this world, usage (2) where it cannot listen. */
export async function start(sandbox: Sandbox, directory: string, settings: ServeSettings): Promise<Started> {
  const { worldId } = await sandbox.world()
  // Before the port: "it runs already" says more than "the port is taken".
  const other = await runningServer(directory, worldId)
  if (other) throw alreadyRunning(other)
  const served = await serve(sandbox, settings)
  const address = { url: served.url, pid: process.pid }
  try {
    await announce(directory, worldId, address)
  } catch (error) {
    await served.close()
    throw error
  }
  const close = async () => {
    withdraw(directory, address)
    await served.close()
  }
  return { ready: { event: 'ready', ...address, dashboard: null }, close }
}

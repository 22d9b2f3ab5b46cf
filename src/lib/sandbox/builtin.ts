/**
 * The sandbox behind the built-in profiles: the one that `paydesk sandbox start` runs if there is one, else one in this
 * process for as long as the command takes. Either way it is reached over a real socket, so that the desk does exactly what
 * it does to the live service, and either way the world comes from the same store.
 */
import type { Clock, Random } from '../edge.ts'
import { claimedAddress, runningServer } from './address.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'
import { serve } from './server.ts'
import type { DistributorClient } from './world.ts'

export interface Attached {
  readonly url: string
  readonly worldId: string
  readonly clients: readonly DistributorClient[]
  /** Closes everything, so that the process can end. A server in another process goes on. */
  close(): Promise<void>
}

async function attachTo(sandbox: Sandbox, directory: string): Promise<Attached> {
  const { worldId, distributorClients: clients } = await sandbox.world()
  const running = await runningServer(directory, worldId)
  if (running) return { url: running.url, worldId, clients, close: () => sandbox.close() }
  const served = await serve(sandbox)
  const close = async () => {
    await served.close()
    await sandbox.close()
  }
  return { url: served.url, worldId, clients, close }
}

export async function attach(directory: string, clock: Clock, random: Random): Promise<Attached> {
  const sandbox = await openSandbox(directory, clock, random)
  try {
    return await attachTo(sandbox, directory)
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/** Where `paydesk sandbox start` listens unless told otherwise. */
export const usualPort = 4010

/** Who exists, and where the service is or would be, for commands that send nothing: no socket is opened. */
export async function consult(directory: string, clock: Clock, random: Random): Promise<Attached> {
  const sandbox = await openSandbox(directory, clock, random)
  try {
    const { worldId, distributorClients: clients } = await sandbox.world()
    const url = claimedAddress(directory)?.url ?? `http://127.0.0.1:${usualPort}`
    return { url, worldId, clients, close: () => sandbox.close() }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/**
 * The sandbox behind the built-in profiles: the one that `paydesk sandbox start` runs if there is one, else one in this
 * process for as long as the command takes. Either way it is reached over a real socket, so that the desk does exactly what
 * it does to the live service, and either way the world comes from the same store.
 */
import type { Clock, Random } from '../../edge.ts'
import { openSandbox, type Sandbox } from '../sandbox.ts'
import { claimedAddress, runningServer } from '../server/address.ts'
import { serve } from '../server/server.ts'
import type { IntegratorSeals, WalletIntegratorSeals } from '../world/seals.ts'
import type { DistributorClient } from '../world/world.ts'

export interface SandboxConnection {
  readonly url: string
  readonly worldId: string
  readonly clients: readonly DistributorClient[]
  /** Whether `sandbox start` runs: a payer reaches a checkout page only then. */
  readonly running: boolean
  /** Null for an unknown name. The first call makes keys, which takes a moment. */
  integrator(name: string): Promise<IntegratorSeals | null>
  walletIntegrator(name: string): Promise<WalletIntegratorSeals | null>
  /** Closes everything, so that the process can end. A server in another process goes on. */
  close(): Promise<void>
}

async function known(sandbox: Sandbox) {
  const { worldId, distributorClients: clients } = await sandbox.world()
  return {
    worldId,
    clients,
    integrator: (name: string) => sandbox.integrator(name),
    walletIntegrator: (name: string) => sandbox.walletIntegrator(name),
  }
}

/** Where `paydesk sandbox start` listens unless told otherwise. */
export const usualPort = 4010
const usualHost = `127.0.0.1:${usualPort}`

async function attachTo(sandbox: Sandbox, directory: string): Promise<SandboxConnection> {
  const facts = await known(sandbox)
  const running = await runningServer(directory, facts.worldId)
  if (running) return { ...facts, url: running.url, running: true, close: () => sandbox.close() }
  // This server ends with the command: payers come to the one that is started for them.
  const served = await serve(sandbox, { payersAt: usualHost })
  const close = async () => {
    await served.close()
    await sandbox.close()
  }
  return { ...facts, url: served.url, running: false, close }
}

export async function attach(directory: string, clock: Clock, random: Random): Promise<SandboxConnection> {
  const sandbox = await openSandbox(directory, clock, random)
  try {
    return await attachTo(sandbox, directory)
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/** Who exists, and where the service is or would be, for commands that send nothing: no socket is opened. */
export async function consult(directory: string, clock: Clock, random: Random): Promise<SandboxConnection> {
  const sandbox = await openSandbox(directory, clock, random)
  try {
    const facts = await known(sandbox)
    const claimed = claimedAddress(directory)
    const url = claimed?.url ?? `http://${usualHost}`
    return { ...facts, url, running: claimed !== null, close: () => sandbox.close() }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

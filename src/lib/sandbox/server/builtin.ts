/**
 * The sandbox behind the built-in profiles: the one that `paydesk sandbox start` runs if there is one, else one in this
 * process for as long as the command takes. Either way it is reached over a real socket, so that the desk does exactly what
 * it does to the live service, and either way the world comes from the same store.
 */
import type { NamedAccount } from '../../contract/payout/payee.ts'
import type { Clock, Random } from '../../edge.ts'
import type { TransportSettings } from '../../http/client.ts'
import type { ListeningServer } from '../../http/server.ts'
import { openSandbox, type Sandbox } from '../sandbox.ts'
import { claimedAddress, runningServer, transportTo } from './address.ts'
import { serve } from './server.ts'

async function factsOf(sandbox: Sandbox) {
  return {
    ...(await sandbox.clients()),
    /** Null for an unknown name. The first call makes keys, which takes a moment. */
    integrator: (name: string) => sandbox.integrator(name),
    walletIntegrator: (name: string) => sandbox.walletIntegrator(name),
    /** Those whom a client can pay, to choose from. */
    payees: (name: string) => payeesOf(sandbox, name),
    /** The receivers of orders, or the addresses of payment QR codes, to choose from. */
    receivers: sandbox.receivers,
  }
}

interface SandboxConnection extends Awaited<ReturnType<typeof factsOf>> {
  readonly url: string
  readonly transport: TransportSettings
  /** True if `sandbox start` runs: a payer reaches a checkout page only then. */
  readonly running: boolean
}

/** Registered receivers, or the first GEL account of each other client, by the way in which this one pays out. */
async function payeesOf(sandbox: Sandbox, client: string): Promise<readonly NamedAccount[]> {
  const { distributorClients, receivers } = await sandbox.world()
  const own = distributorClients.find(({ name }) => name === client)
  if (own?.paysOutBy === 'receiver') {
    return receivers.map(({ name, receiverType, receiverId }) => ({ name, account: `${receiverType} ${receiverId}` }))
  }
  return distributorClients.flatMap(({ name, accounts }) => {
    const account = accounts.find(({ currency }) => currency === 'GEL')
    return account && name !== client ? [{ name, account: account.iban }] : []
  })
}

/** The address at which `paydesk sandbox start` listens unless told otherwise. */
export const usualPort = 4010
const usualHost = `127.0.0.1:${usualPort}`

/** The address at which the service of a directory is reached, or will be once `sandbox start` runs. */
export function addressIn(directory: string): string {
  return claimedAddress(directory)?.url ?? `http://${usualHost}`
}

async function wrapSandbox(sandbox: Sandbox, directory: string) {
  const facts = await factsOf(sandbox)
  let served: Promise<ListeningServer> | null = null
  return {
    /** Serves requests from here on, where no server runs yet. */
    async attach(): Promise<SandboxConnection> {
      const running = await runningServer(directory, facts.worldId)
      const url = running?.url
      if (url !== undefined) return { ...facts, url, transport: transportTo(directory, url), running: true }
      // This server ends with the command: payers need the one that is started for them.
      served ??= serve(sandbox, { checkoutBase: `http://${usualHost}` })
      return { ...facts, url: (await served).url, transport: {}, running: false }
    },
    /** The tenants, and where the service is or would be, for commands that send nothing: no socket is opened. */
    async consult(): Promise<SandboxConnection> {
      const url = addressIn(directory)
      return { ...facts, url, transport: transportTo(directory, url), running: claimedAddress(directory) !== null }
    },
    /** Closes everything, so that the process can end. A server in another process goes on. */
    async close(): Promise<void> {
      await (await served)?.close()
      await sandbox.close()
    },
  }
}

/** Opens the sandbox of a directory; a new one gets a world. */
export async function openBuiltIn(directory: string, clock: Clock, random: Random) {
  const sandbox = await openSandbox(directory, clock, random)
  try {
    return await wrapSandbox(sandbox, directory)
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

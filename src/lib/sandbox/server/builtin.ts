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

/** Opens the sandbox of a directory; a new one gets a world. */
export async function openBuiltIn(directory: string, clock: Clock, random: Random) {
  const sandbox = await openSandbox(directory, clock, random)
  const clients = await sandbox.clients().catch(async (error) => {
    await sandbox.close()
    throw error
  })
  /** `running`: `sandbox start` runs, and a payer reaches a checkout page only then. */
  const connection = (url: string, transport: TransportSettings, running: boolean) => ({
    ...clients,
    ...{ url, transport, running },
    /** Null for an unknown name. The first call makes keys, which takes a moment. */
    integrator: sandbox.integrator,
    walletIntegrator: sandbox.walletIntegrator,
    /** Those whom a client can pay, to choose from. */
    payees: (client: string) => payeesOf(sandbox, client),
    receivers: sandbox.receivers,
  })
  let served: Promise<ListeningServer> | null = null
  return {
    /** Serves requests from here on, where no server runs yet. */
    async attach() {
      const url = (await runningServer(directory, clients.worldId))?.url
      if (url !== undefined) return connection(url, transportTo(directory, url), true)
      // This server ends with the command: payers need the one that is started for them.
      served ??= serve(sandbox, { checkoutBase: `http://${usualHost}` })
      return connection((await served).url, {}, false)
    },
    /** The clients, and where the service is or would be, for commands that send nothing: no socket is opened. */
    async consult() {
      const url = addressIn(directory)
      return connection(url, transportTo(directory, url), claimedAddress(directory) !== null)
    },
    /** Closes everything, so that the process can end. A server in another process goes on. */
    async close(): Promise<void> {
      await (await served)?.close()
      await sandbox.close()
    },
  }
}

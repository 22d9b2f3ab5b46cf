/** Runs the sandbox as the server of its directory: one at a time, its address left where the built-in profiles look. */

import type { Clock, Random } from '../../edge.ts'
import { freshTransport } from '../../http/client.ts'
import { readAllowedHosts } from '../../http/host-check.ts'
import { reachable } from '../../http/server.ts'
import type { ResultOf } from '../../result.ts'
import type { CallbackForm } from '../../store/sandbox/callbacks.ts'
import type { Courier, CourierSettings } from '../callbacks/courier.ts'
import { onThisMachine } from '../callbacks/host.ts'
import type { Sandbox } from '../sandbox.ts'
import { announce, authorityFile, leaveAuthority, onlyServer, withdraw } from '../server/address.ts'
import { type ServeSettings, serve } from '../server/server.ts'
import { windowAddress } from '../window/window.ts'
import type { NewWorld } from '../world/begin.ts'
import type { sandboxReadyResult } from './result.ts'

/** The one line that a program waits for before it sends anything. */
export type SandboxReady = ResultOf<typeof sandboxReadyResult>

export interface StartSettings extends Omit<ServeSettings, 'tls'>, Pick<CourierSettings, 'onAttempt' | 'onTrouble'> {
  /** The form of callbacks from now on; as before if not given. */
  readonly callbacks?: CallbackForm | undefined
  /** Changes of the world: its settings, the number of the next transaction. As before where nothing is given. */
  readonly world?: NewWorld
  /** Serves https, with a certificate made of these. */
  readonly certifiedBy?: { readonly clock: Clock; readonly random: Random } | undefined
  /** True if callbacks go to this machine only. */
  readonly callsOnlyHere?: boolean
}

export interface Started {
  readonly ready: SandboxReady
  /** Takes the address back and ends every connection, callbacks that are under way among them. */
  close(): Promise<void>
}

/** Throws a Failure: locked (12) where another one runs on this world, usage (2) where it cannot listen or count from there. */
export async function startSandbox(sandbox: Sandbox, directory: string, settings: StartSettings): Promise<Started> {
  // Before the port: "it runs already" says more than "the port is taken".
  const free = await onlyServer(directory)
  try {
    return await startAlone(sandbox, directory, settings, free)
  } catch (error) {
    free()
    throw error
  }
}

/** The certificate of a server that is to serve https; its authority is left for others first. */
async function certified(
  directory: string,
  { certifiedBy, host = '127.0.0.1', allowHosts = [] }: StartSettings,
): Promise<Pick<ServeSettings, 'tls'>> {
  if (!certifiedBy) return {}
  const { serverCertificate } = await import('./certificate.ts')
  const names = [reachable(host).replace(/^\[|\]$/g, ''), ...readAllowedHosts(allowHosts)]
  const { authority, ...tls } = await serverCertificate(names, certifiedBy)
  leaveAuthority(directory, authority)
  return { tls }
}

async function startAlone(
  sandbox: Sandbox,
  directory: string,
  settings: StartSettings,
  free: () => void,
): Promise<Started> {
  const { firstTransactionId, ...changed } = settings.world ?? {}
  if (firstTransactionId !== undefined) await sandbox.numberTransactionsFrom(firstTransactionId)
  await sandbox.set(changed)
  const { worldId } = await sandbox.world()
  let courier: Courier | null = null
  const onRequest: ServeSettings['onRequest'] = (line) => {
    settings.onRequest?.(line)
    courier?.wake()
  }
  const secured = await certified(directory, settings)
  const served = await serve(sandbox, { ...settings, ...secured, onRequest })
  const address = { url: served.url, pid: process.pid }
  try {
    await announce(directory, worldId, address)
  } catch (error) {
    await served.close()
    throw error
  }
  if (settings.callbacks) await sandbox.callbacks.setForm(settings.callbacks)
  const { onAttempt, onTrouble } = settings
  const transport = settings.callsOnlyHere ? onThisMachine(freshTransport()) : freshTransport()
  courier = sandbox.callbacks.courier({ transport, onAttempt, onTrouble })
  const close = async () => {
    withdraw(directory, address)
    await courier?.close()
    await served.close()
    free()
  }
  const dashboard = settings.window ? windowAddress(served.url, settings.window) : null
  const authority = secured.tls ? authorityFile(directory) : null
  return { ready: { event: 'ready', ...address, dashboard, authority }, close }
}

/**
 * Runs the sandbox as the server of its directory: one at a time, its address left where the built-in profiles look.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Clock, Random } from '../../edge.ts'
import { freshTransport } from '../../http/client.ts'
import { isLoopbackHost, readAllowedHosts } from '../../http/host-check.ts'
import { reachable } from '../../http/server.ts'
import type { ResultOf } from '../../result.ts'
import type { Row } from '../../store/sandbox/schema.ts'
import type { NewWorld } from '../accounts/world.ts'
import type { Courier, CourierSettings } from '../courier.ts'
import type { Sandbox } from '../sandbox.ts'
import { authorityFile, lockDirectory, removeAddress, writeAddress, writeAuthority } from './address.ts'
import { type ConsoleSettings, type ServeSettings, serve } from './server.ts'

/** The one line that a program waits for before it sends anything. */
export type SandboxReady = ResultOf<typeof sandboxReadyResult>

interface StartSettings extends Omit<ServeSettings, 'tls'>, Pick<CourierSettings, 'onAttempt' | 'onTrouble'> {
  /** The form of callbacks from now on; as before if not given. */
  readonly callbacks?: Row<'world'>['callbacks'] | undefined
  /** Changes of the world: its settings, the number of the next transaction. As before where nothing is given. */
  readonly world?: NewWorld
  /** Serves https, with a certificate made of these. */
  readonly certifiedBy?: { readonly clock: Clock; readonly random: Random } | undefined
}

interface Started {
  readonly ready: SandboxReady
  /** Takes the address back and ends every connection, callbacks that are under way among them. */
  close(): Promise<void>
}

/** The certificate of a server that is to serve https; its authority is left for others first. */
async function makeCertificate(
  directory: string,
  { certifiedBy, host = '127.0.0.1', allowHosts = [] }: StartSettings,
): Promise<Pick<ServeSettings, 'tls'>> {
  if (!certifiedBy) return {}
  const { serverCertificate } = await import('./certificate.ts')
  const names = [reachable(host).replace(/^\[|\]$/g, ''), ...readAllowedHosts(allowHosts)]
  const { authority, ...tls } = await serverCertificate(names, certifiedBy)
  writeAuthority(directory, authority)
  return { tls }
}

/** The address of the console for a browser on this machine; null where the server cannot be reached from the loopback. */
function consoleAddress(url: string, { token }: ConsoleSettings): string | null {
  return isLoopbackHost(new URL(url).host) ? `${url}/_sandbox?token=${token}` : null
}

/** Throws a Failure: locked (12) where another one runs on this world, usage (2) where it cannot listen or count from there. */
export async function startSandbox(sandbox: Sandbox, directory: string, settings: StartSettings): Promise<Started> {
  // Before the port: "it runs already" says more than "the port is taken".
  const free = await lockDirectory(directory)
  try {
    const { firstTransactionId, ...changed } = settings.world ?? {}
    if (firstTransactionId !== undefined) await sandbox.numberTransactionsFrom(firstTransactionId)
    await sandbox.set(changed)
    const secured = await makeCertificate(directory, settings)
    let courier: Courier | null = null
    const onRequest: ServeSettings['onRequest'] = (line) => {
      settings.onRequest?.(line)
      courier?.wake()
    }
    const served = await serve(sandbox, { ...settings, ...secured, onRequest })
    const address = { url: served.url, pid: process.pid }
    writeAddress(directory, address)
    if (settings.callbacks) await sandbox.callbacks.setForm(settings.callbacks)
    const { onAttempt, onTrouble } = settings
    courier = sandbox.callbacks.courier({ transport: freshTransport(), onAttempt, onTrouble })
    const close = async () => {
      removeAddress(directory)
      await courier?.close()
      await served.close()
      free()
    }
    const dashboard = settings.console ? consoleAddress(served.url, settings.console) : null
    const authority = secured.tls ? authorityFile(directory) : null
    return { ready: { event: 'ready', ...address, dashboard, authority }, close }
  } catch (error) {
    free()
    throw error
  }
}

export const sandboxReadyResult = z
  .strictObject({
    event: z.literal('ready'),
    url: z.string(),
    pid: z.int(),
    dashboard: z
      .string()
      .nullable()
      .describe('The address of its console, with the token that opens it; null where this machine cannot reach it.'),
    authority: z
      .string()
      .nullable()
      .describe(
        'With --tls the file of the authority (PEM) that clients have to trust; new with every start. Else null.',
      ),
  })
  .describe('One line, as soon as it answers; the command ends with 130 or 143 when it is stopped.')

async function bundledNow(root: string): Promise<string> {
  const { bundleConsoleScript } = await import(pathToFileURL(join(root, 'scripts/build/page-script.mts')).href)
  return String(await bundleConsoleScript())
}

/**
 * The script of the console, read when a page is asked for first: a file of the build; run from source, it is bundled then.
 * `root` is the folder of the package.
 */
export function consoleScript(root: string): () => Promise<string> {
  let script: Promise<string> | null = null
  return () => {
    script ??= readFile(join(root, 'dist/console.js'), 'utf8').catch(() => bundledNow(root))
    return script
  }
}

/** The service of a race of workers: a bare server, or the sandbox with a world of its own each time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { newBenchHome, program, timedPaydesk } from '../batch/program.mts'
import { builtParts, served } from '../batch/served.mts'

export interface RaceService {
  /** Makes a home whose profile `bench` is a client of it; gives what ends the service of this race. */
  readonly enter: (home: string) => Promise<() => Promise<void>>
  readonly stop: () => void
}

export async function bareService(directory: string, late: number): Promise<RaceService> {
  const { service } = await builtParts(directory)
  const { child, url } = await served(service, late)
  return {
    enter: async (home) => {
      newBenchHome(home, url)
      return async () => undefined
    },
    stop: () => void child.kill(),
  }
}

/** It answers so many milliseconds later than it would. */
export function sandboxService(directory: string, late: number): RaceService {
  let worlds = 0
  const enter = async (home: string) => {
    const own = join(directory, `sandbox-${worlds}`)
    worlds += 1
    const env = { PATH: process.env.PATH ?? '', HOME: own, PAYDESK_HOME: own }
    const child = spawn(process.execPath, [program, 'sandbox', 'start', '--port', '0', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [line] = await once(child.stdout, 'data')
    const { url } = JSON.parse(String(line)) as { url: string }
    child.stdout.resume()
    timedPaydesk(['sandbox', 'fault', 'add', '--kind', 'slow', '--delay', `${late}ms`, '--per-mille', '1000'], own)
    const world = JSON.parse(timedPaydesk(['sandbox', 'world', '--json'], own).stdout) as {
      distributorClients: readonly { clientId: string; clientSecret: string }[]
    }
    const [client] = world.distributorClients
    if (!client) throw new Error('the sandbox has no client')
    newBenchHome(home, url, client)
    return async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
  return { enter, stop: () => undefined }
}

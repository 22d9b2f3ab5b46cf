/** Listening on this machine, for the commands that serve. */
import type { AddressInfo, Server } from 'node:net'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'

/** The port that was taken. Throws Failure('usage') where there is none to take. */
export function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'the port is taken' : error.message
      const hints = [hint`Choose another with --port; --port 0 takes any free one.`]
      reject(new Failure('usage', `cannot listen on ${host} port ${port}: ${why}`, { hints }))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** The host as programs on this machine reach it. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** The figures and the health of a worker over HTTP: loaded by those alone who ask for a port. */
import { Flags } from '@oclif/core'
import type { WorkerMetrics } from '../../fleet/metrics.ts'
import { allowHostFlag } from '../flags/named.ts'
import type { Invocation } from '../invocation.ts'

export const servingFlags = {
  port: Flags.integer({
    description: 'serve /healthz, /readyz and /metrics (Prometheus) on this port; 0 takes any free one',
    min: 0,
    max: 65_535,
  }),
  host: Flags.string({
    description: 'address to serve them on, 127.0.0.1 unless given; anything but the loopback opens them to others',
    dependsOn: ['port'],
  }),
  'allow-host': allowHostFlag,
}

export interface ServingFlags {
  readonly port?: number | undefined
  readonly host?: string | undefined
  readonly 'allow-host'?: readonly string[] | undefined
}

/** A line about the server among the events of a worker. */
export type ServingEvent =
  | { readonly event: 'open'; readonly why: string }
  | {
      readonly event: 'refused'
      readonly method: string
      readonly target: string
      readonly status: number
      readonly why: string
    }

/** Serves until the command ends. Gives its address. Throws usage (2) where the port is taken. */
export async function servedFigures(
  invocation: Invocation,
  figures: WorkerMetrics,
  { port = 0, host = '127.0.0.1', 'allow-host': allowHosts }: ServingFlags,
  tell: (event: ServingEvent) => void,
): Promise<string> {
  const { metricsContentType } = await import('../../fleet/metrics.ts')
  const { isOpenToOthers, servePages, textPage } = await import('../../http/server.ts')
  if (isOpenToOthers(host))
    tell({ event: 'open', why: `listening on ${host}: whoever reaches it can read the figures` })
  const { url, close } = await servePages({
    ...{ host, port, allowHosts },
    onTurnedAway: (turned) => tell({ event: 'refused', ...turned }),
    page: async ({ path }) => {
      if (path === '/healthz') return textPage(200, 'alive')
      if (path === '/metrics') {
        return { status: 200, headers: { 'content-type': metricsContentType }, text: await figures.text() }
      }
      if (path !== '/readyz') return textPage(404, 'there are /healthz, /readyz and /metrics')
      const why = await figures.unready()
      return why === null ? textPage(200, 'ready') : textPage(503, why)
    },
  })
  invocation.closeAtEnd(close)
  return url
}

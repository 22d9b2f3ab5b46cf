/** The fleet of a command’s team, and the figures and the health of a worker over HTTP. */
import { Flags, type Interfaces } from '@oclif/core'
import { Failure } from '../../failure.ts'
import type { OpenedFleet } from '../../fleet/fleet.ts'
import type { WorkerMetrics } from '../../fleet/metrics.ts'
import { hint, paste } from '../../hint.ts'
import { teamSettings } from '../../journal/team.ts'
import type { Profile } from '../../profile/profile.ts'
import { journalPlace } from '../desk/journal.ts'
import { allowHostFlag } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'

/** The address of the team's store, and how long it is waited for. Throws usage (2) where there is no team. */
export function teamOf(invocation: Invocation) {
  const place = journalPlace(invocation)
  if (place.team !== null) return { address: place.team, settings: teamSettings(place, invocation.edge.clock) }
  throw new Failure('usage', "workers need a team's store, but PAYDESK_STORE is not set and the profile names none", {
    hints: [hint`Set PAYDESK_STORE=postgres://… for \`${paste('worker start')}\`: see docs/how-to/teams.md.`],
  })
}

/** Opened until the command ends. */
export async function fleetOf(invocation: Invocation, profile: Profile, supervises: boolean): Promise<OpenedFleet> {
  const { address, settings } = teamOf(invocation)
  const { openFleet } = await import('../../fleet/fleet.ts')
  // A worker ends in its own time: its store must not let go of it when it is asked to stop.
  const { signal: _, ...lasting } = settings
  const opened = await openFleet(address, supervises ? lasting : settings, { place: profile, supervises })
  invocation.closeAtEnd(opened.close)
  return opened
}

/** The figures and the health of a worker over HTTP: loaded by those alone who ask for a port. */
export const servingFlags = {
  port: Flags.integer({
    description: 'serve /healthz, /readyz and /metrics (Prometheus) on this port; 0 takes a free one',
    min: 0,
    max: 65_535,
  }),
  host: Flags.string({
    description: 'address for --port; default 127.0.0.1, other addresses can be reached from other machines',
    dependsOn: ['port'],
  }),
  'allow-host': allowHostFlag,
}

type ServingFlags = Interfaces.InferredFlags<typeof servingFlags>

/** A line about the server among the events of a worker. */
type ServingEvent =
  | { readonly event: 'open'; readonly why: string }
  | {
      readonly event: 'refused'
      readonly method: string
      readonly target: string
      readonly status: number
      readonly why: string
    }

/** Serves until the command ends. Gives its address. Throws usage (2) where the port is taken. */
export async function serveFigures(
  invocation: Invocation,
  figures: WorkerMetrics,
  { port = 0, host = '127.0.0.1', 'allow-host': allowHosts }: ServingFlags,
  tell: (event: ServingEvent) => void,
): Promise<string> {
  const { metricsContentType } = await import('../../fleet/metrics.ts')
  const { isOpenToOthers, servePages, textPage } = await import('../../http/server.ts')
  if (isOpenToOthers(host)) tell({ event: 'open', why: `listening on ${host}: other machines can read the metrics` })
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

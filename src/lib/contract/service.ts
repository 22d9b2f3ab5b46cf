/** This machine by its names and numbers, as the URL parser writes them. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/

/**
 * Which service an address means, however it is spelled. Ids and business keys are the service's: the prefix of its address,
 * the case of its host, a default port, a dot at the end and the names of this machine make no other service. The sandbox has
 * a name in the place of an address.
 */
export function originOf(service: string): string {
  if (!/^https?:/i.test(service)) return service
  const { protocol, hostname, port } = new URL(service)
  const name = hostname.replace(/\.$/, '')
  return `${protocol}//${loopback.test(name) ? '127.0.0.1' : name}${port === '' ? '' : `:${port}`}`
}

/** A service at its address: what it is known by, and where it is asked. */
export interface ServicePlace {
  /** Where requests go: an address, or sandbox:<worldId>. */
  readonly service: string
  /** The service's own name in the journal; it stays when the service moves to another address. */
  readonly serviceId: string
  readonly environment: string
  readonly clientId: string
}

/** Whether two places are one client of one service: the same identity or the same address, in the same environment. */
export function isSameService(one: ServicePlace, other: ServicePlace): boolean {
  const same = one.serviceId === other.serviceId || originOf(one.service) === originOf(other.service)
  return same && one.environment === other.environment && one.clientId === other.clientId
}

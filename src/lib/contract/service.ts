/** The names and numbers of this machine, as the URL parser writes them. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/

/**
 * The service that an address means: another prefix, case of the host, default port, dot at its end or name of this
 * machine makes no other service. The sandbox has a name in the place of an address.
 */
export function originOf(service: string): string {
  if (!/^https?:/i.test(service)) return service
  const { protocol, hostname, port } = new URL(service)
  const name = hostname.replace(/\.$/, '')
  return `${protocol}//${loopback.test(name) ? '127.0.0.1' : name}${port === '' ? '' : `:${port}`}`
}

/** The names of a service, and the place of its requests. */
export interface ServicePlace {
  /** The target of requests: an address, or sandbox:<worldId>. */
  readonly service: string
  /** The service's own name in the journal; it stays when the service moves to another address. */
  readonly serviceId: string
  readonly environment: string
  readonly clientId: string
}

/** The same identity or address, in the same environment, for the same client. */
export function isSameService(one: ServicePlace, other: ServicePlace): boolean {
  const same = one.serviceId === other.serviceId || originOf(one.service) === originOf(other.service)
  return same && one.environment === other.environment && one.clientId === other.clientId
}

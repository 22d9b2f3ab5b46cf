/** The certificate that a service shows, for a person who looks for a fault; requests check it by themselves. */
import { connect } from 'node:tls'
import type { TransportSettings } from '../agent.ts'
import { trusted } from '../agent.ts'

export interface ShownCertificate {
  /** Such as "TLSv1.3". */
  readonly protocol: string
  /** The reason why it is not trusted; null where it is. */
  readonly complaint: string | null
  /** Milliseconds since 1970; NaN where it does not say. */
  readonly validTo: number
}

/** Null where no connection came about in so many milliseconds. Sends nothing but a greeting. */
export function shownCertificate(
  address: URL,
  settings: TransportSettings,
  milliseconds: number,
): Promise<ShownCertificate | null> {
  return new Promise((resolve) => {
    const host = address.hostname.replace(/^\[|\]$/g, '')
    const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host }
    // An untrusted one is to be looked at, too; nothing is sent to it.
    const wanted = { host, port: Number(address.port || 443), rejectUnauthorized: false, ...name }
    const socket = connect({ ...wanted, ...trusted(settings), ...settings.clientCertificate })
    const end = (found: ShownCertificate | null) => {
      socket.destroy()
      resolve(found)
    }
    socket.setTimeout(milliseconds, () => end(null))
    socket.on('error', () => end(null))
    socket.on('secureConnect', () => {
      const complaint = socket.authorized ? null : String(socket.authorizationError ?? 'it is not trusted')
      const validTo = Date.parse(socket.getPeerCertificate().valid_to ?? '')
      end({ protocol: socket.getProtocol() ?? 'TLS', complaint, validTo })
    })
  })
}

/**
 * The one connection of a request: which certificates it trusts, through which proxy it goes. Each request has its own, so
 * that one which breaks says nothing about another.
 */
import { rootCertificates } from 'node:tls'
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { largestBody } from '../limits.ts'
import { askingOnce } from './interceptor.ts'
import { compileParserLater } from './parser.ts'
import type { SendLimits } from './transport.ts'

export interface TransportSettings {
  /** Certificates (PEM) to trust besides those of Node. */
  readonly ca?: string
  /** The certificate (PEM) to trust instead of all others. */
  readonly authority?: string
  readonly clientCertificate?: { readonly cert: string; readonly key: string }
  /** http_proxy, https_proxy, no_proxy: usually of the environment. */
  readonly proxies?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string }
}

const oneShot = { connections: 1, pipelining: 1, keepAliveTimeout: 1, allowH2: false } as const

function trusted({ ca, authority }: TransportSettings): { readonly ca?: string[] } {
  if (authority !== undefined) return { ca: [authority] }
  return ca ? { ca: [...rootCertificates, ca] } : {}
}

export function agentFor(settings: TransportSettings, limits: SendLimits): Dispatcher {
  compileParserLater()
  const tls = {
    ...trusted(settings),
    ...(settings.clientCertificate ?? {}),
  }
  const { httpProxy, httpsProxy, noProxy } = settings.proxies ?? {}
  return new EnvHttpProxyAgent({
    ...oneShot,
    maxResponseSize: largestBody,
    connect: { timeout: limits.connectTimeout, ...tls },
    requestTls: { timeout: limits.connectTimeout, ...tls },
    headersTimeout: 0,
    bodyTimeout: 0,
    clientFactory: (proxy: URL, options: object) => new Pool(proxy, options).compose(askingOnce),
    // Given here even when empty: left out, undici would read the process environment by itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
  })
}

/**
 * The token of a page that only the owner of this machine may open. The address that a command prints carries it once; from then
 * on it is a cookie, so that it stands in no history.
 */
import { createHash, timingSafeEqual } from 'node:crypto'

/** True if two secrets are the same, found in a time that does not tell where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

interface TokenPlace {
  /** Of the cookie, without its port. */
  readonly name: string
  /** Browsers share cookies among the ports of a host: every port has its own name. */
  readonly port: number
  readonly token: string
}

/** The header that sets the cookie for a path and all below it. */
export function tokenCookie({ name, port, token }: TokenPlace, path: string): string {
  return `${name}-${port}=${token}; Path=${path}; HttpOnly; SameSite=Strict`
}

/** True if a Cookie header has the token. */
export function hasTokenCookie(header: string | undefined, { name, port, token }: TokenPlace): boolean {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(`${name}-${port}=`))?.slice(`${name}-${port}=`.length)
  return value !== undefined && isSameSecret(value, token)
}

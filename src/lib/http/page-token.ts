/**
 * The token of a page that only the owner of this machine may open: once in an address, then a cookie, so that it
 * stands in no history.
 */
import { createHash, timingSafeEqual } from 'node:crypto'

/** Takes a time that does not tell where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

interface TokenPlace {
  readonly name: string
  /** Browsers share cookies among the ports of a host. */
  readonly port: number
  readonly token: string
}

export function tokenCookie({ name, port, token }: TokenPlace, path: string): string {
  return `${name}-${port}=${token}; Path=${path}; HttpOnly; SameSite=Strict`
}

export function hasTokenCookie(header: string | undefined, { name, port, token }: TokenPlace): boolean {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.startsWith(`${name}-${port}=`))?.slice(`${name}-${port}=`.length)
  return value !== undefined && isSameSecret(value, token)
}

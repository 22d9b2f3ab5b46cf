/**
 * The address of a service as it is kept and asked. `originOf` of the contract says which service it means, and so what a
 * --key stands for: it takes the names of this machine for one host, but a certificate may hold only one of them.
 */
import { withoutEnd } from '../../ends.ts'

export type ReadAddress =
  | { readonly ok: true; readonly address: string; readonly plain: boolean; readonly loopback: boolean }
  | { readonly ok: false; readonly complaint: string }

/** True if a host name of a URL can only be this machine. Other names below `localhost` are up to a resolver. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

function complaintAbout(typed: string, url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://'
  if (url.username || url.password || /^[^/]*\/\/[^/]*@/.test(typed)) return 'must not hold a user name or a password'
  if (/[?#]/.test(typed)) return 'must not hold a query or a fragment'
  if (url.hostname.endsWith('.')) return 'must not have a host name that ends with a dot'
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'must be https: plain http goes to this machine only (127.0.0.1, [::1], localhost)'
  }
  return null
}

/** Reads an http(s) address: host in lower case, default port left out, path prefix kept, no slash at the end. */
export function readAddress(typed: string): ReadAddress {
  // The URL parser silently drops blanks, tabs and line breaks, and reads a backslash as a slash.
  const url =
    /[\s\p{Cc}\\]/u.test(typed) || !/^[a-z]+:\/\//i.test(typed) || !URL.canParse(typed) ? null : new URL(typed)
  if (!url) return { ok: false, complaint: 'must be an address like https://pay.example.com/prefix' }
  const complaint = complaintAbout(typed, url)
  if (complaint) return { ok: false, complaint }
  return {
    ok: true,
    address: url.origin + withoutEnd(url.pathname, '/'),
    plain: url.protocol === 'http:',
    loopback: isLoopback(url.hostname),
  }
}

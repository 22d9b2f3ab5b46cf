/** The address that a command sends callbacks to, and the way there. */
import { usualSettings } from '../../client/exchange.ts'
import { Failure } from '../../failure.ts'
import type { Relay } from '../../http/client.ts'
import { freshRelay } from '../../http/client.ts'
import { isLoopback } from '../../profile/settings/address.ts'
import { proxiesFor } from '../../profile/settings/proxy.ts'
import type { SharedFlags } from '../flags/shared.ts'

/** An address to send callbacks to, and what is to be said about it. Throws Failure('usage'). */
export function readTarget(
  flag: string,
  typed: string,
): { readonly target: string; readonly warnings: readonly string[] } {
  const url = /^https?:\/\/[^\s\\]+$/i.test(typed) && URL.canParse(typed) ? new URL(typed) : null
  if (!url) throw new Failure('usage', `--${flag} takes an address like http://127.0.0.1:3000/callback`)
  if (url.username || url.password || url.hash) {
    throw new Failure('usage', `--${flag} must hold no user name, password or fragment`)
  }
  const open = url.protocol === 'http:' && !isLoopback(url.hostname)
  const said = `${url.host} is reached by plain http: tokens of cards may be read on the way`
  return { target: url.href, warnings: open ? [said] : [] }
}

type Environment = Parameters<typeof proxiesFor>[1]

/** The way to an address. A target on this machine needs no proxy. */
export function relayTo(target: string, env: Environment, remark: (line: string) => void): Relay {
  const here = isLoopback(new URL(target).hostname)
  if (target.startsWith('https:') && env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    remark('CERTIFICATES ARE NOT CHECKED: NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody stand in for the target')
  }
  return freshRelay(here ? {} : { proxies: proxiesFor(target, env) })
}

/** The time that one callback may take on its way. */
export function relayLimits(flags: SharedFlags) {
  return {
    connectTimeout: flags['connect-timeout'] ?? usualSettings.connectTimeout,
    answerTimeout: flags['answer-timeout'] ?? usualSettings.answerTimeout,
  }
}

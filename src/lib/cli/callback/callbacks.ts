/**
 * The callbacks of this person, the keys that open them, the secret of their signatures, and the addresses that they are
 * sent on to.
 */
import { existsSync } from 'node:fs'
import { Args, Flags } from '@oclif/core'
import type { CallbackStore, HeardCallback } from '../../callback/callbacks.ts'
import { signer } from '../../callback/open.ts'
import { usualSettings } from '../../client/exchange.ts'
import type { NamedKey } from '../../envelope/envelope.ts'
import { Failure } from '../../failure.ts'
import { freshRelay, type Relay } from '../../http/client.ts'
import { contents, mustBeOwn, warningsAbout } from '../../paths.ts'
import { isLoopback, proxiesFor } from '../../profile/address.ts'
import { secretOf } from '../../profile/secret.ts'
import { settings } from '../../profile/settings.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { KeyAccess } from '../keys.ts'

interface SignatureSecret {
  readonly webhook: ReturnType<typeof signer>
  readonly path: string
  readonly warnings: readonly string[]
}

/** `hide` hears the secret before anything is done with it. Throws Failure('credentials'). */
function secretIn(path: string, ofProfile: boolean, hide: (secret: string) => void): SignatureSecret {
  const by = ofProfile ? `--${settings.callbackSecretFile.flag}` : '--secret-file'
  mustBeOwn(path, 'the file of the secret')
  const file = contents(path)
  if ('why' in file) throw new Failure('credentials', `${by} ${path} cannot be read: ${file.why}`)
  const read = secretOf(file.bytes)
  if (!read.ok) throw new Failure('credentials', `${by} ${path} ${read.complaint}`)
  hide(read.secret)
  return { webhook: signer(read.secret, `${by} ${path}`), path, warnings: warningsAbout(path) }
}

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
  const said = `${url.host} uses plain http: card tokens can be read on the way`
  return { target: url.href, warnings: open ? [said] : [] }
}

type Environment = Parameters<typeof proxiesFor>[1]

/** The way to an address. A target on this machine needs no proxy. */
export function relayTo(target: string, env: Environment, remark: (line: string) => void): Relay {
  const here = isLoopback(new URL(target).hostname)
  if (target.startsWith('https:') && env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    remark('CERTIFICATES ARE NOT CHECKED: NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody pose as the target')
  }
  return freshRelay(here ? {} : { proxies: proxiesFor(target, env) })
}

export function relayLimits(flags: SharedFlags) {
  return {
    connectTimeout: flags['connect-timeout'] ?? usualSettings.connectTimeout,
    answerTimeout: flags['answer-timeout'] ?? usualSettings.answerTimeout,
  }
}

interface CallbackFlags extends SharedFlags {
  readonly 'private-key'?: readonly string[] | undefined
  readonly 'secret-file'?: string | undefined
}

const ofTheList = 'a callback id of `callback list`'

export const ownKeysFlag = Flags.string({
  description: 'your private key, in any format; can be repeated',
  multiple: true,
})

export const webhookSecretFlag = Flags.string({
  description: 'secret that signatures are verified with (Standard Webhooks)',
  helpValue: '<file>',
})

export const storedCallback = Args.string({ ignoreStdin: true, description: ofTheList })

export class CallbackAccess {
  readonly #invocation: Invocation
  readonly #keys: KeyAccess
  readonly #warnings = new Set<string>()

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.#keys = new KeyAccess(invocation, (line) => this.remark(line))
  }

  /** The remarks so far: for the document of the command, or its failure. */
  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  remark(...lines: readonly string[]): void {
    for (const line of lines) this.#warnings.add(line)
  }

  async remarking<Done>(work: () => Promise<Done>): Promise<Done> {
    try {
      return await work()
    } catch (error) {
      throw error instanceof Failure ? error.with({ warnings: this.warnings }) : error
    }
  }

  /** A stored callback, where a person can be asked for it. */
  async asked(): Promise<string | undefined> {
    if (!this.#invocation.canAsk) return undefined
    const { askForArgument } = await import('../usage/missing.ts')
    return askForArgument(this.#invocation, 'id', ofTheList)
  }

  async open(): Promise<CallbackStore> {
    const { CallbackStore } = await import('../../callback/callbacks.ts')
    const { places, edge, naming } = this.#invocation
    const callbacks = await CallbackStore.open(places.callbacks, edge.clock, edge.random, naming)
    this.#invocation.closeAtEnd(() => callbacks.close())
    return callbacks
  }

  /** What callbacks say that were received here; nothing where none ever was. */
  async heard(filter: Parameters<CallbackStore['heard']>[0]): Promise<readonly HeardCallback[]> {
    return existsSync(this.#invocation.places.callbacks) ? (await this.open()).heard(filter) : []
  }

  /** The name of the profile that was named or is the default; null where there is none. */
  async profileName(flags: SharedFlags): Promise<string | null> {
    const choice = await this.#keys.chosen(flags)
    return choice && (choice.kind === 'stored' ? choice.profile.name : choice.name)
  }

  /** The keys to open with. Where no profile was named, there may be none: `lacking` gets the reason. */
  async keys(flags: CallbackFlags, lacking: (why: string) => void): Promise<readonly NamedKey[]> {
    const files = flags['private-key'] ?? []
    const given = this.#keys.isGiven(files)
    try {
      if (!given && (await this.#keys.chosen(flags)) === null) {
        lacking('no profile was named, and there is no default')
        return []
      }
      return (await this.#keys.opening(flags, null, files)).keys
    } catch (error) {
      if (given || !(error instanceof Failure) || error.kind !== 'credentials') throw error
      // A name that is none is a mistake, with keys or without.
      await this.#keys.chosen(flags)
      lacking(error.message)
      return []
    }
  }

  /** The secret of signatures; null where none is set. Throws Failure('credentials'). */
  async secret(flags: CallbackFlags): Promise<SignatureSecret | null> {
    const given = flags['secret-file']
    const choice = given === undefined ? await this.#keys.chosen(flags) : null
    const ofProfile = choice?.kind === 'stored' ? choice.profile.callbackSecretFile : undefined
    const path = given ?? ofProfile
    if (path === undefined) return null
    const { redactor } = this.#invocation.output
    const read = secretIn(path, given === undefined, (secret) => redactor.hide(secret))
    this.remark(...read.warnings)
    return read
  }
}

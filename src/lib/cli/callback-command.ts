/** The base of the commands of callbacks: their store, and the keys, the secret and the way out that a profile gives them. */
import { CallbackStore } from '../callback/callbacks.ts'
import { signer } from '../callback/open/signature.ts'
import { usualSettings } from '../desk/line/line.ts'
import type { NamedKey } from '../envelope/patient.ts'
import { Failure } from '../failure.ts'
import { type Relay, socketRelay } from '../http/transport.ts'
import { chooseProfile, type ProfileChoice } from '../profile/choose.ts'
import { Profiles } from '../profile/profiles.ts'
import { secretOf } from '../profile/secrets/secret.ts'
import { isLoopback } from '../profile/settings/address.ts'
import { proxiesFor } from '../profile/settings/proxy.ts'
import { settings } from '../profile/settings/setting.ts'
import { contents, mustBeOwn, othersMayRead } from '../readable-file.ts'
import type { SharedFlags } from './command.ts'
import { DeskCommand } from './desk-command.ts'
import { ownerFor, privateKeyGiven, privateKeys } from './key-file.ts'

export interface KeyFlags extends SharedFlags {
  readonly 'private-key'?: readonly string[] | undefined
  readonly 'secret-file'?: string | undefined
}

export abstract class CallbackCommand<Result> extends DeskCommand<Result> {
  readonly #warnings = new Set<string>()

  /** What is to be said beside the result: in its document, or with the failure. */
  protected get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  protected remark(...lines: readonly string[]): void {
    for (const line of lines) this.#warnings.add(line)
  }

  /** The work; where it fails, what was to be said is said with the failure. */
  protected async remarking<Done>(work: () => Promise<Done>): Promise<Done> {
    try {
      return await work()
    } catch (error) {
      throw error instanceof Failure ? error.with({ warnings: this.warnings }) : error
    }
  }

  protected async callbacks(): Promise<CallbackStore> {
    const callbacks = await CallbackStore.open(this.places.callbacks, this.edge.clock, this.edge.random)
    this.closeAtEnd(() => callbacks.close())
    return callbacks
  }

  /** The profile that was named or is the default. Nothing is guessed: callbacks come without one, too. */
  protected async chosen(flags: SharedFlags): Promise<ProfileChoice | null> {
    const { env } = this.edge
    try {
      return await chooseProfile({ flag: flags.profile, env, atTerminal: false }, new Profiles(this.places.config))
    } catch (error) {
      const named = flags.profile !== undefined || Boolean(env.PAYDESK_PROFILE)
      if (named || !(error instanceof Failure)) throw error
      return null
    }
  }

  /** The keys to open with. Where none was named, there may be none: `lacking` hears why. */
  protected async keys(flags: KeyFlags, lacking: (why: string) => void): Promise<readonly NamedKey[]> {
    const files = flags['private-key'] ?? []
    const warn = (line: string) => this.remark(line)
    const places = { env: this.edge.env, config: this.places.config, profile: flags.profile, warn }
    const given = privateKeyGiven(files, places)
    try {
      if (!given && (await this.chosen(flags)) === null) {
        lacking('no profile was named, and there is no default')
        return []
      }
      return await privateKeys(files, places, await ownerFor(places, this.builtIn, null, given))
    } catch (error) {
      if (given || !(error instanceof Failure) || error.kind !== 'credentials') throw error
      // A name that is none is a mistake, whoever has keys.
      await this.chosen(flags)
      lacking(error.message)
      return []
    }
  }

  /** The secret of signatures, and where it was; null where none is set. Throws Failure('credentials'). */
  protected async webhook(flags: KeyFlags) {
    const choice = flags['secret-file'] === undefined ? await this.chosen(flags) : null
    const ofProfile = choice?.kind === 'stored' ? choice.profile.callbackSecretFile : undefined
    const path = flags['secret-file'] ?? ofProfile
    if (path === undefined) return null
    const by = flags['secret-file'] === undefined ? `--${settings.callbackSecretFile.flag}` : '--secret-file'
    mustBeOwn(path, 'the file of the secret')
    const file = contents(path)
    if ('why' in file) throw new Failure('credentials', `${by} ${path} cannot be read: ${file.why}`)
    const read = secretOf(file.bytes)
    if (!read.ok) throw new Failure('credentials', `${by} ${path} ${read.complaint}`)
    this.output.redactor.hide(read.secret)
    if (othersMayRead(path)) this.remark(`others may read ${path}: chmod 600 keeps it to yourself`)
    return { webhook: signer(read.secret, `${by} ${path}`), path }
  }

  /** The way to an address. What runs on this machine is no business of a proxy. */
  protected relayTo(target: string): Relay {
    const here = isLoopback(new URL(target).hostname)
    if (target.startsWith('https:') && this.edge.env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
      this.remark('CERTIFICATES ARE NOT CHECKED: NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody stand in for the target')
    }
    return socketRelay(here ? {} : { proxies: proxiesFor(target, this.edge.env) })
  }

  protected limits(flags: SharedFlags) {
    return {
      connectTimeout: flags['connect-timeout'] ?? usualSettings.connectTimeout,
      answerTimeout: flags['answer-timeout'] ?? usualSettings.answerTimeout,
    }
  }
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
  const said = `${url.host} is reached by plain http: tokens of cards may be read on the way`
  return { target: url.href, warnings: open ? [said] : [] }
}

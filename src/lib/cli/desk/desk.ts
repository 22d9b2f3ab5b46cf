/**
 * The desk of a command: its profile, a line to the service, and the journal. Everything heavy is loaded when it is needed.
 */
import { type Line, type LineSettings, usualSettings } from '../../client/exchange.ts'
import { type KeptToken, TokenSource } from '../../client/token.ts'
import type { Desk } from '../../desk/desk.ts'
import type { Transport } from '../../http/client.ts'
import type { Journal } from '../../journal/journal.ts'
import { isBuiltIn } from '../../profile/built-in.ts'
import type { Part } from '../../profile/parts.ts'
import type { Profile } from '../../profile/profile.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { restTeller, tellingTransport } from '../output/progress-line.ts'
import { JournalAccess, type Question } from './journal.ts'
import { ProfileAccess } from './profile.ts'

type ProfileLine = Line & Pick<Desk, 'profile'>

export class DeskAccess {
  readonly invocation: Invocation
  readonly profiles: ProfileAccess
  readonly #journal: JournalAccess

  constructor(invocation: Invocation, question?: Question) {
    this.invocation = invocation
    this.#journal = new JournalAccess(invocation, question)
    this.profiles = new ProfileAccess(invocation)
  }

  journal(): Promise<Journal> {
    return this.#journal.open()
  }

  profile(flags: SharedFlags, part: Part): Promise<Profile> {
    return this.profiles.profile(flags, part)
  }

  async open(flags: SharedFlags, part: Part): Promise<Desk> {
    return this.openAs(await this.profile(flags, part), flags)
  }

  /**
   * The same as a profile that is known already. Starts the sandbox, if it is the sandbox and does not run yet. `own`: parts
   * that take the place of those of the command, and the number of connections that are kept for many requests at once.
   */
  async openAs(
    named: Profile,
    flags: SharedFlags,
    { connections = 0, ...own }: Partial<Pick<Desk, 'journal' | 'signal' | 'tell'>> & { connections?: number } = {},
  ): Promise<Desk> {
    const line = { ...(await this.#line(named, flags, connections)), ...own }
    const tokens = await this.#tokens(line)
    return { ...line, tokens, journal: own.journal ?? (await this.journal()) }
  }

  /** The access token of the profile for payouts; `fresh`: of a new sign-in. No journal is opened for it. */
  async lendToken(flags: SharedFlags, fresh: boolean): Promise<KeptToken> {
    const line = await this.#line(await this.profile(flags, 'payouts'), flags, 0)
    const deadline = line.clock.now() + line.settings.timeout
    const tokens = await this.#tokens(line)
    return fresh ? tokens.lentFresh(deadline) : tokens.lent(deadline)
  }

  async #tokens(line: Line): Promise<TokenSource> {
    const { tokenFiles } = await import('../../profile/token-file.ts')
    return new TokenSource(line, tokenFiles(this.invocation.places.tokens, line.clock))
  }

  async #line(named: Profile, flags: SharedFlags, connections: number): Promise<ProfileLine> {
    const { name, part } = named
    const profile = isBuiltIn(name) ? await this.profiles.builtIn(name, part, 'attach') : named
    const { edge, naming, signal } = this.invocation
    const { clock, random } = edge
    const settings = settingsOf(flags)
    const record = flags.har === undefined ? null : (await import('./archive.ts')).archiveOf(this.invocation, flags.har)
    const transport = await this.#transport(profile, settings, connections, flags)
    return {
      profile,
      transport,
      clock,
      random,
      settings,
      signal,
      naming: (other) => naming(other ?? name),
      tell: this.#tell(flags),
      ...(record && { record }),
    }
  }

  async #transport(
    profile: Profile,
    { connectTimeout }: LineSettings,
    connections: number,
    { trace }: SharedFlags,
  ): Promise<Transport> {
    if (connections === 0) {
      const transport = (await import('../../http/client.ts')).freshTransport(profile.transport)
      const { edge, output } = this.invocation
      const isTold = edge.stderr.isTTY && output.remarks && !trace
      return isTold ? tellingTransport(this.invocation, transport) : transport
    }
    const { pooledTransport } = await import('../../http/client.ts')
    const { transport, close } = pooledTransport(profile.transport, connectTimeout)
    this.invocation.closeAtEnd(close)
    return transport
  }

  #tell({ trace }: SharedFlags): Line['tell'] {
    const { output } = this.invocation
    return {
      trace: (text) => {
        const lines = trace ? text() : ''
        if (lines !== '') output.trace(lines)
      },
      say: (text, about) => output.say(text, about),
      rest: restTeller(this.invocation),
      hide: (secret) => output.redactor.hide(secret),
      redact: (value) => output.redactor.withoutSecrets(value),
    }
  }
}

function settingsOf(flags: SharedFlags): LineSettings {
  return {
    timeout: flags.timeout ?? usualSettings.timeout,
    connectTimeout: flags['connect-timeout'] ?? usualSettings.connectTimeout,
    answerTimeout: flags['answer-timeout'] ?? usualSettings.answerTimeout,
  }
}

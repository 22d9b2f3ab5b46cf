/** The base of every command that talks to the service or reads the journal: who I am, and the desk to work with. */
import { PaydeskCommand, type SharedFlags } from './command.ts'
import type { Desk } from './desk/desk.ts'
import { type Line, type LineSettings, usualSettings } from './desk/line.ts'
import { TokenSource } from './desk/token.ts'
import { Failure } from './failure.ts'
import { socketTransport } from './http/transport.ts'
import { thisProcess } from './journal/holder.ts'
import { Journal } from './journal/journal.ts'
import { chooseProfile } from './profile/choose.ts'
import { type Profile, resolveProfile } from './profile/profile.ts'
import { Profiles } from './profile/profiles.ts'
import { type BuiltIn, isBuiltIn } from './profile/stored.ts'
import { tokenFiles } from './profile/token-file.ts'
import { type JournalTables, journalSchema } from './store/journal-schema.ts'
import { openStore } from './store/open.ts'

export abstract class DeskCommand<Result> extends PaydeskCommand<Result> {
  /** The journal of this person; opened once, closed at the end. */
  protected async journal(): Promise<Journal> {
    const store = await openStore<JournalTables>(this.places.journal, journalSchema)
    this.closeAtEnd(() => store.close())
    return new Journal(store, this.edge.clock, this.edge.random, thisProcess())
  }

  /** The profile that the flags, the environment or the default name. Opens no socket. */
  protected async profile(flags: SharedFlags): Promise<Profile> {
    const profiles = new Profiles(this.places.config)
    const choice = await chooseProfile({ flag: flags.profile, env: this.edge.env, atTerminal: this.canAsk }, profiles)
    if (choice.kind === 'stored') return this.#guarded(await resolveProfile(choice.profile, this.edge.env))
    this.output.say('sandbox: no real money')
    return this.#sandbox(choice.name, 'consult')
  }

  /** Everything a call or a submission needs. Starts the sandbox, if it is the sandbox and does not run yet. */
  protected async desk(flags: SharedFlags, chosen?: Profile): Promise<Desk> {
    const named = chosen ?? (await this.profile(flags))
    const profile = isBuiltIn(named.name) ? await this.#sandbox(named.name, 'attach') : named
    const line: Line = {
      profile,
      transport: socketTransport(profile.transport),
      clock: this.edge.clock,
      random: this.edge.random,
      settings: settingsOf(flags),
      signal: this.signal,
      tell: {
        trace: (text) => {
          if (flags.trace) this.output.trace(text)
        },
        say: (text) => this.output.say(text),
        hide: (secret) => this.output.redactor.hide(secret),
      },
    }
    const tokens = new TokenSource(line, tokenFiles(this.places.tokens, this.edge.clock))
    return { ...line, tokens, journal: await this.journal() }
  }

  /** The sandbox, in this process or the one that `sandbox start` runs. The only line from here to there, and a lazy one. */
  async #sandbox(name: BuiltIn, how: 'attach' | 'consult'): Promise<Profile> {
    const builtIn = await import('./sandbox/builtin.ts')
    const { clock, random } = this.edge
    const sandbox = await builtIn[how](this.places.sandbox, clock, random)
    this.closeAtEnd(() => sandbox.close())
    const client = sandbox.clients.find((each) => each.name === name)
    if (!client) throw new Failure('bug', `the sandbox has no client ${name}`, { moneyMoved: 'no' })
    return this.#guarded({
      name,
      environment: 'sandbox',
      service: `sandbox:${sandbox.worldId}`,
      baseUrl: sandbox.url,
      clientId: client.clientId,
      clientSecret: async () => client.clientSecret,
      permits: new Set(client.permissions),
      duplicateGuard: 'warn',
      // Straight to it: what runs on this machine is no business of a proxy.
      transport: {},
    })
  }

  /** The same profile, its secret known to the redactor as soon as anybody fetches it. */
  #guarded(profile: Profile): Profile {
    const clientSecret = async () => {
      const secret = await profile.clientSecret()
      this.output.redactor.hide(secret)
      return secret
    }
    return { ...profile, clientSecret }
  }
}

function settingsOf(flags: SharedFlags): LineSettings {
  return {
    timeout: flags.timeout ?? usualSettings.timeout,
    connectTimeout: flags['connect-timeout'] ?? usualSettings.connectTimeout,
    answerTimeout: flags['answer-timeout'] ?? usualSettings.answerTimeout,
  }
}

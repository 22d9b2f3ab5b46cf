/** The base of every command that talks to the service or reads the journal: who I am, and the desk to work with. */

import { existsSync } from 'node:fs'
import type { Desk } from '../desk/desk.ts'
import { type Line, type LineSettings, usualSettings } from '../desk/line/line.ts'
import { TokenSource } from '../desk/line/token.ts'
import { told } from '../desk/recover/in-play.ts'
import { readPrivateKey, readPublicKey } from '../envelope/keys/key.ts'
import { Failure } from '../failure.ts'
import { socketTransport } from '../http/transport.ts'
import { thisProcess } from '../journal/holder.ts'
import type { Intent } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import { WatchedJournal } from '../journal/watched.ts'
import { chooseProfile, type ProfileChoice } from '../profile/choose.ts'
import { missing } from '../profile/missing.ts'
import { type Profile, permitsOfProfile, resolveProfile } from '../profile/profile.ts'
import { Profiles } from '../profile/profiles.ts'
import { openToOthers, uncheckedCertificates } from '../profile/secrets/open-to-others.ts'
import { tokenFiles } from '../profile/secrets/token-file.ts'
import { identityFlag, type Part, partsOf } from '../profile/settings/part.ts'
import { type BuiltIn, isBuiltIn } from '../profile/settings/stored.ts'
import type { StoppedFacts } from '../signals.ts'
import { openStore } from '../store/engine/open.ts'
import { type JournalTables, journalSchema } from '../store/journal/schema.ts'
import { PaydeskCommand, type SharedFlags } from './command.ts'

type Attached = Awaited<ReturnType<typeof import('../sandbox/running/builtin.ts')['attach']>>

export abstract class DeskCommand<Result> extends PaydeskCommand<Result> {
  #journal: Promise<Journal> | undefined
  #watched: WatchedJournal | undefined
  /** Whether somebody was told that it is the sandbox. */
  #isNamed = false
  readonly #sandboxes = new Map<'attach' | 'consult', Promise<Attached>>()

  /** The journal of this person; opened once, closed at the end. */
  protected journal(): Promise<Journal> {
    this.#journal ??= this.#openJournal()
    return this.#journal
  }

  async #openJournal(): Promise<Journal> {
    const store = await openStore<JournalTables>(this.places.journal, journalSchema)
    this.closeAtEnd(() => store.close())
    this.#watched = new WatchedJournal(store, this.edge.clock, this.edge.random, thisProcess())
    return this.#watched
  }

  /** Whether the command is there for what is open: whatever stops it, that is what it was about. */
  protected readonly asksAboutOpen: boolean = false

  /** A payment of the journal that this command is about whatever ends it; null where it is about none, or a new one. */
  protected async inQuestion(journal: Journal, { kind }: Failure): Promise<Intent | null> {
    if (!this.asksAboutOpen || (kind !== 'interrupted' && kind !== 'terminated')) return null
    return (await journal.list({ states: ['unknown'], limit: 1 }))[0] ?? null
  }

  /** A file that is missing, a wrong flag or ^C ends a command; what an earlier run of it did is not undone by that. */
  protected override async placed(failure: Failure): Promise<Failure> {
    if (failure.facts.journalId || failure.kind === 'bug' || !existsSync(this.places.journal)) return failure
    const intent = await this.journal()
      .then((journal) => this.inQuestion(journal, failure))
      .catch(() => null)
    return intent ? told(failure, intent, this.signal) : failure
  }

  protected override standing(): StoppedFacts {
    return this.#watched?.standing() ?? super.standing()
  }

  /** The profile that the flags, the environment or the default name, as this part of the service knows it. Opens no socket. */
  protected async profile(flags: SharedFlags, part: Part): Promise<Profile> {
    const choice = await this.#choice(flags)
    if (choice.kind === 'stored') {
      for (const line of openToOthers(choice.profile, new Profiles(this.places.config).path)) this.beside(line)
      const unchecked = uncheckedCertificates(choice.profile, this.edge.env)
      if (unchecked !== null) this.beside(unchecked)
      return this.#guarded(await resolveProfile(choice.profile, this.edge.env, part))
    }
    if (!this.#isNamed) this.output.say('sandbox: no real money')
    this.#isNamed = true
    return this.#builtIn(choice.name, part, 'consult')
  }

  /** The parts that the profile of the flags has; of a built-in one those that the sandbox has for it. */
  protected async parts(flags: SharedFlags): Promise<readonly [Part, ...Part[]]> {
    const choice = await this.#choice(flags)
    const found = choice.kind === 'stored' ? partsOf(choice.profile) : await this.#partsOfBuiltIn(choice.name)
    const [first, ...others] = found
    if (first) return [first, ...others]
    const name = choice.kind === 'stored' ? choice.profile.name : choice.name
    const flagsOfParts = Object.values(identityFlag).map((flag) => `--${flag} <id>`)
    throw missing(name, 'client id, integrator id or identifier of the wallet', [flagsOfParts.join(' | ')])
  }

  async #partsOfBuiltIn(name: BuiltIn): Promise<readonly Part[]> {
    const { clients, integrator, walletIntegrator } = await this.#sandbox('consult')
    return [
      ...(clients.some((each) => each.name === name) ? (['payouts'] as const) : []),
      ...((await integrator(name)) ? (['orders'] as const) : []),
      ...((await walletIntegrator(name)) ? (['wallet'] as const) : []),
    ]
  }

  /** A profile of the sandbox, for commands that need its keys and send nothing. */
  protected readonly builtIn = (name: BuiltIn, part: Part): Promise<Profile> => this.#builtIn(name, part, 'consult')

  /** The name of the profile that the flags, the environment or the default name. */
  protected async profileName(flags: SharedFlags): Promise<string> {
    const choice = await this.#choice(flags)
    return choice.kind === 'stored' ? choice.profile.name : choice.name
  }

  #choice(flags: SharedFlags): Promise<ProfileChoice> {
    const profiles = new Profiles(this.places.config)
    return chooseProfile({ flag: flags.profile, env: this.edge.env, atTerminal: this.canAsk }, profiles)
  }

  /** Everything a call or a submission needs. Starts the sandbox, if it is the sandbox and does not run yet. */
  protected async desk(flags: SharedFlags, part: Part, chosen?: Profile): Promise<Desk> {
    const named = chosen ?? (await this.profile(flags, part))
    const profile = isBuiltIn(named.name) ? await this.#builtIn(named.name, part, 'attach') : named
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
        redact: (value) => this.output.redactor.withoutSecrets(value),
      },
    }
    const tokens = new TokenSource(line, tokenFiles(this.places.tokens, this.edge.clock))
    return { ...line, tokens, journal: await this.journal() }
  }

  /** Whether a sandbox server runs, so that its checkout and its timers live on after this command. */
  protected async sandboxRuns(): Promise<boolean> {
    return (await this.#sandbox('consult')).running
  }

  /** The sandbox, in this process or the one that `sandbox start` runs. The only line from here to there, and a lazy one. */
  #sandbox(how: 'attach' | 'consult'): Promise<Attached> {
    const known = this.#sandboxes.get(how)
    if (known) return known
    const opened = this.#openSandbox(how)
    this.#sandboxes.set(how, opened)
    return opened
  }

  async #openSandbox(how: 'attach' | 'consult'): Promise<Attached> {
    const builtIn = await import('../sandbox/running/builtin.ts')
    const sandbox = await builtIn[how](this.places.sandbox, this.edge.clock, this.edge.random)
    this.closeAtEnd(() => sandbox.close())
    return sandbox
  }

  async #builtIn(name: BuiltIn, part: Part, how: 'attach' | 'consult'): Promise<Profile> {
    const sandbox = await this.#sandbox(how)
    const common = {
      name,
      environment: 'sandbox',
      part,
      service: `sandbox:${sandbox.worldId}`,
      serviceId: `sandbox:${sandbox.worldId}`,
      baseUrl: sandbox.url,
      duplicateGuard: 'warn',
      // Straight to it: what runs on this machine is no business of a proxy.
      transport: {},
    } as const
    if (part === 'payouts') {
      const client = sandbox.clients.find((each) => each.name === name)
      if (!client) throw elsewhere(name, part)
      return this.#guarded({
        ...common,
        clientId: client.clientId,
        clientSecret: async () => client.clientSecret,
        seal: null,
        permits: new Set(client.permissions),
        orderType: null,
      })
    }
    const integrator = part === 'orders' ? await sandbox.integrator(name) : await sandbox.walletIntegrator(name)
    if (!integrator) throw elsewhere(name, part)
    const identifier = 'integratorId' in integrator ? integrator.integratorId : integrator.identifier
    const { scheme, servicePublicKey, privateKey } = integrator
    return {
      ...common,
      clientId: identifier,
      clientSecret: () => Promise.reject(new Failure('bug', `${part} have no client secret`)),
      seal: {
        identifier,
        scheme,
        toService: readPublicKey(Buffer.from(servicePublicKey), "the sandbox's public key"),
        own: [readPrivateKey(Buffer.from(privateKey), "the sandbox integrator's private key")],
      },
      // The service decides, and its refusal names the permission.
      permits: permitsOfProfile(true),
      orderType: 'orderType' in integrator ? integrator.orderType : null,
    }
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

function elsewhere(name: string, part: Part): Failure {
  return new Failure('credentials', `the built-in profile ${name} has no ${part}`, {
    hints: ['-p sandbox has everything; `paydesk sandbox world` shows who has what.'],
  })
}

function settingsOf(flags: SharedFlags): LineSettings {
  return {
    timeout: flags.timeout ?? usualSettings.timeout,
    connectTimeout: flags['connect-timeout'] ?? usualSettings.connectTimeout,
    answerTimeout: flags['answer-timeout'] ?? usualSettings.answerTimeout,
  }
}

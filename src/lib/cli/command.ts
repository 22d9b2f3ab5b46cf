/**
 * The base of every command: the shared flags, the places of files, the form of the output, signals, and the one place
 * where anything thrown becomes one sentence and an exit code.
 */
import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Command, type Config, type Interfaces } from '@oclif/core'
import { type Edge, type Environment, realEdge } from '../edge.ts'
import { afterOthers, Failure } from '../failure.ts'
import { type Hint, hint, type Naming } from '../hint.ts'
import { mustBeOwn, type Places, type PlatformDirectories, places } from '../paths.ts'
import { namingIn } from '../profile/choose.ts'
import { Profiles, storeNamed } from '../profile/profiles.ts'
import type { Published } from '../result.ts'
import { endedAtOnce, type Signal, type StoppedFacts } from '../signals.ts'
import { isSameStore } from '../store/postgres/address.ts'
import { singleQuoted } from '../text.ts'
import { failureAtEnd } from './as-failure.ts'
import { sharedFlags } from './flags/shared.ts'
import {
  isAboutEarlier,
  isAboutPlans,
  readableFlags,
  stoppedUnasked,
  TypedLine,
  typedOutput,
} from './flags/typed-line.ts'
import type { Invocation } from './invocation.ts'
import type { RowForms } from './output/form.ts'
import { idIn, Output, warningsIn, withWarnings } from './output/output.ts'
import { type Zone, zoneIn } from './output/time.ts'
import type { View } from './output/view.ts'
import { isUnsent, type Unsent, unsentView } from './unsent.ts'
import { asUsageFailure, mustBeProfileOf, parseAsking, pickProfile, withKnownProfile } from './usage/parse.ts'

/** Looks into the configuration even if others may write it: that they may can be the very failure that is told. */
function namingOf(line: TypedLine, env: Environment, atTerminal: boolean, where: Config): Naming {
  const { configDir, dataDir, cacheDir } = where
  const flag = line.value('--profile')
  try {
    return namingIn({ flag, env, atTerminal }, new Profiles(places(env, { configDir, dataDir, cacheDir }).config))
  } catch {
    // Without a place for profiles, that very failure is told.
    return (profile) => profile ?? flag ?? null
  }
}

/**
 * Throws a Failure where others may write: a profile would point elsewhere, a journal have forgotten a payment. The team's store is
 * that of PAYDESK_STORE, or of the profile that is `named` on the command line, else by PAYDESK_PROFILE, else the default one;
 * usage (2) where they are two.
 */
function ownPlaces(env: Environment, directories: PlatformDirectories, named: string | undefined): Places {
  const found = places(env, directories)
  const { PAYDESK_HOME: home } = env
  if (home) mustBeOwn(resolve(home), 'the home', () => homeBelow(resolve(home)))
  for (const directory of [found.config, dirname(found.journal), found.batches, found.tokens])
    mustBeOwn(directory, 'the directory')
  mustBeOwn(join(found.config, 'config.json'), 'the configuration file')
  return { ...found, team: teamOf(found, named ?? (env.PAYDESK_PROFILE || undefined)) }
}

/**
 * The line that makes a directory of this user below a home that it may write but not mend: a volume that a container was given.
 * Null where this user can mend it, or where it holds a journal already: another home would be another journal.
 */
function homeBelow(home: string): Hint | null {
  const own = process.geteuid?.()
  if (own === 0 || statSync(home).uid === own) return null
  try {
    if (readdirSync(home).includes('journal')) return null
    accessSync(home, constants.W_OK)
  } catch {
    return null
  }
  const below = singleQuoted(join(home, 'paydesk'))
  return hint`Use a directory of its own on it: mkdir -m 700 ${below} && export PAYDESK_HOME=${below}`
}

function teamOf({ team, config }: Places, named: string | undefined): string | null {
  const found = storeNamed(config, named ?? null)
  if (team === null || found === null || isSameStore(team, found.address)) return team ?? found?.address ?? null
  throw new Failure('usage', `PAYDESK_STORE and the profile ${found.profile} name different stores`, {
    hints: [hint`A payment is in one store only. Unset PAYDESK_STORE, or use a profile that names that store.`],
  })
}

type Values = Interfaces.OutputFlags<Interfaces.FlagInput>

/**
 * `run()` returns the result, a request that is shown in the place of being sent, or nothing where the command has written
 * everything itself; JSON and table are two views of the result. oclif's own JSON mode is not used: it loses exit codes and
 * spreads error objects.
 */
export abstract class PaydeskCommand<Result> extends Command implements Invocation {
  static override baseFlags = sharedFlags

  /** The schema of its result; no run asks for it. */
  static readonly result?: Published

  readonly edge: Edge
  readonly #interrupt = new AbortController()
  readonly #closers: (() => Promise<void>)[] = []
  readonly #made = new Map<unknown, unknown>()
  #output: Output | undefined
  #line: TypedLine | undefined
  #places: Places | undefined
  /** The exit code, as soon as all has been said. */
  #ended: number | undefined

  constructor(argv: string[], config: Config, edge: Edge = realEdge()) {
    super(argv, config)
    this.edge = edge
  }

  abstract override run(): Promise<Result | Unsent | undefined>

  /** The result as people see it. `zone`: theirs. */
  protected abstract view(result: Result, zone: Zone): View

  protected rowForms(_result: Result, _zone: Zone): RowForms | null {
    return null
  }

  /** True if the secret that this run reads was asked for. */
  protected readonly showsSecrets: boolean = false

  acts = false

  readonly warnings = new Set<string>()

  lastWords: (() => StoppedFacts | null) | null = null

  get signal(): AbortSignal {
    return this.#interrupt.signal
  }

  get canAsk(): boolean {
    if (this.line.has('--no-input') || this.edge.env.PAYDESK_NO_INPUT) return false
    return Boolean(this.edge.stderr.isTTY && this.edge.stdin.isTTY)
  }

  get line(): TypedLine {
    this.#line ??= new TypedLine(this.argv, readableFlags({ ...this.ctor.baseFlags, ...this.ctor.flags }))
    return this.#line
  }

  get places(): Places {
    this.#places ??= ownPlaces(this.edge.env, this.config, this.line.value('--profile'))
    return this.#places
  }

  readonly version: string = this.config.version

  readonly naming: Naming = (profile) => namingOf(this.line, this.edge.env, this.canAsk, this.config)(profile)

  get output(): Output {
    this.#output ??= new Output(this.edge, typedOutput(this.line))
    return this.#output
  }

  once<Made>(make: (invocation: Invocation) => Made): Made {
    if (!this.#made.has(make)) this.#made.set(make, make(this))
    return this.#made.get(make) as Made
  }

  readonly closeAtEnd = (close: () => Promise<void>): void => {
    this.#closers.unshift(close)
  }

  override async _run<Returned>(): Promise<Returned> {
    const stopListening = this.edge.onSignal((signal) => this.#signalled(signal))
    let result: Result | Unsent | undefined
    try {
      result = await this.run().catch((error) => this.#asPicked(error))
      await this.#show(result, this.acts)
      if (this.output.isForPerson) {
        const { nextAfter, sayNext } = await import('./next.ts')
        sayNext(this, nextAfter(this.id ?? '', result))
      }
      this.#end(0)
    } catch (error) {
      await this.#fail(error)
    } finally {
      for (const close of this.#closers) await close().catch(() => undefined)
      stopListening()
      this.edge.exit(this.#ended ?? 0, 'when-idle')
    }
    return result as Returned
  }

  protected override async parse<Flags extends Values, Base extends Values, Args extends Values>(
    options?: Interfaces.Input<Flags, Base, Args>,
    argv?: string[],
  ): Promise<Interfaces.ParserOutput<Flags, Base, Args>> {
    const { id, ctor } = this
    const parsed = (words?: string[]) => super.parse(options, words)
    // However the command ends, it was about what a person has answered.
    const heard = (words: string[]) => {
      this.argv = words
      this.#line = undefined
    }
    const line = await parseAsking(parsed, this, { id, ctor, argv: argv ?? this.argv }, heard)
    mustBeProfileOf(this.line, line.flags)
    const { result } = ctor as unknown as { readonly result?: Published }
    await this.output.mustBeShowable(result, this.rowForms !== PaydeskCommand.prototype.rowForms)
    return withKnownProfile(line, this)
  }

  /** The same again as the profile that a person picks. Nothing was opened yet: a profile may have a store of its own. */
  async #asPicked(error: unknown): Promise<Result | Unsent | undefined> {
    const picked = error instanceof Failure && this.#closers.length === 0 ? await pickProfile(error, this) : null
    if (picked === null) throw error
    this.argv = [`--profile=${picked}`, ...this.argv]
    this.#line = undefined
    this.#places = undefined
    this.#made.clear()
    return this.run()
  }

  /** The first signal asks the command to stop. After it, and where only closing is left, one ends the process at once. */
  #signalled(signal: Signal): void {
    if (this.#ended !== undefined) this.edge.exit(this.#ended, 'at-once')
    else if (!this.signal.aborted) this.#interrupt.abort(signal)
    else {
      const last = this.lastWords?.() ?? stoppedUnasked(this.id ?? '', this.line)
      this.#tell(endedAtOnce(this.signal.reason, last), 'at-once')
    }
  }

  #tell(failure: Failure, when?: 'at-once'): void {
    if (this.#ended !== undefined) return
    this.output.failure(failure, this.naming)
    this.#end(failure.exit, when)
  }

  #end(code: number, when?: 'at-once'): void {
    if (this.#ended !== undefined) return
    this.#ended = code
    this.edge.exit(code, when)
  }

  /** To people its warnings are said, too. `isOwed`: it is shown whole where it cannot be shown as asked. */
  async #show(result: Result | Unsent | undefined, isOwed: boolean): Promise<void> {
    if (this.#ended !== undefined) return
    const { output, showsSecrets } = this
    const redacted = <Shown>(shown: Shown) => (showsSecrets ? shown : output.redactor.withoutSecrets(shown))
    const beside = [...this.warnings]
    const said = withWarnings(result, beside)
    const shown = redacted(said)
    const view = redacted(this.#viewOf(shown))
    try {
      await output.document(shown, view, false, this.#rowFormsOf(shown))
    } catch (error) {
      if (!isOwed || !(error instanceof Failure)) throw error
      const whole = `${error.message}; the whole result is shown`
      beside.push(whole)
      await output.document(withWarnings(shown, [whole]), view, true)
    }
    for (const warning of new Set([...warningsIn(said), ...beside])) output.warn(warning, { key: null, id: idIn(said) })
  }

  #viewOf(shown: Result | Unsent | undefined): View {
    if (shown === undefined) return []
    return isUnsent(shown) ? unsentView(shown) : this.view(shown, zoneIn(this.edge.env))
  }

  #rowFormsOf(shown: Result | Unsent | undefined): RowForms | null {
    return shown === undefined || isUnsent(shown) ? null : this.rowForms(shown, zoneIn(this.edge.env))
  }

  async #fail(error: unknown): Promise<void> {
    const { id, argv, ctor } = this
    const thrown = await asUsageFailure(error, { id, argv, ctor })
    const failed = failureAtEnd(thrown, this.signal).with({ warnings: [...this.warnings] })
    const isAboutMoney = isAboutEarlier(id ?? '', this.line) || isAboutPlans(id ?? '', this.line)
    const told = isAboutMoney ? await (await import('./early-end.ts')).addStandingOfMoney(this, failed) : failed
    const failure = told.moneyMoved === 'no' ? told : afterOthers(told)
    const { document } = failure.facts
    if (document === undefined) return this.#tell(failure)
    // The end of the command is told, whatever becomes of its document.
    const unshown = await this.#show(document as Result, true).then(
      () => [],
      (why: unknown) => [`the result could not be shown: ${why instanceof Error ? why.message : String(why)}`],
    )
    this.#tell(failure.with({ warnings: unshown }))
  }
}

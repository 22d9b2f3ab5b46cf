/**
 * The base of every command: the flags they share, the form of the output, signals, and the one place where anything thrown
 * becomes one sentence and an exit code. `run()` returns the result; JSON and table are two views of it. oclif's own JSON
 * mode is not used: it loses exit codes and spreads error objects.
 */
import { dirname, join, resolve } from 'node:path'
import { Command, type Config, Flags } from '@oclif/core'
import { type Edge, realEdge } from '../edge.ts'
import { Failure } from '../failure.ts'
import { type Places, places } from '../home.ts'
import { mustBeOwn } from '../readable-file.ts'
import { endedAtOnce, nothingSent, type Signal, type StoppedFacts } from '../signals.ts'
import { durationFlag } from './flags/duration.ts'
import { isTyped, typedForm, typedValue } from './flags/typed.ts'
import { forms } from './output/form.ts'
import { asProfile } from './output/hint.ts'
import { Output } from './output/output.ts'
import { warningsIn } from './output/warnings.ts'
import { endOf } from './thrown.ts'
import type { View } from './views/view.ts'

const shared = {
  profile: Flags.string({
    char: 'p',
    helpGroup: 'GLOBAL',
    description: 'who to be to the service',
    helpValue: '<name>',
  }),
  json: Flags.boolean({ helpGroup: 'GLOBAL', description: 'print the result as JSON; short for --output json' }),
  output: Flags.option({ options: forms, helpGroup: 'GLOBAL' })({ description: 'form of the result' }),
  fields: Flags.string({ helpGroup: 'GLOBAL', description: 'only these fields of the result', helpValue: 'a,b' }),
  query: Flags.string({ helpGroup: 'GLOBAL', description: 'a part of the result', helpValue: '<JMESPath>' }),
  'no-input': Flags.boolean({ helpGroup: 'GLOBAL', description: 'never ask; PAYDESK_NO_INPUT=1 says the same' }),
  timeout: durationFlag({
    helpGroup: 'GLOBAL',
    description: 'time for the whole command, repeats included',
    helpValue: '120s',
  }),
  'connect-timeout': durationFlag({
    helpGroup: 'GLOBAL',
    description: 'time for a connection to stand',
    helpValue: '5s',
  }),
  'answer-timeout': durationFlag({ helpGroup: 'GLOBAL', description: 'time for one whole answer', helpValue: '30s' }),
  trace: Flags.boolean({ helpGroup: 'GLOBAL', description: 'show every request and answer on stderr, secrets hidden' }),
  color: Flags.option({ options: ['auto', 'always', 'never'] as const, helpGroup: 'GLOBAL' })({
    description: 'colours; NO_COLOR and CLICOLOR_FORCE are obeyed too',
  }),
  quiet: Flags.boolean({
    char: 'q',
    helpGroup: 'GLOBAL',
    description: 'no remarks on stderr, only warnings and errors',
  }),
}

/** The shared flags as commands read them. */
export interface SharedFlags {
  readonly profile?: string | undefined
  readonly timeout?: number | undefined
  readonly 'connect-timeout'?: number | undefined
  readonly 'answer-timeout'?: number | undefined
  readonly trace?: boolean | undefined
}

export abstract class PaydeskCommand<Result> extends Command {
  static override baseFlags = shared

  protected readonly edge: Edge
  readonly #interrupt = new AbortController()
  readonly #closers: (() => Promise<void>)[] = []
  #output: Output | undefined
  /** The exit code, as soon as all has been said. */
  #ended: number | undefined
  #places: Places | undefined
  readonly #beside = new Set<string>()

  constructor(argv: string[], config: Config, edge: Edge = realEdge()) {
    super(argv, config)
    this.edge = edge
  }

  /** Does the work and returns what there is to show. */
  abstract override run(): Promise<Result>

  /** The result as people see it. */
  protected abstract view(result: Result): View

  /** Whether what was done stands even if the result cannot be shown as asked: then a wrong --fields must not say "no" (2). */
  protected get acts(): boolean {
    return false
  }

  /** The failure with what is known of the payment that it is about, where it ended the command before that was looked at. */
  protected async placed(failure: Failure): Promise<Failure> {
    return failure
  }

  /** How money stands at this moment: the last words of a command that is ended at once. */
  protected standing(): StoppedFacts {
    return nothingSent
  }

  /** Whether the secret that this run reads is what was asked for. */
  protected get showsSecrets(): boolean {
    return false
  }

  /** Fires on ^C and SIGTERM. */
  protected get signal(): AbortSignal {
    return this.#interrupt.signal
  }

  /** Whether somebody is there to be asked: a terminal for the answers and one for the questions. */
  protected get canAsk(): boolean {
    const { env, stdin, stderr } = this.edge
    return Boolean(stdin.isTTY && stderr.isTTY) && !this.#has('--no-input') && !env.PAYDESK_NO_INPUT
  }

  protected get places(): Places {
    const { configDir, dataDir, cacheDir } = this.config
    const found = places(this.edge.env, { configDir, dataDir, cacheDir })
    if (!this.#places) this.#mustBeOwn(found)
    this.#places = found
    return found
  }

  /** What others may write they may have written: a profile that points elsewhere, a journal that has forgotten a payment. */
  #mustBeOwn({ config, journal, tokens }: Places): void {
    const { PAYDESK_HOME: home } = this.edge.env
    if (home) mustBeOwn(resolve(home), 'the home')
    for (const directory of [config, dirname(journal), tokens]) mustBeOwn(directory, 'the directory')
    mustBeOwn(join(config, 'config.json'), 'the configuration file')
  }

  /** Something to be said beside the result: in its document, or with the failure. */
  protected beside(line: string): void {
    this.#beside.add(line)
  }

  protected get output(): Output {
    this.#output ??= new Output(this.edge, {
      form: typedForm(this.argv),
      fields: this.flag('--fields')?.split(',').filter(Boolean) ?? null,
      query: this.flag('--query') ?? null,
      colour: (this.flag('--color') ?? 'auto') as 'auto',
      quiet: this.#has('--quiet') || this.#has('-q'),
    })
    return this.#output
  }

  /** Something to be closed when the command has ended, however it ended; the last opened is closed first. */
  protected closeAtEnd(close: () => Promise<void>): void {
    this.#closers.unshift(close)
  }

  override async _run<Returned>(): Promise<Returned> {
    const stopListening = this.edge.onSignal((signal) => this.#signalled(signal))
    let result: Result | undefined
    try {
      result = await this.run()
      await this.#show(result)
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

  /** The first signal asks the command to stop. After it, and where only closing is left, one ends the process at once. */
  #signalled(signal: Signal): void {
    if (this.#ended !== undefined) this.edge.exit(this.#ended, 'at-once')
    else if (!this.signal.aborted) this.#interrupt.abort(signal)
    else this.#tell(endedAtOnce(this.signal.reason, this.standing()), 'at-once')
  }

  #tell(failure: Failure, when?: 'at-once'): void {
    if (this.#ended !== undefined) return
    this.output.failure(asProfile(failure, this.flag('--profile') ?? this.flag('-p')))
    this.#end(failure.exit, when)
  }

  #end(code: number, when?: 'at-once'): void {
    if (this.#ended !== undefined) return
    this.#ended = code
    this.edge.exit(code, when)
  }

  #withWarnings(result: Result): Result {
    if (this.#beside.size === 0 || typeof result !== 'object' || result === null || Array.isArray(result)) return result
    return { ...result, warnings: [...warningsIn(result), ...this.#beside] }
  }

  /** The document, and to people the warnings that stand in it. */
  async #show(result: Result): Promise<void> {
    if (this.#ended !== undefined) return
    const { redactor } = this.output
    const said = this.#withWarnings(result)
    const shown = this.showsSecrets ? said : redactor.withoutSecrets(said)
    const drawn = this.view(shown)
    const view = this.showsSecrets ? drawn : redactor.withoutSecrets(drawn)
    try {
      await this.output.document(shown, view)
    } catch (error) {
      if (!this.acts || !(error instanceof Failure)) throw error
      await this.output.document(shown, view, true)
      this.output.warn(`${error.message}; the whole result is shown`)
    }
    const warnings = new Set([...warningsIn(said), ...this.#beside])
    for (const warning of warnings) this.output.warn(warning)
  }

  async #fail(error: unknown): Promise<void> {
    const failure = await this.placed(endOf(error, this.signal).with({ warnings: [...this.#beside] }))
    const { document } = failure.facts
    if (document !== undefined) await this.#show(document as Result)
    this.#tell(failure)
  }

  #has(flag: string): boolean {
    return isTyped(this.argv, flag)
  }

  /** The value of a flag as it was typed, whether or not the command line could be read. */
  protected flag(flag: string): string | undefined {
    return typedValue(this.argv, flag)
  }
}

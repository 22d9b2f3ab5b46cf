/**
 * The base of every command: the flags they share, the form of the output, signals, and the one place where anything thrown
 * becomes one sentence and an exit code. `run()` returns the result; JSON and table are two views of it. oclif's own JSON
 * mode is not used: it loses exit codes and spreads error objects (design/traps).
 */
import { Command, type Config, Errors, Flags } from '@oclif/core'
import { type Edge, realEdge } from './edge.ts'
import { Failure } from './failure.ts'
import { type Places, places } from './home.ts'
import { durationFlag } from './terminal/duration.ts'
import { type Form, forms } from './terminal/form.ts'
import { asProfile } from './terminal/hint.ts'
import { Output } from './terminal/output.ts'
import type { View } from './terminal/view.ts'

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
    return places(this.edge.env, { configDir, dataDir, cacheDir })
  }

  protected get output(): Output {
    this.#output ??= new Output(this.edge, {
      form: this.#form(),
      fields: this.#value('--fields')?.split(',').filter(Boolean) ?? null,
      query: this.#value('--query') ?? null,
      colour: (this.#value('--color') ?? 'auto') as 'auto',
      quiet: this.#has('--quiet') || this.#has('-q'),
    })
    return this.#output
  }

  /** Something to be closed when the command has ended, however it ended; the last opened is closed first. */
  protected closeAtEnd(close: () => Promise<void>): void {
    this.#closers.unshift(close)
  }

  override async _run<Returned>(): Promise<Returned> {
    const stopListening = this.edge.onSignal((signal) => this.#interrupt.abort(signal))
    let result: Result | undefined
    try {
      result = await this.run()
      await this.#show(result)
      this.edge.exit(0)
    } catch (error) {
      await this.#fail(error)
    } finally {
      stopListening()
      for (const close of this.#closers) await close().catch(() => undefined)
    }
    return result as Returned
  }

  /** The document, and to people the warnings that stand in it. */
  async #show(result: Result): Promise<void> {
    const view = this.view(result)
    try {
      await this.output.document(result, view)
    } catch (error) {
      if (!this.acts || !(error instanceof Failure)) throw error
      await this.output.document(result, view, true)
      this.output.warn(`${error.message}; the whole result is shown`)
    }
    for (const warning of new Set(warningsIn(result))) this.output.warn(warning)
  }

  async #fail(error: unknown): Promise<void> {
    const failure = asProfile(this.#understood(error), this.#value('--profile') ?? this.#value('-p'))
    const { document } = failure.facts
    if (document !== undefined) await this.#show(document as Result)
    this.output.failure(failure)
    this.edge.exit(failure.exit)
  }

  #understood(error: unknown): Failure {
    const stopped = this.signal.aborted || (error instanceof Error && error.name === 'ExitPromptError')
    if (error instanceof Failure && error.kind !== 'bug' && !stopped) return error
    if (stopped) {
      const kind = this.signal.reason === 'SIGTERM' ? 'terminated' : 'interrupted'
      const facts = error instanceof Failure ? error.facts : {}
      const said = error instanceof Failure ? error.message : 'stopped before anything was sent'
      const { moneyMoved, retry } =
        error instanceof Failure ? error.toLine().error : { moneyMoved: 'no', retry: 'same-id' }
      return new Failure(kind, said, { ...facts, moneyMoved: moneyMoved as 'no', retry: retry as 'same-id' })
    }
    if (error instanceof Failure) return error
    if (error instanceof Errors.CLIError) return misused(error)
    return new Failure('bug', error instanceof Error ? error.message : String(error), {
      hints: ['This is a defect of paydesk. If a payment was under way, `paydesk journal list` says how it stands.'],
    })
  }

  // The form of a failure must be known even when the flags could not be parsed.
  #form(): Form {
    const asked = this.#has('--json') ? 'json' : this.#value('--output')
    return forms.find((form) => form === asked) ?? 'table'
  }

  #flags(): readonly string[] {
    const end = this.argv.indexOf('--')
    return end < 0 ? this.argv : this.argv.slice(0, end)
  }

  #has(flag: string): boolean {
    return this.#flags().includes(flag)
  }

  #value(flag: string): string | undefined {
    const flags = this.#flags()
    const joined = flags.find((each) => each.startsWith(`${flag}=`))
    const at = flags.indexOf(flag)
    return joined?.slice(flag.length + 1) ?? (at < 0 ? undefined : flags[at + 1])
  }
}

function warningsIn(result: unknown): readonly string[] {
  if (Array.isArray(result)) return result.flatMap(warningsIn)
  if (typeof result !== 'object' || result === null || !('warnings' in result)) return []
  return Array.isArray(result.warnings) ? result.warnings.map(String) : []
}

/** A complaint of oclif's parser in one sentence. Values are cut off: somebody may have typed a secret. */
export function misused(error: Error): Failure {
  const lines = error.message
    // "Parsing --nth" stands above a complaint, whether or not that names the flag itself.
    .replaceAll(/^Parsing (--\S+) *\n\s*(\1 )?/gm, (_, flag, named) => named ?? `${flag}: `)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !/^(The following errors? occurred|See more help)/.test(line))
    .map((line) => line.replace(/(--?[\w-]+)=\S*/g, '$1'))
    .map((line) =>
      line.replace(/^command (\S+) not found/, (_, id: string) => `there is no command "${id.replaceAll(':', ' ')}"`),
    )
  return new Failure('usage', lines.join('; '), { hints: ['`--help` shows what the command takes.'] })
}

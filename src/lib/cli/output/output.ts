/**
 * The two streams of a command. stdout carries nothing or one document; everything else goes to stderr. With a JSON form
 * stderr holds at most one line, the error. Whatever leaves a command passes through the redactor here. A reader that goes
 * away (`| head -1`) never changes the exit code.
 */

import { Chalk, type ChalkInstance } from 'chalk'
import type { Reference } from '../../client/exchange.ts'
import type { Edge } from '../../edge.ts'
import { Failure, failures, type ServiceWords } from '../../failure.ts'
import { hint, hintInWords, type Naming, paste } from '../../hint.ts'
import { printableJson } from '../../json.ts'
import { isSecretMember, mapTexts, Secrets, shortestBeginning, shortestSecret } from '../../redact.ts'
import type { Published } from '../../result.ts'
import { visible, visibleLines } from '../../text.ts'
import { type ColourChoice, isSheetForm, type OutputForm, type Screen, wantsColour } from './choice.ts'
import { asSheet, pick, type RowForms, rawText, renderRows, rowsOf } from './form.ts'
import { hangingIndent, terminalColumns } from './terminal.ts'
import { showTimes, type Zone, zonedTime, zoneIn } from './time.ts'
import { drawView, type View } from './view.ts'

const hidden = '[hidden]'

const patterns: readonly (readonly [RegExp, string])[] = [
  [/(authorization:\s*)(?:(bearer|basic)\s+)?\S+/gi, `$1$2 ${hidden}`],
  [/(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi, `$1${hidden}`],
  [/((?:client_secret|access_token)=)[^&\s]+/gi, `$1${hidden}`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, hidden],
  [/(\/\/[^/\s:@]+:)[^@\s/]+@/g, `$1${hidden}@`],
]

/** A member of JSON that holds a text. */
const member = /("([^"\\\s]{1,64})"\s*:\s*")((?:[^"\\]|\\.)*)/g

/** Of fewer letters a secret may stand in a sum or a status by accident: a result would be told wrong. */
const shortestInResult = 8

export class Redactor {
  readonly #secrets = new Set<string>()
  #everywhere: Secrets | null = null
  #inResults: Secrets | null = null

  /** Something that must not be seen from now on, whatever it stands in. */
  hide(secret: string): void {
    if (secret.length < shortestSecret || this.#secrets.has(secret)) return
    this.#secrets.add(secret)
    this.#everywhere = null
    this.#inResults = null
  }

  /** A line for people, or what is shown of a request: without secrets, and without what looks like one. */
  clean(text: string): string {
    this.#everywhere ??= new Secrets(this.#secrets)
    let cleaned = this.#everywhere.hide(text, hidden, shortestBeginning)
    for (const [pattern, instead] of patterns) cleaned = cleaned.replace(pattern, instead)
    return cleaned.replace(member, (whole, before: string, name: string) =>
      isSecretMember(name) ? `${before}${hidden}` : whole,
    )
  }

  /** The same of every text in what a program reads, so that it stays what it is. */
  cleanAll<Value>(value: Value): Value {
    return mapTexts(value, (text) => this.clean(text))
  }

  /** A result, without the secrets of this run: what looks like one may be what was asked for. */
  withoutSecrets<Value>(result: Value): Value {
    if (this.#secrets.size === 0) return result
    this.#inResults ??= new Secrets([...this.#secrets].filter(({ length }) => length >= shortestInResult))
    const secrets = this.#inResults
    return mapTexts(result, (text) => secrets.hide(text, hidden, shortestBeginning))
  }
}

/** The warnings that a result carries in its document: to people they are said on stderr, too. */
export function warningsIn(result: unknown): readonly string[] {
  if (Array.isArray(result)) return result.flatMap(warningsIn)
  if (typeof result !== 'object' || result === null || !('warnings' in result)) return []
  return Array.isArray(result.warnings) ? result.warnings.map(String) : []
}

/** The result with these among its warnings; one that is no object has no place for them. */
export function withWarnings<Result>(result: Result, more: readonly string[]): Result {
  if (more.length === 0 || typeof result !== 'object' || result === null || Array.isArray(result)) return result
  return { ...result, warnings: [...warningsIn(result), ...more] }
}

/** The id of the thing that a result is about; null where it names none. */
export function idIn(result: unknown): string | null {
  if (typeof result !== 'object' || result === null) return null
  const ids = ['uniqueId', 'integratorOrderId', 'transactionId', 'journalId'].flatMap((name) => {
    const id = Object.entries(result).find(([member]) => member === name)?.[1]
    return typeof id === 'string' ? [id] : []
  })
  return ids[0] ?? null
}

/** A value that stands as one word: "emp 17" → "\"emp 17\"". */
function word(value: string): string {
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}

/** "2026-11-20T14:03:25+04:00 key=emp-17 id=5a9d… the text", before every line of the text. `moment`: milliseconds since 1970. */
export function logLines(text: string, { key, id }: Reference, moment: number, zone: Zone): string {
  const { date, time, offset } = zonedTime(moment, zone)
  const words = [
    `${date}T${time}${offset}`,
    ...(key === null ? [] : [`key=${word(key)}`]),
    ...(id === null ? [] : [`id=${word(id)}`]),
  ]
  return text
    .split('\n')
    .map((line) => `${words.join(' ')} ${line}`)
    .join('\n')
}

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Lines for people on stderr: with local times, and at a terminal broken between words: it would break an account in two. */
export function formatRemark(stream: Stream, text: string, zone: Zone): string {
  const columns = terminalColumns(stream)
  const lines = text.split('\n').map((line) => showTimes(line, zone))
  if (!stream.isTTY || columns === undefined) return lines.join('\n')
  return lines.map((line) => hangingIndent(line, columns, 2)).join('\n')
}

/** A chalk of its own for one stream: stdout may be a pipe while stderr is a terminal. */
export function paint(
  choice: ColourChoice,
  env: Readonly<Record<string, string | undefined>>,
  stream: Screen,
): ChalkInstance {
  return new Chalk({ level: wantsColour(choice, env, stream) ? 1 : 0 })
}

export class Output {
  readonly #edge: Edge
  readonly #shown: OutputForm
  readonly #unread = new AbortController()
  /** Redacts all that goes to either stream. */
  readonly redactor = new Redactor()
  /** Takes what is drawn off the terminal before something is written there; `isLast`: nothing is drawn after it. */
  clearing: (isLast: boolean) => void = () => undefined

  constructor(edge: Edge, shown: OutputForm) {
    this.#edge = edge
    this.#shown = shown
    // No stream is left to say that stderr is gone; what was done is done, and the exit code says it.
    watch(edge.stderr, () => undefined)
    watch(edge.stdout, (error) => this.#unwritable(error))
  }

  /** Fires when the reader of stdout has gone: a command that does nothing but show has nothing left to do. */
  get unread(): AbortSignal {
    return this.#unread.signal
  }

  get machine(): boolean {
    return this.#shown.form === 'json' || this.#shown.form === 'ndjson'
  }

  get remarks(): boolean {
    return !this.machine && !this.#shown.quiet
  }

  /** True if the document is drawn for a person at a terminal who wants remarks. */
  get isForPerson(): boolean {
    const { form, fields, query } = this.#shown
    return form === 'table' && !fields && !query && this.remarks && this.#edge.stdout.isTTY === true
  }

  get ink(): ChalkInstance {
    return paint(this.#shown.colour, this.#edge.env, this.#edge.stderr)
  }

  async mustBeShowable(result: Published | undefined, hasRows: boolean): Promise<void> {
    const { fields, query } = this.#shown
    if (fields === null && query === null) return
    await (await import('./selection.ts')).mustBeShowable({ fields, query }, result, hasRows)
  }

  /** The one document of a command; there is none where a command has said everything by itself (undefined). */
  async document(result: unknown, view: View, whole = false, rows: RowForms | null = null): Promise<void> {
    if (result === undefined) return
    const shown = whole ? { ...this.#shown, fields: null, query: null } : this.#shown
    const text = await this.#render(result, view, shown, rows)
    if (text !== '') this.#write(text, this.#edge.stdout)
  }

  async #render(result: unknown, view: View, shown: OutputForm, rows: RowForms | null): Promise<string> {
    const { form, fields, query, isRaw } = shown
    const { stdout } = this.#edge
    if (form === 'table' && !fields && !query) return this.#drawnOn(stdout, view, !stdout.isTTY)
    if (rows && !query) {
      const written = await renderRows(rows, form, fields, stdout.isTTY)
      if (written !== null) return written
    }
    const picked = await pick(rows && !query && fields ? rows.rows : result, fields, query)
    if (form === 'table' && fields) {
      const { fieldsView } = await import('./selection.ts')
      return this.#drawnOn(stdout, fieldsView(picked, fields), !stdout.isTTY)
    }
    if (isSheetForm(form)) return asSheet(picked, form, fields, stdout.isTTY)
    const raw = isRaw && query ? rawText(picked) : null
    if (raw !== null) return stdout.isTTY ? visibleLines(raw) : raw
    if (form === 'ndjson')
      return rowsOf(picked)
        .map((row) => printableJson(row))
        .join('\n')
    return printableJson(picked, form === 'table' ? 2 : 0)
  }

  #drawnOn(stream: Edge['stdout'], view: View, isPiped: boolean): string {
    const { env } = this.#edge
    const ink = paint(this.#shown.colour, env, stream)
    return drawView(view, terminalColumns(stream) ?? 80, ink, isPiped, zoneIn(env), this.#shown.asksForTable)
  }

  /** A view as a terminal on stdout shows it. */
  drawView(view: View): string {
    return this.#drawnOn(this.#edge.stdout, this.redactor.cleanAll(view), false)
  }

  say(line: string, about?: Reference): void {
    if (this.remarks) this.#log(visibleLines(this.redactor.clean(line)), about)
  }

  /** Something drawn for people beside the document, while the command goes on. */
  show(view: View): void {
    if (this.remarks) this.#write(this.#drawnOn(this.#edge.stderr, this.redactor.cleanAll(view), false))
  }

  warn(line: string, about?: Reference): void {
    if (!this.machine) this.#log(`${this.ink.yellow('warning:')} ${visible(this.redactor.clean(line))}`, about)
  }

  /** A line of the trace that was asked for: shown whatever the form. */
  trace(line: string): void {
    this.#inLog(this.ink.dim(visibleLines(this.redactor.clean(line))))
  }

  #unwritable(error: NodeJS.ErrnoException): void {
    if (error.code === 'EPIPE') {
      this.#unread.abort()
      return
    }
    this.failure(
      new Failure('bug', `stdout could not be written: ${error.message}. The result is in the journal`, {
        hints: [
          hint`\`${paste('journal list')}\` shows it. Running the command again with the same id or --key does not pay twice.`,
        ],
      }),
    )
    this.#edge.exit(failures.bug.exit)
  }

  failure(failure: Failure, naming?: Naming): void {
    this.clearing(true)
    const said = this.#redacted(failure)
    const { uniqueId, transactionId, journalId } = said.facts
    const id = uniqueId ?? transactionId ?? journalId ?? null
    if (this.machine) this.#write(printableJson(said.toLine(naming)))
    else this.#log(this.#inWords(said, naming), { key: null, id })
  }

  #redacted({ kind, message, facts: { document: _, ...facts } }: Failure): Failure {
    return new Failure(kind, this.redactor.clean(message), this.redactor.cleanAll(facts))
  }

  /** Writes lines that say when they were written, and about what, where they go to no terminal. */
  #log(text: string, about?: Reference): void {
    this.#inLog(formatRemark(this.#edge.stderr, text, zoneIn(this.#edge.env)), about)
  }

  #inLog(text: string, about: Reference = { key: null, id: null }): void {
    const { stderr, clock, env } = this.#edge
    const subject = this.redactor.cleanAll({ key: about.key ?? this.#shown.key, id: about.id })
    this.#write(stderr.isTTY ? text : logLines(text, subject, clock.now(), zoneIn(env)))
  }

  /** Writes a text that is redacted already: redacted once more it would not stay JSON, or a line. */
  #write(text: string, stream: Edge['stdout'] = this.#edge.stderr): void {
    this.clearing(false)
    stream.write(`${text}\n`)
  }

  #inWords(failure: Failure, naming?: Naming): string {
    const { uniqueId, transactionId, journalId, service, warnings, hints } = failure.facts
    const words = service ? serviceInWords(service, failure.message) : []
    const ids = Object.entries({ uniqueId, transactionId, journalId }).flatMap(([name, id]) =>
      id ? [`${name} ${id}`] : [],
    )
    return [
      `${this.ink.red(`${failure.kind === 'usage' ? 'wrong input' : failure.kind}:`)} ${visibleLines(failure.message).replaceAll('\n', '\n  ')}`,
      ...(ids.length > 0 ? [`  ${this.ink.dim(visible(ids.join('  ')))}`] : []),
      ...words.map((each) => `  ${this.ink.dim(visible(each))}`),
      ...(warnings ?? []).map((warning) => `  ${this.ink.yellow('warning:')} ${visible(warning)}`),
      ...(hints ?? []).map((each) => `  → ${visible(hintInWords(each, naming))}`),
    ].join('\n')
  }
}

/** "the service: code 6006, group 2, HTTP 409: \"Not refundable\"", without its message where that was told already. */
function serviceInWords({ statusCode, exceptionGroup, http, message }: ServiceWords, told: string): readonly string[] {
  const facts = Object.entries({ code: statusCode, group: exceptionGroup, HTTP: http })
  const known = facts.flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]))
  const said = message && !told.includes(message) ? [`"${message}"`] : []
  return known.length === 0 ? [] : [[`the service: ${known.join(', ')}`, ...said].join(': ')]
}

const watched = new WeakSet<object>()

function watch(stream: NodeJS.WritableStream, told: (error: NodeJS.ErrnoException) => void): void {
  if (watched.has(stream)) return
  watched.add(stream)
  // oclif listens too, and throws what it hears out of the event: a stack on the screen, and the exit code lost.
  stream.removeAllListeners('error')
  stream.on('error', told)
}

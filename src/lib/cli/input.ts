/**
 * What a run reads: texts that are pasted, piped in or named as a file, requests as JSON or YAML, and paths that are
 * typed into a question.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { JsonNumber } from '../contract/core/decimal.ts'
import { type Edge, homeOfUser } from '../edge.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { isRecord, membersAsText, readJson } from '../json.ts'
import { fileTrouble, openedFile, textOf, unreadable } from '../paths.ts'
import { visibleLines } from '../text.ts'
import type { Invocation } from './invocation.ts'

const longest = 16 * 1024 * 1024

interface TextSource {
  readonly given?: string | undefined
  /** The value of --file; `-` is stdin. */
  readonly file?: string | undefined
  readonly what: string
}

interface TextReader {
  readonly edge: Pick<Edge, 'stdin'>
  /** True if a person is there to paste. */
  readonly canAsk: boolean
  readonly output: { readonly say: (line: string) => void }
  readonly signal: AbortSignal
}

/** As a stream: readFileSync(0) fails with EAGAIN on a pipe that is slow, and nothing could stop it. `path`: null for stdin. */
async function bytesOf(path: string | null, stdin: NodeJS.ReadableStream, signal: AbortSignal, most?: number) {
  if (path === null) return buffer(addAbortSignal(signal, stdin as Readable))
  return buffer(await openedFile(path, signal, most === undefined ? {} : { end: most }))
}

function invite(what: string, { edge, canAsk, output }: TextReader): void {
  if (!edge.stdin.isTTY) return
  if (!canAsk) throw new Failure('usage', `nothing to read: give ${what} on stdin or with --file`)
  output.say(
    `Paste ${what}, then Enter and ^D. A terminal cuts lines after 4095 characters: use --file for longer ones.`,
  )
}

/** Nothing that is pasted here is the name of a file by chance. */
function isFile(given: string, what: string): Failure {
  return new Failure('usage', `${given} is the name of a file, not ${what}`, {
    hints: [hint`Use --file ${given}, or <${given}.`],
  })
}

/** The bytes of an argument, a file or stdin. Throws Failure('usage') where there is nothing to read. */
export async function readSource({ given, file, what }: TextSource, reader: TextReader): Promise<Buffer> {
  if (given !== undefined && file !== undefined) {
    throw new Failure('usage', `give ${what} once: as an argument or with --file`)
  }
  if (given !== undefined && given !== '-') {
    if (existsSync(given)) throw isFile(given, what)
    return Buffer.from(given)
  }
  const path = file === '-' || file === undefined ? null : file
  if (path === null) invite(what, reader)
  const bytes = await bytesOf(path, reader.edge.stdin, reader.signal, longest).catch((error: unknown) => {
    reader.signal.throwIfAborted()
    throw new Failure('usage', `${path ?? 'stdin'} cannot be read: ${fileTrouble(error)}`)
  })
  if (bytes.length > longest) throw new Failure('usage', `${what} is larger than 16 MiB`)
  return bytes
}

export async function readText(source: TextSource, reader: TextReader): Promise<string> {
  const bytes = await readSource(source, reader)
  const text = textOf(bytes)
  if (text === null) throw new Failure('usage', `${source.what} is not UTF-8 text`)
  return text
}

/** To a pipe every byte as it is and none more; to a terminal harmless, with a line end. */
export function printExactly(text: string, { stdout }: Edge): void {
  stdout.write(stdout.isTTY ? `${visibleLines(text)}\n` : text)
}

export function printBytes(bytes: Buffer, edge: Edge): void {
  if (edge.stdout.isTTY) printExactly(bytes.toString('utf8'), edge)
  else edge.stdout.write(bytes)
}

const longestRequest = 1024 * 1024

async function textIn(path: string, stdin: NodeJS.ReadableStream, signal?: AbortSignal): Promise<string> {
  const until = signal ?? new AbortController().signal
  const bytes = await bytesOf(path === '-' ? null : path, stdin, until).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw new Failure('usage', `--file: ${path} cannot be read: ${fileTrouble(error)}`)
  })
  // Read in another encoding, a name would reach the bank damaged.
  const text = textOf(bytes)
  if (text !== null) return text
  throw new Failure('usage', `--file: ${path} is not UTF-8: save it as UTF-8`)
}

/** A value left empty, `~` or `null` without quotes: as null in JSON, and not a payment for the purpose of "null". */
const nothing = {
  identify: (value: unknown) => value === null,
  default: true,
  tag: 'tag:yaml.org,2002:null',
  test: /^(?:~|null)?$/,
  resolve: () => null,
} as const

/** A number by the grammar of JSON; 0x10, 1_000, .inf and 01001000001 stay text. */
const numbers = {
  identify: (value: unknown) => value instanceof JsonNumber,
  default: true,
  tag: 'tag:yaml.org,2002:float',
  test: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  resolve: (text: string) => new JsonNumber(text),
} as const

/** Only these two words: yes, on and True stay text. */
const switches = {
  identify: (value: unknown) => typeof value === 'boolean',
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test: /^(?:true|false)$/,
  resolve: (text: string) => text === 'true',
} as const

/** `text`: every scalar as text. `kinds`: unquoted scalars of YAML are what JSON takes them for. */
export type Scalars = 'text' | 'kinds'

const isJson = (source: string): boolean => /^\s*[{[]/.test(source)

async function parse(source: string, scalars: Scalars): Promise<unknown> {
  if (isJson(source)) return readJson(source.replace(/^\uFEFF/, ''))
  const { parse } = await import('yaml')
  // The failsafe schema reads every scalar as text: in YAML's own, 0x10 is 16 and 1e3 is 1000. No warnings: they would
  // reach stderr past this program.
  const customTags = scalars === 'text' ? [nothing] : [nothing, numbers, switches]
  return parse(source, { schema: 'failsafe', customTags, maxAliasCount: 0, logLevel: 'error' })
}

/** True if a text in it, or a name, is none that can be sent: it was written with an escape that stands for no character. */
function hasUnpairedSurrogate(value: unknown): boolean {
  const left = [value]
  // The list grows while it is walked through.
  for (const each of left) {
    if (typeof each === 'string' && /[\0\p{Surrogate}]/u.test(each)) return true
    if (Array.isArray(each)) for (const member of each) left.push(member)
    else if (isRecord(each)) for (const [name, member] of Object.entries(each)) left.push(name, member)
  }
  return false
}

/** The file of a request: read once, because stdin gives its text but once. */
export class RequestFile {
  #read: Promise<string> | undefined
  readonly #path: string | undefined
  readonly #stdin: NodeJS.ReadableStream

  /** `path`: as it was typed, also where the command line cannot be read. */
  constructor(path: string | undefined, stdin: NodeJS.ReadableStream) {
    this.#path = path
    this.#stdin = stdin
  }

  /** The fields that it gives; none where no file was named. Throws a Failure: usage (2). */
  async fields(scalars: Scalars, signal?: AbortSignal): Promise<Record<string, unknown>> {
    if (this.#path === undefined) return {}
    this.#read ??= textIn(this.#path, this.#stdin, signal)
    return fieldsInText(await this.#read, this.#path === '-' ? 'stdin' : this.#path, scalars)
  }

  /** The fields of a JSON file in the kinds that it wrote; none of YAML, in which every scalar is taken for text. */
  async kinds(): Promise<Record<string, unknown>> {
    const source = (await this.#read) ?? ''
    const value = isJson(source) ? await parse(source, 'kinds') : null
    return isRecord(value) ? value : {}
  }

  /**
   * A field of it, for a command that ended before its request was made: undefined where the file names none. Throws where that
   * cannot be told: a file that is no request, and stdin that was not read. Nothing waits for stdin then.
   */
  async fieldAtEnd(name: string): Promise<string | undefined> {
    const isRead = this.#read !== undefined
    if (!isRead && this.#path !== undefined) {
      const why = this.#path === '-' ? 'it was not read' : unreadable(this.#path)
      if (why !== null) throw new Failure('usage', `--file: ${this.#path} cannot be read: ${why}`)
    }
    const value = (await this.fields('text'))[name]
    return typeof value === 'string' ? value : undefined
  }
}

const newRequestFile = ({ line, edge }: Invocation) => new RequestFile(line.value('--file'), edge.stdin)

/** The file of --file, read once in a run. */
export const requestFileOf = (invocation: Invocation): RequestFile => invocation.once(newRequestFile)

/** The fields that a text gives, JSON or YAML; `name`: where it comes from. Throws a Failure: usage (2). */
export async function fieldsInText(source: string, name: string, scalars: Scalars): Promise<Record<string, unknown>> {
  if (source.length > longestRequest) throw new Failure('usage', `--file: ${name} is larger than 1 MiB`)
  let value: unknown
  try {
    value = await parse(source, scalars)
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new Failure('usage', `--file: ${name} is neither JSON nor YAML: ${why.replace(/:$/, '')}`)
  }
  if (hasUnpairedSurrogate(value)) {
    throw new Failure('usage', `--file: ${name} holds half a character (a lone surrogate) or a NUL`)
  }
  if (!isRecord(value)) {
    throw new Failure('usage', `--file: ${name} must hold one object with the fields of the request`)
  }
  return scalars === 'text' ? membersAsText(value) : value
}

/** The path with its `~` made out. `home`: HOME, as a shell takes it. */
export function expandHome(typed: string, home: string | undefined): string {
  const at = /^~(?:\/|$)/.test(typed) ? homeOfUser(home) : null
  return at === null ? typed : join(at, typed.slice(1))
}

/** The complaint about a file that is to be read; null for none. */
export function unreadablePath(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return `${path} does not exist.`
    if (found.isDirectory()) return `${path} is a directory.`
    accessSync(path, constants.R_OK)
    return null
  } catch (error) {
    return `${path} cannot be read: ${fileTrouble(error)}.`
  }
}

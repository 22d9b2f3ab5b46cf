/**
 * A request from a file or from stdin: JSON or YAML. Where the contract knows the fields, every scalar becomes text, as flags
 * are text, so that no amount passes through a float and no long number loses digits; the rules look at it afterwards. A
 * payload that is passed through keeps its kinds: text, number (digit for digit), true and false, null.
 */
import { addAbortSignal, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { JsonNumber } from '../../contract/core/decimal.ts'
import { Failure } from '../../failure.ts'
import { isRecord, membersAsText, readJson } from '../../json.ts'
import { fileTrouble, openedFile, textOf, unreadable } from '../../readable-file.ts'

const longest = 1024 * 1024

async function textIn(path: string, stdin: NodeJS.ReadableStream, signal?: AbortSignal): Promise<string> {
  const until = signal ?? new AbortController().signal
  // As a stream: readFileSync(0) fails with EAGAIN on a pipe that is slow, and nothing could stop it.
  const open = async () => (path === '-' ? addAbortSignal(until, stdin as Readable) : openedFile(path, until))
  const bytes = await open()
    .then(buffer)
    .catch((error: unknown) => {
      signal?.throwIfAborted()
      throw new Failure('usage', `--file: ${path} cannot be read: ${fileTrouble(error)}`)
    })
  // Read in another encoding, a name would reach the bank damaged.
  const text = textOf(bytes)
  if (text !== null) return text
  throw new Failure('usage', `--file: ${path} is not UTF-8, so its letters cannot be read: save it as UTF-8`)
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
function holdsBroken(value: unknown): boolean {
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

/** The fields that a text gives, JSON or YAML; `name`: where it comes from. Throws a Failure: usage (2). */
export async function fieldsInText(source: string, name: string, scalars: Scalars): Promise<Record<string, unknown>> {
  if (source.length > longest) throw new Failure('usage', `--file: ${name} is larger than 1 MiB`)
  let value: unknown
  try {
    value = await parse(source, scalars)
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new Failure('usage', `--file: ${name} is neither JSON nor YAML: ${why.replace(/:$/, '')}`)
  }
  if (holdsBroken(value)) {
    throw new Failure('usage', `--file: ${name} holds half a character (a lone surrogate) or a NUL`)
  }
  if (!isRecord(value)) {
    throw new Failure('usage', `--file: ${name} must hold one object with the fields of the request`)
  }
  return scalars === 'text' ? membersAsText(value) : value
}

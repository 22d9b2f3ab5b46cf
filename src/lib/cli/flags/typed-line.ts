/**
 * A command line as it was typed, word by word as oclif takes it: known before its parser runs, and where that gives
 * up.
 */
import { nothingSent, nothingSentNow, type StoppedFacts } from '../../signals.ts'
import { type Form, forms, type OutputForm } from '../output/choice.ts'

/** A flag, as far as it must be known to read a command line. */
export interface ReadableFlag {
  /** Without dashes. */
  readonly name: string
  readonly letter: string | null
  readonly takesValue: boolean
  /** True if `--no-name` is one of its forms. */
  readonly negatable: boolean
  /** True if all words behind it are values of it. */
  readonly greedy: boolean
}

export type Token =
  | {
      readonly kind: 'flag'
      readonly flag: ReadableFlag
      readonly value: string | null
      /** A switch behind which a value was joined: oclif reads that as a word of its own. */
      readonly isValued?: true
    }
  /** A flag that the command has not got, without the value behind its `=`. */
  | { readonly kind: 'unknown'; readonly typed: string }
  | { readonly kind: 'word'; readonly text: string }

interface Found {
  readonly flag: ReadableFlag
  readonly typed: string
  /** The rest of the same word, the value of a flag that takes one; null where there is none. */
  readonly joined: string | null
}

function named(word: string, flags: readonly ReadableFlag[]): ReadableFlag | undefined {
  return flags.find(
    ({ name, letter, negatable }) =>
      word === `--${name}` || (letter !== null && word === `-${letter}`) || (negatable && word === `--no-${name}`),
  )
}

/** The flag that a word names: `--name`, `--name=value`, `-n`, `-nvalue`, `-n=value`, and the first of `-yn`. */
function flagOf(word: string, flags: readonly ReadableFlag[]): Found | null {
  const whole = named(word, flags)
  if (whole) return { flag: whole, typed: word, joined: null }
  const at = word.indexOf('=')
  const before = at < 0 ? undefined : named(word.slice(0, at), flags)
  if (before) return { flag: before, typed: word.slice(0, at), joined: word.slice(at + 1) }
  const short = word.startsWith('--') ? undefined : named(word.slice(0, 2), flags)
  return short ? { flag: short, typed: word.slice(0, 2), joined: word.slice(2) } : null
}

const isFlagLike = (word: string) => word.startsWith('-') && word !== '-'

/** True for a word that oclif takes for a flag where the value of another one is missing: `--name=value` is none there. */
function isFlag(word: string, flags: readonly ReadableFlag[]): boolean {
  return named(word, flags) !== undefined || (/^-[^-]/.test(word) && named(word.slice(0, 2), flags) !== undefined)
}

/** The words that a switch leaves to be read after it: letters of its cluster, or a value that it does not take. */
function leftOf(word: string, { typed, joined }: Found): readonly string[] {
  if (joined === null) return []
  return typed.startsWith('--') ? [joined] : [`-${word.slice(typed.length)}`]
}

/** The words of a command line, behind those of the command. */
export function tokensOf(argv: readonly string[], flags: readonly ReadableFlag[]): readonly Token[] {
  const tokens: Token[] = []
  const left = [...argv]
  let greedy: ReadableFlag | null = null
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') return [...tokens, ...left.map((text) => ({ kind: 'word', text }) as const)]
    const found = isFlagLike(word) ? flagOf(word, flags) : null
    if (found?.flag.takesValue) {
      const [next] = left
      const isNext = found.joined === null && next !== undefined && !isFlag(next, flags)
      if (isNext) left.shift()
      tokens.push({ kind: 'flag', flag: found.flag, value: isNext ? next : found.joined })
      greedy = found.flag.greedy ? found.flag : null
    } else if (found) {
      const isValued = found.joined !== null && word.startsWith(`${found.typed}=`)
      tokens.push({ kind: 'flag', flag: found.flag, value: null, ...(isValued && { isValued }) })
      left.unshift(...leftOf(word, found))
    } else if (isFlagLike(word) && !/^-\d/.test(word)) {
      tokens.push({ kind: 'unknown', typed: word.replace(/=.*$/s, '') })
    } else if (greedy) tokens.push({ kind: 'flag', flag: greedy, value: word })
    else tokens.push({ kind: 'word', text: word })
  }
  return tokens
}

interface DeclaredFlag {
  readonly type: 'boolean' | 'option'
  readonly char?: string | undefined
  readonly allowNo?: boolean | undefined
  readonly multiple?: boolean | undefined
  readonly multipleNonGreedy?: boolean | undefined
  readonly helpValue?: string | readonly string[] | undefined
  readonly options?: readonly string[] | undefined
  readonly required?: boolean | undefined
  /** Names of flags. */
  readonly exclusive?: readonly unknown[] | undefined
  readonly dependsOn?: readonly string[] | undefined
}

/** The flags of a command as they are declared to oclif, as far as its line is read by them. */
export type DeclaredFlags = Readonly<Record<string, DeclaredFlag>>

/** The flags of a command, as the words of its line are told apart by them. */
export function readableFlags(flags: DeclaredFlags): readonly ReadableFlag[] {
  return Object.entries(flags).map(([name, flag]) => ({
    name,
    letter: flag.char ?? null,
    takesValue: flag.type === 'option',
    negatable: flag.allowNo === true,
    greedy: flag.multiple === true && flag.multipleNonGreedy !== true,
  }))
}

/** The rest of a line behind the words of its command, read once and as oclif reads it. Flags are named with their dashes. */
export class TypedLine {
  readonly #tokens: readonly Token[]

  constructor(argv: readonly string[], flags: readonly ReadableFlag[]) {
    this.#tokens = tokensOf(argv, flags)
  }

  has(flag: string): boolean {
    return this.#tokens.some((token) =>
      token.kind === 'flag' ? `--${token.flag.name}` === flag : token.kind === 'unknown' && token.typed === flag,
    )
  }

  /** Undefined where the flag was not typed, or nothing behind it. Of a flag that was typed twice, the first. */
  value(flag: string): string | undefined {
    return this.#valuesOf(flag)[0] ?? undefined
  }

  /** Every value of a flag, also of one that may be typed once only: the line may be about each of them. */
  values(flag: string): readonly string[] {
    return this.#valuesOf(flag).filter((value) => value !== null)
  }

  #valuesOf(flag: string): readonly (string | null)[] {
    return this.#tokens.flatMap((token) =>
      token.kind === 'flag' && `--${token.flag.name}` === flag ? [token.value] : [],
    )
  }

  /** The words that are neither a flag nor the value of one, also those that are too much. */
  get words(): readonly string[] {
    return this.#tokens.flatMap((token) => (token.kind === 'word' ? [token.text] : []))
  }
}

const switched = { letter: null, takesValue: false, negatable: false, greedy: false } as const

/** The flags that every command has, and those of one that say what it is about: known before the command is loaded. */
export const earlyFlags: readonly ReadableFlag[] = [
  { ...switched, name: 'quiet', letter: 'q' },
  { ...switched, name: 'raw', letter: 'r' },
  { ...switched, name: 'profile', letter: 'p', takesValue: true },
  ...['json', 'no-input', 'trace'].map((name) => ({ ...switched, name })),
  ...['output', 'fields', 'query', 'timeout', 'connect-timeout', 'answer-timeout', 'har', 'color', 'key'].map(
    (name) => ({
      ...{ ...switched, name, takesValue: true },
    }),
  ),
]

/** A whole command line, of which the command is not known yet. */
export const earlyLine = (argv: readonly string[]): TypedLine => new TypedLine(argv, earlyFlags)

/** The form of a result that was asked for: a failure takes it, too. */
export function typedForm(line: TypedLine): Form {
  const asked = line.has('--json') ? 'json' : line.value('--output')
  return forms.find((form) => form === asked) ?? 'table'
}

/** All that the command line says of how its result and its remarks are written. */
export function typedOutput(line: TypedLine): OutputForm {
  return {
    form: typedForm(line),
    fields: line.value('--fields')?.split(',').filter(Boolean) ?? null,
    query: line.value('--query') ?? null,
    isRaw: line.has('--raw'),
    asksForTable: line.value('--output') === 'table',
    colour: (line.value('--color') ?? 'auto') as 'auto',
    quiet: line.has('--quiet'),
    key: line.value('--key') ?? null,
  }
}

const topics: ReadonlySet<string> = new Set([
  ...['payout', 'order', 'card', 'wallet', 'subscription', 'user'],
  ...['resume', 'journal'],
])

const aboutNoPayment: ReadonlySet<string> = new Set([
  ...['payout:balance', 'journal:verify', 'journal:import', 'journal:purge'],
])

/** Commands that make something new, under an id that this run makes unless one is given. */
const creating: ReadonlySet<string> = new Set([
  ...['payout:create', 'order:create', 'order:refund', 'wallet:create', 'user:register'],
])

/** Flags that give the id of a write; a file may hold it. */
export const idFlags = ['--key', '--unique-id', '--integrator-order-id'] as const

/** Commands about a plan that may have been run before. */
const ofPlans: ReadonlySet<string> = new Set([
  ...['run', 'resume', 'wait', 'discard', 'status'].map((each) => `batch:${each}`),
  ...['request', 'approve', 'reject', 'show'].map((each) => `approval:${each}`),
])

/** `id` is that of the command, such as `payout:create`; empty where no word names one. */
export function isAboutEarlier(id: string, line: TypedLine): boolean {
  const [topic = ''] = id.split(':')
  if (id === '') return idFlags.some((flag) => line.has(flag))
  if (!topics.has(topic) || aboutNoPayment.has(id)) return false
  if (!creating.has(id)) return true
  return [...idFlags, '--file'].some((flag) => line.has(flag))
}

/** True if a command names a plan, or a file that may have been planned. */
export function isAboutPlans(id: string, { words }: TypedLine): boolean {
  if (id === 'batch:plan') return words.length > 0
  const named = id.startsWith('approval:') ? /^[ab]-/i : /^b-/i
  return id !== 'batch:check' && /^(?:batch|approval):/.test(id) && words.some((word) => named.test(word.trim()))
}

/** The last words about money of a command that is stopped before it has asked the journal. */
export function stoppedUnasked(id: string, line: TypedLine): StoppedFacts {
  return ofPlans.has(id) || isAboutEarlier(id, line) ? nothingSentNow : nothingSent
}

/** The same of a whole command line. */
export function stoppedAtStart(argv: readonly string[]): StoppedFacts {
  const [first = '', second = ''] = argv
  const isTopic = !first.includes(':') && !second.startsWith('-')
  return stoppedUnasked(isTopic ? [first, second].filter(Boolean).join(':') : first, earlyLine(argv))
}

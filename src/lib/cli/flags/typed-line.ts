/** A command line, word by word as oclif's parser takes it: known even where that parser gives up. */

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
      readonly typed: string
      readonly value: string | null
      /** A switch behind which a value was joined: oclif reads that as a word of its own. */
      readonly isValued?: true
    }
  /** A flag that the command has not got; the value is what stands behind its `=`. */
  | { readonly kind: 'unknown'; readonly typed: string; readonly value: string | null }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'end' }

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
    if (word === '--') return [...tokens, { kind: 'end' }, ...left.map((text) => ({ kind: 'word', text }) as const)]
    const found = isFlagLike(word) ? flagOf(word, flags) : null
    if (found?.flag.takesValue) {
      const [next] = left
      const isNext = found.joined === null && next !== undefined && !isFlag(next, flags)
      if (isNext) left.shift()
      tokens.push({ kind: 'flag', flag: found.flag, typed: found.typed, value: isNext ? next : found.joined })
      greedy = found.flag.greedy ? found.flag : null
    } else if (found) {
      const isValued = found.joined !== null && word.startsWith(`${found.typed}=`)
      tokens.push({ kind: 'flag', flag: found.flag, typed: found.typed, value: null, ...(isValued && { isValued }) })
      left.unshift(...leftOf(word, found))
    } else if (isFlagLike(word) && !/^-\d/.test(word)) {
      const end = word.indexOf('=')
      tokens.push(
        end < 0
          ? { kind: 'unknown', typed: word, value: null }
          : { kind: 'unknown', typed: word.slice(0, end), value: word.slice(end + 1) },
      )
    } else if (greedy) tokens.push({ kind: 'flag', flag: greedy, typed: `--${greedy.name}`, value: word })
    else tokens.push({ kind: 'word', text: word })
  }
  return tokens
}

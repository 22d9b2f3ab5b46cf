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
  | { readonly kind: 'flag'; readonly flag: ReadableFlag; readonly typed: string; readonly value: string | null }
  /** A flag that the command has not got; the value is what stands behind its `=`. */
  | { readonly kind: 'unknown'; readonly typed: string; readonly value: string | null }
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'end' }

interface Found {
  readonly flag: ReadableFlag
  readonly typed: string
  /** The value in the same word; null where the next word would be it. */
  readonly joined: string | null
}

function named(word: string, flags: readonly ReadableFlag[]): ReadableFlag | undefined {
  return flags.find(
    ({ name, letter, negatable }) =>
      word === `--${name}` || (letter !== null && word === `-${letter}`) || (negatable && word === `--no-${name}`),
  )
}

/** The flag that a word names: `--name`, `--name=value`, `-n`, `-nvalue`, `-n=value`. */
function flagOf(word: string, flags: readonly ReadableFlag[]): Found | null {
  const whole = named(word, flags)
  if (whole) return { flag: whole, typed: word, joined: null }
  const at = word.indexOf('=')
  const before = at < 0 ? undefined : named(word.slice(0, at), flags)
  if (before) return { flag: before, typed: word.slice(0, at), joined: word.slice(at + 1) }
  const short = word.startsWith('--') ? undefined : named(word.slice(0, 2), flags)
  return short?.takesValue ? { flag: short, typed: word.slice(0, 2), joined: word.slice(2) } : null
}

const isFlagLike = (word: string) => word.startsWith('-') && word !== '-' && !/^-\d/.test(word)

/** The words of a command line, behind those of the command. */
export function tokensOf(argv: readonly string[], flags: readonly ReadableFlag[]): readonly Token[] {
  const tokens: Token[] = []
  let greedy: ReadableFlag | null = null
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (word === '--') {
      const rest = argv.slice(at + 1).map((text) => ({ kind: 'word', text }) as const)
      return [...tokens, { kind: 'end' }, ...rest]
    }
    const found = isFlagLike(word) ? flagOf(word, flags) : null
    if (found) {
      const next = argv[at + 1]
      const isNext = found.flag.takesValue && found.joined === null && next !== undefined && !flagOf(next, flags)
      tokens.push({
        ...{ kind: 'flag', flag: found.flag, typed: found.typed },
        value: isNext ? next : found.joined,
      })
      if (isNext) at += 1
      greedy = found.flag.greedy ? found.flag : null
    } else if (isFlagLike(word)) {
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

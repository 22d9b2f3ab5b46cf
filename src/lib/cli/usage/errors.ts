/** A wrong command line: the complaint of oclif's parser in our words, and the word that was probably meant. */
import { Failure } from '../../failure.ts'
import { type Hint, hint } from '../../hint.ts'
import { isRecord } from '../../json.ts'
import { nearest } from '../../nearest.ts'
import { type DeclaredFlags, type ReadableFlag, readableFlags, type Token, tokensOf } from '../flags/typed-line.ts'

interface DeclaredArg {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly options?: readonly string[] | undefined
}

export interface CommandTerms {
  /** Such as `payout create`. */
  readonly words: string
  /** Everything that was typed behind them. */
  readonly argv: readonly string[]
  readonly flags: DeclaredFlags
  readonly args: Readonly<Record<string, DeclaredArg>>
}

interface Complaint {
  readonly said: string
  readonly hints: readonly Hint[]
}

const bare = (said: string): Complaint => ({ said, hints: [] })

const didYouMean = (words: readonly string[]): readonly Hint[] =>
  words.length === 0 ? [] : [hint`Did you mean ${words.join(' ')}?`]

const behind = (value: string | null) => (value === null ? '' : `: ${value}`)

/** The value of a flag as help writes it: `<file>` says what belongs there; 12.50 is one of many. */
function helpValueOf({ flags }: CommandTerms, flag: string): string {
  const { helpValue, options } = flags[flag] ?? {}
  if (options) return behind(options.join(', '))
  const value = helpValue === undefined ? null : [helpValue].flat().join(' ')
  return value === null || value.startsWith('<') ? behind(value) : `, such as ${value}`
}

/** Flags of other programs, and those for the same here. */
const ofPeers: Readonly<Record<string, string>> = { jq: 'query', o: 'output', v: 'trace', verbose: 'trace' }

function nearestFlag(typed: string, flags: readonly ReadableFlag[]): readonly string[] {
  const word = typed.replace(/^-+/, '')
  const known = flags.find(({ name }) => name === ofPeers[word])
  if (known) return [`--${known.name}`]
  const near = nearest(
    word,
    flags.flatMap(({ name, negatable }) => (negatable ? [name, `no-${name}`] : [name])),
  )
  return near === null ? [] : [`--${near}`]
}

/** Flags that the command has not got; null where all are known. A value behind one is not told again: it may be a secret. */
function unknownFlags(
  tokens: readonly Token[],
  flags: readonly ReadableFlag[],
  { words }: CommandTerms,
): Complaint | null {
  const typed = [...new Set(tokens.flatMap((token) => (token.kind === 'unknown' ? [token.typed] : [])))]
  if (typed.length === 0) return null
  return {
    said: `\`${words}\` has no ${typed.length === 1 ? 'flag' : 'flags'} ${typed.join(' and ')}`,
    hints: didYouMean(typed.flatMap((flag) => nearestFlag(flag, flags))),
  }
}

/** Flags that are missing, that exclude each other, or that need others, each in a sentence. */
function brokenRelations(tokens: readonly Token[], command: CommandTerms): readonly string[] {
  const typed = new Set(tokens.flatMap((token) => (token.kind === 'flag' ? [token.flag.name] : [])))
  return Object.entries(command.flags).flatMap(([name, { required, exclusive = [], dependsOn = [] }]) => {
    if (!typed.has(name)) return required ? [`--${name} is missing${helpValueOf(command, name)}`] : []
    const others = exclusive.map(String).filter((other) => typed.has(other))
    const lacks = dependsOn.some((other) => !typed.has(other))
    return [
      ...others.map((other) => `give --${other} or --${name}, not both`),
      ...(lacks ? [`--${name} needs ${dependsOn.map((other) => `--${other}`).join(', ')}, too`] : []),
    ]
  })
}

/** The complaint of a flag about its value, below a line that names the flag: oclif adds that line to whatever a flag throws. */
function aboutValue({ message }: Error): string {
  const [, flag = '', complaint = message] = /^Parsing (--\S+) *\n\s*(.*)/.exec(message) ?? []
  const [isInteger, which, value] = /^Expected an integer(.*?) but received: ?(.*)/.exec(complaint) ?? []
  if (isInteger) return `${flag} takes a whole number${which}, not ${which === '' ? `"${value}"` : value}`
  return complaint.startsWith(flag) ? complaint : `${flag}: ${complaint}`
}

/** Arguments that are missing, each with what belongs there. */
function missingArgs(names: readonly string[], tokens: readonly Token[], { words, args }: CommandTerms): Complaint {
  const wanted = names.map((name) => {
    const { description, options } = args[name] ?? {}
    return `<${name}>${behind(options?.join('|') ?? description ?? null)}`
  })
  const greedy = tokens.find((token) => token.kind === 'flag' && token.flag.greedy)
  const hints =
    greedy?.kind === 'flag'
      ? [hint`--${greedy.flag.name} takes all words after it: put other arguments before it.`]
      : []
  return { said: `\`${words}\` needs ${wanted.join('; and ')}`, hints }
}

/** A value that is none of those that a flag or an argument takes; null for none. */
function otherValue(tokens: readonly Token[], command: CommandTerms): Complaint | null {
  const ofArgs = Object.values(command.args).map(({ options }) => options)
  let words = -1
  for (const token of tokens) {
    if (token.kind === 'unknown') continue
    if (token.kind === 'word') words += 1
    const options = token.kind === 'flag' ? command.flags[token.flag.name]?.options : ofArgs[words]
    const value = token.kind === 'flag' ? token.value : token.text
    if (value === null || !options || options.includes(value)) continue
    const all = options.join(', ')
    const near = nearest(value, options)
    return {
      said: token.kind === 'flag' ? `--${token.flag.name} takes one of ${all}` : `"${value}" is not one of ${all}`,
      hints: didYouMean(near === null ? [] : [near]),
    }
  }
  return null
}

/** Missing arguments, as they are declared, or words that are too much: two complaints of the parser have them. */
const argsIn = (error: Error): readonly unknown[] => ('args' in error && Array.isArray(error.args) ? error.args : [])

/** The arguments that a complaint of the parser names as missing. */
export function missingNames(error: Error): readonly string[] {
  return argsIn(error).flatMap((arg) => (isRecord(arg) && typeof arg.name === 'string' ? [arg.name] : []))
}

/** The required flags of a line that was parsed and lacks them. */
export function missingFlags(error: Error, { argv, flags }: CommandTerms): readonly string[] {
  const isParsed = 'parse' in error && isRecord(error.parse) && 'output' in error.parse
  if (!isParsed || 'args' in error || 'flags' in error) return []
  const tokens = tokensOf(argv, readableFlags(flags))
  const typed = new Set(tokens.flatMap((token) => (token.kind === 'flag' ? [token.flag.name] : [])))
  return Object.keys(flags).filter((name) => flags[name]?.required && !typed.has(name))
}

function complaintOf(error: Error, command: CommandTerms): Complaint {
  const flags = readableFlags(command.flags)
  const tokens = tokensOf(command.argv, flags)
  const valued = tokens.find((token) => token.kind === 'flag' && token.isValued)
  if (valued?.kind === 'flag') return bare(`--${valued.flag.name} takes no value: give it alone, or omit it`)
  const unknown = 'flags' in error ? unknownFlags(tokens, flags, command) : null
  if (unknown !== null) return unknown
  const names = missingNames(error)
  if (names.length > 0) return missingArgs(names, tokens, command)
  const extra = argsIn(error).length
  if (extra > 0) {
    const taken = Object.keys(command.args).map((name) => `<${name}>`)
    const what = taken.length > 0 ? `only ${taken.join(' ')}` : 'only flags'
    return bare(`too many arguments: \`${command.words}\` takes ${what}`)
  }
  const open = tokens.find((token) => token.kind === 'flag' && token.flag.takesValue && token.value === null)
  if (open?.kind === 'flag') return bare(`--${open.flag.name} needs a value${helpValueOf(command, open.flag.name)}`)
  const other = otherValue(tokens, command)
  if (other !== null) return other
  if (error.message.startsWith('Parsing ')) return bare(aboutValue(error))
  const broken = [...new Set(brokenRelations(tokens, command))]
  // A value behind a flag is cut off: a secret may have been typed there.
  const rest = error.message.replace(/(-[\w-]+)(?:=\S*)?/g, '$1').split('\n')[0] ?? ''
  return bare(broken.length > 0 ? broken.join('; ') : rest)
}

/** Failure('usage') (2) of a line that oclif's parser did not take. */
export function usageFailure(error: Error, command: CommandTerms): Failure {
  const { said, hints } = complaintOf(error, command)
  return new Failure('usage', said, { hints: [...hints, hint`See \`--help\`.`] })
}

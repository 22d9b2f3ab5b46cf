/** A wrong command line: the complaint of oclif’s parser in our words, and the whole line that was probably meant. */
import { Failure } from '../../failure.ts'
import { type Blank, blank, type Hint, hint, typedAnew } from '../../hint.ts'
import { isRecord } from '../../json.ts'
import { nearest } from '../../nearest.ts'
import { builtIn } from '../../profile/built-in.ts'
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

/** The value of a flag as help writes it; null where it needs no saying. */
function helpValueOf({ flags }: CommandTerms, flag: string): string | null {
  const value = flags[flag.replace(/^--/, '')]?.helpValue
  return value === undefined ? null : [value].flat().join(' ')
}

/**
 * The words of a mended line as they may be shown again. No value of paydesk's own flags is a secret, but a person may have typed
 * one all the same: behind a flag that sounds like one, or where it looks like one. Its place is left to the reader.
 */
type ShownWord = string | Blank

const left = blank('<value>')

const secretWords = ['secret', 'password', 'passwd', 'passphrase', 'token', 'credential', 'bearer', 'cookie', 'apikey']
const shortSecretWords = ['auth', 'jwt', 'cvv', 'cvc', 'pin', 'pan', 'otp', 'pass', 'pwd']

/** True if a value of the flag may be a secret, also where its name is mistyped. */
async function soundsSecret(flag: string): Promise<boolean> {
  const { distance } = await import('fastest-levenshtein')
  const text = flag.toLowerCase().replace(/^-+/, '')
  const parts = text.split(/[^a-z\d]+/)
  const plain = text.replaceAll(/[^a-z\d]/g, '')
  return (
    secretWords.some((word) => plain.includes(word) || parts.some((part) => distance(part, word) <= 2)) ||
    shortSecretWords.some((word) => parts.includes(word)) ||
    /card-?number|authori[sz]ation|api-?key/.test(text)
  )
}

const isUuid = (text: string) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)

/** True for what may be an address with a password in it, its slashes mistyped: postgres:/user:password@db/team. */
const holdsPassword = (text: string) => /^[^\s@:]*:[^\s@]*@/.test(text)

/** True for a text that looks like a key, a token, a password or the number of a card, wherever it stands. */
function looksSecret(text: string): boolean {
  if (isUuid(text) || /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text)) return false
  const isCard = /^(?:\d[ -]?){12,18}\d$/.test(text)
  return (
    isCard ||
    holdsPassword(text) ||
    /^eyJ[\w-]+\./.test(text) ||
    /^[\w+/=.~-]{32,}$/.test(text) ||
    /-----BEGIN/.test(text)
  )
}

const shownWord = (text: string): ShownWord => (looksSecret(text) ? left : text)

/** The words of a token: a value that looks like a flag, or belongs to one that is not known, stays joined. */
function wordsOf(token: Token, mayShow: boolean): readonly ShownWord[] {
  if (token.kind === 'end') return ['--']
  if (token.kind === 'word') return [mayShow ? shownWord(token.text) : left]
  if (token.value === null) return [token.typed]
  if (token.kind === 'unknown')
    return mayShow && !looksSecret(token.value) ? [`${token.typed}=${token.value}`] : [token.typed, left]
  return token.value.startsWith('-') && token.value !== '-'
    ? [`${token.typed}=${token.value}`]
    : [token.typed, holdsPassword(token.value) ? left : token.value]
}

/** The words of a line, without what may be a secret. */
export async function showableWords(tokens: readonly Token[]): Promise<readonly ShownWord[]> {
  const words: ShownWord[] = []
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]
    const named = token.kind === 'unknown' ? token : before?.kind === 'unknown' && before.value === null ? before : null
    words.push(...wordsOf(token, named === null || !(await soundsSecret(named.typed))))
  }
  return words
}

/** Advice to name the profile that was meant: the whole line where a flag names it. None where no name is near. */
export async function suggestProfile(
  name: string,
  names: readonly string[],
  command: CommandTerms,
): Promise<readonly Hint[]> {
  const near = await nearest(name, [...names, ...builtIn])
  if (near === null) return []
  const tokens = tokensOf(command.argv, readableFlags(command.flags))
  const mended = tokens.map((token) =>
    token.kind === 'flag' && token.flag.name === 'profile' && token.value === name
      ? { ...token, value: near.word }
      : token,
  )
  const isTyped = mended.some((token, at) => token !== tokens[at])
  if (!isTyped) return [hint`Did you mean ${near.word}?`]
  return [hint`Did you mean \`${typedAnew(command.words, ...(await showableWords(mended)))}\`?`]
}

/** A token of a mended line; `isSecret`: its value, or the word behind it, may be one. */
interface Mended {
  readonly token: Token
  readonly isSecret: boolean
}

interface Meant {
  /** With its dashes. */
  readonly word: string
  readonly flag: ReadableFlag
}

/** Flags of other programs, and those for the same here. */
const ofPeers: Readonly<Record<string, string>> = { jq: 'query', o: 'output', v: 'trace', verbose: 'trace' }

async function meantBy(typed: string, flags: readonly ReadableFlag[]): Promise<Meant | null> {
  const known = flags.find(({ name }) => name === ofPeers[typed.replace(/^-+/, '')])
  if (known) return { word: `--${known.name}`, flag: known }
  const forms = flags.flatMap((flag) => [
    { word: flag.name, flag },
    ...(flag.negatable ? [{ word: `no-${flag.name}`, flag }] : []),
  ])
  const near = await nearest(
    typed.replace(/^-+/, ''),
    forms.map(({ word }) => word),
  )
  const found = forms.find(({ word }) => word === near?.word)
  return found ? { word: `--${found.word}`, flag: found.flag } : null
}

const isYesOrNo = (text: string | null | undefined) => /^(?:yes|no|true|false|on|off|0|1)$/i.test(text ?? '')

/**
 * The tokens of the mended line; null where the meaning of a flag of it is not known, or a switch was typed with a value: the
 * line that is told never says yes to what was meant as no.
 */
async function mended(tokens: readonly Token[], flags: readonly ReadableFlag[]): Promise<readonly Mended[] | null> {
  const line: Mended[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token?.kind !== 'unknown') {
      if (token) line.push({ token, isSecret: false })
      continue
    }
    const meant = await meantBy(token.typed, flags)
    if (meant === null) return null
    const next = tokens[at + 1]
    const word = next?.kind === 'word' ? next.text : null
    if (!meant.flag.takesValue && (token.value !== null || isYesOrNo(word))) return null
    const follows = meant.flag.takesValue && token.value === null && word !== null
    const given = follows ? word : token.value
    // A path of jq begins with a dot, the same path of JMESPath does not.
    const value = /^-+jq$/.test(token.typed) ? (given?.replace(/^\./, '') ?? null) : given
    const isSecret = await soundsSecret(`${token.typed} ${meant.word}`)
    line.push({ token: { kind: 'flag', flag: meant.flag, typed: meant.word, value }, isSecret })
    if (follows) at += 1
  }
  return line
}

/** The words of a mended line: a secret, and a value that is missing, are places to fill in. */
async function wordsOfMended(line: readonly Mended[]): Promise<readonly ShownWord[]> {
  const words: ShownWord[] = []
  for (const [at, { token, isSecret }] of line.entries()) {
    const isValue = token.kind === 'word' && line[at - 1]?.isSecret
    if (token.kind === 'flag' && token.flag.takesValue && (isSecret || token.value === null))
      words.push(token.typed, left)
    else if (isValue) words.push(left)
    else words.push(...(await showableWords([token])))
  }
  return words
}

const list = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** The complaint about the flags of a line that the command has not got, and the line that was meant; null where all are known. */
async function unknownFlags(
  tokens: readonly Token[],
  flags: readonly ReadableFlag[],
  { words }: CommandTerms,
): Promise<{ readonly said: string; readonly hints: readonly Hint[] } | null> {
  const typed = [...new Set(tokens.flatMap((token) => (token.kind === 'unknown' ? [token.typed] : [])))]
  if (typed.length === 0) return null
  const said = `\`${words}\` has no ${typed.length === 1 ? 'flag' : 'flags'} ${list(typed)}`
  const line = await mended(tokens, flags)
  if (line === null) return { said, hints: [] }
  return { said, hints: [hint`Did you mean \`${typedAnew(words, ...(await wordsOfMended(line)))}\`?`] }
}

interface Complaint {
  readonly said: string
  readonly hints: readonly Hint[]
}

const bare = (said: string): Complaint => ({ said, hints: [] })

const behind = (value: string | null) => (value === null ? '' : `: ${value}`)

/** `<file>` says what belongs there; 12.50 is one of many. */
function asValue(value: string | null): string {
  return value === null || value.startsWith('<') ? behind(value) : `, such as ${value}`
}

function argsOf(args: CommandTerms['args']): string {
  const names = Object.keys(args).map((name) => `<${name}>`)
  return names.length > 0 ? `only ${names.join(' ')}` : 'only flags'
}

/** Flags that are missing, that exclude each other, or that need others, each in a sentence. */
function brokenRelations(tokens: readonly Token[], command: CommandTerms): readonly string[] {
  const typed = new Set(tokens.flatMap((token) => (token.kind === 'flag' ? [token.flag.name] : [])))
  return Object.entries(command.flags).flatMap(([name, { required, exclusive = [], dependsOn = [] }]) => {
    if (!typed.has(name)) return required ? [`--${name} is missing${asValue(helpValueOf(command, name))}`] : []
    const others = exclusive.map(String).filter((other) => typed.has(other))
    const lacks = dependsOn.some((other) => !typed.has(other))
    return [
      ...others.map((other) => `give --${other} or --${name}, not both`),
      ...(lacks ? [`--${name} needs ${dependsOn.map((other) => `--${other}`).join(', ')}, too`] : []),
    ]
  })
}

/** The complaint of a flag about its value, below a line that names the flag. */
function aboutValue({ message }: Error): string {
  const [, flag = '', complaint = message] = /^Parsing (--\S+) *\n\s*(.*)/.exec(message) ?? []
  const [isInteger, which, value] = /^Expected an integer(.*?) but received: ?(.*)/.exec(complaint) ?? []
  if (isInteger) return `${flag} takes a whole number${which}, not ${which === '' ? `"${value}"` : value}`
  return complaint.startsWith(flag) ? complaint : `${flag}: ${complaint}`
}

/** Arguments that are missing, each with what belongs there, and the line with places for them. */
async function missing(names: readonly string[], tokens: readonly Token[], command: CommandTerms): Promise<Complaint> {
  const wanted = names.map((name) => {
    const { description, options } = command.args[name] ?? {}
    return `<${name}>${behind(options?.join('|') ?? description ?? null)}`
  })
  const greedy = tokens.find((token) => token.kind === 'flag' && token.flag.greedy)
  const words = await showableWords(tokens)
  const places = names.map((name) => blank(`<${name}>`))
  const line = greedy ? [...places, ...words] : [...words, ...places]
  return {
    said: `\`${command.words}\` needs ${wanted.join('; and ')}`,
    hints: [
      ...(greedy?.kind === 'flag'
        ? [hint`${greedy.typed} takes all words after it: put other arguments before it.`]
        : []),
      hint`Type \`${typedAnew(command.words, ...line)}\`.`,
    ],
  }
}

/** A value that is none of those that a flag or an argument takes, and the line with the one that was meant; null for none. */
async function otherValue(tokens: readonly Token[], command: CommandTerms): Promise<Complaint | null> {
  const ofArgs = Object.values(command.args).map(({ options }) => options)
  let words = -1
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'word') words += 1
    const options = token.kind === 'flag' ? command.flags[token.flag.name]?.options : ofArgs[words]
    const value = token.kind === 'flag' ? token.value : token.kind === 'word' ? token.text : null
    if (value === null || !options || options.includes(value)) continue
    const all = options.join(', ')
    const said = token.kind === 'flag' ? `--${token.flag.name} takes one of ${all}` : `"${value}" is not one of ${all}`
    const near = await nearest(value, options)
    if (near === null) return bare(said)
    const mended: Token = token.kind === 'flag' ? { ...token, value: near.word } : { kind: 'word', text: near.word }
    const line = await showableWords(tokens.with(at, mended))
    return { said, hints: [hint`Did you mean \`${typedAnew(command.words, ...line)}\`?`] }
  }
  return null
}

/** Missing arguments, as they are declared, or words that are too much: two complaints of the parser have them. */
const argsIn = (error: Error): readonly unknown[] => ('args' in error && Array.isArray(error.args) ? error.args : [])

/** The arguments that a complaint of the parser names as missing. */
export function missingNames(error: Error): readonly string[] {
  return argsIn(error).flatMap((arg) => (isRecord(arg) && typeof arg.name === 'string' ? [arg.name] : []))
}

async function complaintOf(error: Error, command: CommandTerms): Promise<Complaint> {
  const flags = readableFlags(command.flags)
  const tokens = tokensOf(command.argv, flags)
  const valued = tokens.find((token) => token.kind === 'flag' && token.isValued)
  if (valued?.kind === 'flag') return bare(`${valued.typed} takes no value: give it alone, or omit it`)
  const unknown = 'flags' in error ? await unknownFlags(tokens, flags, command) : null
  if (unknown !== null) return unknown
  const names = missingNames(error)
  if (names.length > 0) return missing(names, tokens, command)
  const extra = argsIn(error).join(', ')
  const shown = looksSecret(extra) ? 'a word' : `"${extra}"`
  if (extra !== '') return bare(`unexpected ${shown}: \`${command.words}\` takes ${argsOf(command.args)}`)
  const open = tokens.find((token) => token.kind === 'flag' && token.flag.takesValue && token.value === null)
  if (open?.kind === 'flag') {
    const { name } = open.flag
    const values = command.flags[name]?.options?.join(', ')
    return bare(`--${name} needs a value${values ? behind(values) : asValue(helpValueOf(command, name))}`)
  }
  const other = await otherValue(tokens, command)
  if (other !== null) return other
  if (error.message.startsWith('Parsing ')) return bare(aboutValue(error))
  const broken = [...new Set(brokenRelations(tokens, command))]
  // A value behind a flag is cut off: a secret may have been typed there.
  const rest = error.message.replace(/(-[\w-]+)(?:=\S*)?/g, '$1').split('\n')[0] ?? ''
  return bare(broken.length > 0 ? broken.join('; ') : rest)
}

const shows = hint`See \`--help\`.`

/** Failure('usage') (2) of a line that oclif's parser did not take. */
export async function usageFailure(error: Error, command: CommandTerms): Promise<Failure> {
  const { said: sentence, hints } = await complaintOf(error, command)
  return new Failure('usage', sentence, { hints: [...hints, shows] })
}

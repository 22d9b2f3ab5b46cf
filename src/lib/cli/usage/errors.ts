/** A wrong command line: the complaint of oclif’s parser in our words, and the whole line that was probably meant. */

import { Failure } from '../../failure.ts'
import { type Blank, blank, type Hint, hint, typedAnew } from '../../hint.ts'
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
export async function shownTokens(tokens: readonly Token[]): Promise<readonly ShownWord[]> {
  const words: ShownWord[] = []
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]
    const named = token.kind === 'unknown' ? token : before?.kind === 'unknown' && before.value === null ? before : null
    words.push(...wordsOf(token, named === null || !(await soundsSecret(named.typed))))
  }
  return words
}

/** Advice to name the profile that was meant: the whole line where a flag names it. None where no name is near. */
export async function otherProfile(
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
  return [hint`Did you mean \`${typedAnew(command.words, ...(await shownTokens(mended)))}\`?`]
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
    else words.push(...(await shownTokens([token])))
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

/** A complaint of the parser: its beginning, and what is said instead; the parts are those of the expression. */
const inOurWords: readonly (readonly [RegExp, (parts: readonly string[], command: CommandTerms) => string])[] = [
  [
    /^Unexpected arguments?: (.*)$/s,
    ([word = ''], { words, args }) =>
      `${looksSecret(word) ? 'a word' : `"${word}"`} is too much: \`${words}\` takes ${argsOf(args)}`,
  ],
  [
    /^Flag (--\S+) expects a value$/,
    ([flag = ''], command) => `${flag} needs a value${asValue(helpValueOf(command, flag))}`,
  ],
  [/^Flag (--\S+) expects one of these values: (.*)$/, ([flag, values]) => `${flag} needs a value: ${values}`],
  [/^Expected (--[\w-]+)(?:=\S*)? to be one of: (.*)$/, ([flag, values]) => `${flag} takes one of ${values}`],
  [/^Expected (\S+) to be one of: (.*)$/, ([word, values]) => `"${word}" is none of ${values}`],
  [
    /^Missing required flag (\S+)$/,
    ([name], command) => `--${name} is missing${asValue(helpValueOf(command, String(name)))}`,
  ],
  [
    /^(--[\w-]+)(?:=.*)? cannot also be provided when using (--[\w-]+)/s,
    ([one, other]) => `${one} and ${other} exclude each other`,
  ],
  [
    /^All of the following must be provided when using (--[\w-]+)(?:=[^:]*)?: (.*)$/,
    ([flag, others]) => `${flag} needs ${others}, too`,
  ],
  [
    /^(--\S+): Expected an integer but received: (.*)$/,
    ([flag, value]) => `${flag} takes a whole number, not "${value}"`,
  ],
  [
    /^(--\S+): Expected an integer ([a-z ]+\d+) but received: (.*)$/,
    ([flag, which, value]) => `${flag} takes a whole number ${which}, not ${value}`,
  ],
]

const behind = (value: string | null) => (value === null ? '' : `: ${value}`)

/** `<file>` says what belongs there; 12.50 is one of many. */
function asValue(value: string | null): string {
  return value === null || value.startsWith('<') ? behind(value) : `, such as ${value}`
}

function argsOf(args: CommandTerms['args']): string {
  const names = Object.keys(args).map((name) => `<${name}>`)
  return names.length > 0 ? `only ${names.join(' ')}` : 'only flags'
}

/** The lines of a complaint, without what the parser says around it. */
function linesOf({ message }: Error): readonly string[] {
  return (
    message
      // "Parsing --nth" stands above a complaint, whether or not that names the flag itself.
      .replaceAll(/^Parsing (--\S+) *\n\s*(\1 )?/gm, (_, flag, named) => named ?? `${flag}: `)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line && !/^(The following errors? occurred|See more help)/.test(line))
  )
}

function said(line: string, command: CommandTerms): string {
  for (const [complaint, instead] of inOurWords) {
    const found = complaint.exec(line)
    if (found) return instead(found.slice(1), command)
  }
  // A value behind a flag is cut off: a secret may have been typed there.
  return line.replace(/(-[\w-]+)(?:=\S*)?/g, '$1')
}

/** Arguments that are missing, each with what belongs there, and the line with places for them. */
async function missing(names: readonly string[], tokens: readonly Token[], command: CommandTerms): Promise<Complaint> {
  const wanted = names.map((name) => {
    const { description, options } = command.args[name] ?? {}
    return `<${name}>${behind(options?.join('|') ?? description ?? null)}`
  })
  const greedy = tokens.find((token) => token.kind === 'flag' && token.flag.greedy)
  const words = await shownTokens(tokens)
  const places = names.map((name) => blank(`<${name}>`))
  const line = greedy ? [...places, ...words] : [...words, ...places]
  return {
    said: `\`${command.words}\` needs ${wanted.join('; and ')}`,
    hints: [
      ...(greedy?.kind === 'flag'
        ? [hint`${greedy.typed} takes all words behind it: what is no value of it stands before it.`]
        : []),
      hint`Type \`${typedAnew(command.words, ...line)}\`.`,
    ],
  }
}

/** A value that is none of those that a flag or an argument takes: the line with the one that was meant. */
async function otherValue(tokens: readonly Token[], command: CommandTerms): Promise<readonly Hint[]> {
  const ofArgs = Object.values(command.args).map(({ options }) => options)
  let words = -1
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'word') words += 1
    const options = token.kind === 'flag' ? command.flags[token.flag.name]?.options : ofArgs[words]
    const value = token.kind === 'flag' ? token.value : token.kind === 'word' ? token.text : null
    if (value === null || !options || options.includes(value)) continue
    const near = await nearest(value, options)
    if (near === null) return []
    const mended: Token = token.kind === 'flag' ? { ...token, value: near.word } : { kind: 'word', text: near.word }
    const line = await shownTokens(tokens.with(at, mended))
    return [hint`Did you mean \`${typedAnew(command.words, ...line)}\`?`]
  }
  return []
}

/** The arguments that a complaint of the parser names as missing. */
export function missingNames(error: Error): readonly string[] {
  if (!error.message.startsWith('Missing') || !('args' in error) || !Array.isArray(error.args)) return []
  return error.args.flatMap((arg: { name?: unknown }) => (typeof arg.name === 'string' ? [arg.name] : []))
}

async function complaintOf(error: Error, command: CommandTerms): Promise<Complaint> {
  const flags = readableFlags(command.flags)
  const tokens = tokensOf(command.argv, flags)
  const valued = tokens.find((token) => token.kind === 'flag' && token.isValued)
  if (valued?.kind === 'flag') return bare(`${valued.typed} takes no value: type it alone for yes, or leave it out`)
  const unknown = error.message.startsWith('Nonexistent flag') ? await unknownFlags(tokens, flags, command) : null
  if (unknown !== null) return unknown
  const names = missingNames(error)
  if (names.length > 0) return missing(names, tokens, command)
  const lines = [...new Set(linesOf(error).map((line) => said(line, command)))]
  if (!/^(?:Expected|Parsing --\S+\s+Expected) .* to be one of/s.test(error.message)) return bare(lines.join('; '))
  return { said: lines.join('; '), hints: await otherValue(tokens, command) }
}

const shows = hint`\`--help\` shows what the command takes.`

/** Failure('usage') (2) of a line that oclif's parser did not take. */
export async function misused(error: Error, command: CommandTerms): Promise<Failure> {
  const { said: sentence, hints } = await complaintOf(error, command)
  return new Failure('usage', sentence, { hints: [...hints, shows] })
}

/** A wrong command line: the complaint of oclif's parser in our words, and the whole line that was probably meant. */
import { Failure } from '../../failure.ts'
import { blank, type Hint, hint, typedAnew } from '../../hint.ts'
import { nearest } from '../../nearest.ts'
import { readableFlags } from '../flags/declared.ts'
import { type Token, tokensOf } from '../flags/typed-line.ts'
import { type CommandTerms, helpValueOf } from './command-terms.ts'
import { looksSecret, shownTokens } from './shown-words.ts'
import { unknownFlags } from './unknown-flag.ts'

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

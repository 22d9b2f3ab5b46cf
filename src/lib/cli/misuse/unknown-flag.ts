/** Flags that a command has not got, and the whole line with those that were meant. */
import { type Hint, hint, typedAnew } from '../../hint.ts'
import { nearest } from '../../nearest.ts'
import type { ReadableFlag, Token } from '../flags/typed-line.ts'
import type { CommandTerms } from './command-terms.ts'
import { left, type ShownWord, shownTokens, soundsSecret } from './shown-words.ts'

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
export async function unknownFlags(
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

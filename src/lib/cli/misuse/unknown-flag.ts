/** Flags that a command has not got, and the whole line with those that were meant. */
import { type Blank, blank, type Hint, hint, typedAnew } from '../../hint.ts'
import type { CommandTerms } from './command-terms.ts'
import { nearest } from './nearest.ts'
import { soundsSecret } from './shown-words.ts'
import type { ReadableFlag, Token } from './typed-line.ts'

type Word = string | Blank

/** The words of a line as they are typed: a value that looks like a flag, or belongs to one that is not known, stays joined. */
export function wordsOfToken(token: Token): readonly Word[] {
  if (token.kind === 'end') return ['--']
  if (token.kind === 'word') return [token.text]
  if (token.value === null) return [token.typed]
  return token.kind === 'unknown' || (token.value.startsWith('-') && token.value !== '-')
    ? [`${token.typed}=${token.value}`]
    : [token.typed, token.value]
}

interface Meant {
  /** With its dashes. */
  readonly word: string
  readonly flag: ReadableFlag
}

async function meantBy(typed: string, flags: readonly ReadableFlag[]): Promise<Meant | null> {
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

/** The words of the mended line; null where the meaning of a flag of it is not known. */
async function mended(tokens: readonly Token[], flags: readonly ReadableFlag[]): Promise<readonly Word[] | null> {
  const words: Word[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token?.kind !== 'unknown') {
      if (token) words.push(...wordsOfToken(token))
      continue
    }
    const meant = await meantBy(token.typed, flags)
    if (meant === null) return null
    words.push(meant.word)
    const next = tokens[at + 1]
    const follows = meant.flag.takesValue && token.value === null && next?.kind === 'word'
    const value = follows ? next.text : token.value
    if (meant.flag.takesValue)
      words.push(value === null || soundsSecret(`${token.typed} ${meant.word}`) ? blank('<value>') : value)
    if (follows) at += 1
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
  return { said, hints: line === null ? [] : [hint`Did you mean \`${typedAnew(words, ...line)}\`?`] }
}

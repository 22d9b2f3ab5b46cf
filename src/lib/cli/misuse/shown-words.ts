/**
 * The words of a mended line as they may be shown again. No value of paydesk's own flags is a secret, but a person may have typed
 * one all the same: behind a flag that sounds like one, or where it looks like one. Its place is left to the reader.
 */
import { type Blank, blank } from '../../hint.ts'
import type { Token } from '../flags/typed-line.ts'

export type ShownWord = string | Blank

export const left = blank('<value>')

const secretWords = ['secret', 'password', 'passwd', 'passphrase', 'token', 'credential', 'bearer', 'cookie', 'apikey']
const shortSecretWords = ['auth', 'jwt', 'cvv', 'cvc', 'pin', 'pan', 'otp', 'pass', 'pwd']

/** True if a value of the flag may be a secret, also where its name is mistyped. */
export async function soundsSecret(flag: string): Promise<boolean> {
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
export function looksSecret(text: string): boolean {
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

/** The words of a mended line as they may be shown again: what stands behind a flag that sounds like a secret is left to the reader. */
import { type Blank, blank } from '../../hint.ts'

/** No value of paydesk's own flags is a secret, but one of a flag that somebody thought up may be. */
export function soundsSecret(flag: string): boolean {
  return /secret|passw|token|cvv|\bpin\b/i.test(flag)
}

const left = blank('<value>')

/** The words behind a command, in their order. */
export function shownWords(words: readonly string[]): readonly (string | Blank)[] {
  return words.flatMap((word, at): readonly (string | Blank)[] => {
    const before = words[at - 1] ?? ''
    const isFlag = word.startsWith('-')
    if (!isFlag) return [before.startsWith('-') && soundsSecret(before) ? left : word]
    const end = word.indexOf('=')
    return end >= 0 && soundsSecret(word.slice(0, end)) ? [word.slice(0, end), left] : [word]
  })
}

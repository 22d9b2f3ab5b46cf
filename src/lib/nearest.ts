/** Did-you-mean: the known word that a mistyped one was meant to be. */
import { distance } from 'fastest-levenshtein'

/** One form for what people write in several: toIban, to_iban and TO-IBAN are to-iban. */
function plain(word: string): string {
  return word
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/[_\s]/g, '-')
    .toLowerCase()
}

/** Mistakes that a word of this length may hold and still be known again. */
function mostMistakes(length: number): number {
  if (length <= 2) return 0
  if (length <= 3) return 1
  return length <= 6 ? 2 : 3
}

/** The one word that has this text as its beginning or as one of its parts; null where several have. */
function onlyOneWith(text: string, known: readonly string[]): string | null {
  if (text.length < 3) return null
  const parts = known.filter((each) => plain(each).split('-').includes(text))
  const found = parts.length > 0 ? parts : known.filter((each) => plain(each).startsWith(text))
  return found.length === 1 ? (found[0] ?? null) : null
}

/** Beginnings that turn a word into its opposite. */
const turning = ['no-', 'no', 'not-', 'non-', 'un', 'dis', 'in', 'de', 'without-']

/** True if the text is nearer to the opposite of the word than to the word: a "no" is never taken for a "yes", nor the other way. */
function isNearerToOpposite(text: string, word: string): boolean {
  const opposites = turning.flatMap((turn) => [
    `${turn}${word}`,
    ...(word.startsWith(turn) ? [word.slice(turn.length)] : []),
  ])
  const mistakes = distance(text, word)
  return opposites.some((opposite) => opposite !== '' && distance(text, opposite) < mistakes)
}

/** Of the known words the one that is meant; null where none is near. Of two that are as near, the one that begins alike. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const text = plain(typed)
  const most = mostMistakes(text.length)
  const isMeant = (word: string) => !isNearerToOpposite(text, plain(word))
  const beginsOtherwise = (word: string) => (plain(word)[0] === text[0] ? 0 : 1)
  const near = known
    .map((word) => ({ word, mistakes: distance(text, plain(word)) }))
    .filter(({ word, mistakes }) => mistakes <= most && mistakes < text.length && isMeant(word))
    .toSorted((a, b) => a.mistakes - b.mistakes || beginsOtherwise(a.word) - beginsOtherwise(b.word))
  const word = near[0]?.word ?? onlyOneWith(text, known)
  return word === null || !isMeant(word) ? null : word
}

/** Words behind a complaint about a name that is none: the known one that was meant, or nothing. */
export function orMeant(typed: string, known: readonly string[]): string {
  const word = nearest(typed, known)
  return word === null || word === typed ? '' : `; did you mean ${word}?`
}

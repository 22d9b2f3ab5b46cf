/**
 * Secrets, hidden wherever a text holds them: as they stand, in another case, escaped as JSON, addresses and HTML have it,
 * percent-encoded, in hex, in base64, or in several of these at once. The masks themselves are never searched: a secret that is a
 * part of the mask would make the text grow with every pass.
 */
import { type Automaton, automatonOf } from './automaton.ts'
import { escapes } from './escapes.ts'
import { fromBase64, mayHoldBase64, type TextView, unescaped, viewOf } from './view.ts'

/**
 * The fewest letters of a secret: hiding shorter texts everywhere would shred the output, and they would still be easy to
 * guess.
 */
export const shortest = 4
/** A secret of so many letters and digits is recognised whatever stands between them: dashes left out, lines broken. */
const recognisable = 16
/** Layers of escapes. */
const layers = 3

/** In small letters, by code; filled as they are needed. */
const small = new Uint16Array(0x1_00_00)

function smallOf(code: number): number {
  const known = small[code]
  if (known) return known
  const letter = String.fromCharCode(code).toLowerCase()
  const found = letter.length === 1 ? letter.charCodeAt(0) : code
  small[code] = found
  return found
}

type Fold = (code: number) => number
const left = -1
const [plus, space] = [0x2b, 0x20]

/** A blank in a form is a plus. */
const closely: Fold = (code) => (code === plus ? space : smallOf(code))

const between = new Uint8Array(0x80)
for (const letter of '-_+/=.: \t\r\n') between[letter.charCodeAt(0)] = 1
const loosely: Fold = (code) => (between[code] === 1 ? left : smallOf(code))

function folded(text: string, fold: Fold): string {
  let letters = ''
  for (let at = 0; at < text.length; at += 1) {
    const code = fold(text.charCodeAt(at))
    if (code !== left) letters += String.fromCharCode(code)
  }
  return letters
}

interface Search {
  readonly automaton: Automaton
  /** The letters of its shortest word. */
  readonly least: number
  readonly fold: Fold
}

type Span = readonly [from: number, to: number]

/** Finds the words in a view; with `cutOff` also the beginning of one, of so many letters, with which it breaks off. */
function find({ automaton, fold }: Search, { codes, from, to }: TextView, cutOff: number | null, found: Span[]): void {
  const { step, begun, ended } = automaton
  const places = new Int32Array(codes.length)
  const span = (length: number, last: number): Span => [
    from[places[last - length + 1] ?? 0] ?? 0,
    to[places[last] ?? 0] ?? 0,
  ]
  let [state, last] = [0, -1]
  for (let at = 0; at < codes.length; at += 1) {
    const code = fold(codes[at] ?? 0)
    if (code === left) continue
    last += 1
    places[last] = at
    state = step(state, code)
    const length = ended[state] ?? 0
    if (length > 0) found.push(span(length, last))
  }
  const length = begun[state] ?? 0
  if (cutOff !== null && length >= cutOff) found.push(span(length, last))
}

/** Overlapping ones are one. */
function merged(spans: Span[]): readonly Span[] {
  const all: [number, number][] = []
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}

/** The bytes of a text, a letter each, as escapes and base64 hold them. */
function inBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

function searchesFor(secrets: Iterable<string>): readonly Search[] {
  const [close, loose] = [new Set<string>(), new Set<string>()]
  for (const secret of secrets) {
    if (secret.length < shortest) continue
    const hex = Buffer.from(secret, 'utf8').toString('hex')
    for (const word of new Set([secret, inBytes(secret), hex])) {
      const isLong = folded(word, loosely).length >= recognisable
      if (isLong) loose.add(folded(word, loosely))
      else close.add(folded(word, closely))
    }
  }
  const search = (words: ReadonlySet<string>, fold: Fold): Search[] =>
    words.size === 0 ? [] : [{ automaton: automatonOf(words), least: shortestOf(words), fold }]
  return [...search(close, closely), ...search(loose, loosely)]
}

function shortestOf(words: Iterable<string>): number {
  return [...words].reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY)
}

const mostRemembered = { letters: 64, texts: 200 }

/** With so many letters of a secret a text may be cut off in the middle of it. */
export const cutOff = 12

export class Secrets {
  readonly #searches: readonly Search[]
  /** Fewer letters than these hold no secret, however they are written: no writing of a letter is shorter than the letter. */
  readonly #least: number
  /** Some short texts without a secret, by the letters of one at which they may break off: answers have the same names again and again. */
  readonly #clean = new Map<string, number>()

  constructor(secrets: Iterable<string>) {
    this.#searches = searchesFor(secrets)
    this.#least = Math.min(...this.#searches.map(({ least }) => least))
  }

  /** The text with `mask` where a secret stands. `cutOff`: as many letters of one count, where the text breaks off. */
  hidden(text: string, mask: string, cutOff: number): string {
    if (text.length < Math.min(this.#least, cutOff) || this.#clean.get(text) === cutOff) return text
    const spans: Span[] = []
    this.#look(viewOf(text), 0, cutOff, spans)
    if (spans.length === 0) {
      if (text.length < mostRemembered.letters && this.#clean.size < mostRemembered.texts) this.#clean.set(text, cutOff)
      return text
    }
    const all = merged(spans)
    const kept = all.map(([from], at) => text.slice(all[at - 1]?.[1] ?? 0, from))
    return [...kept, text.slice(all.at(-1)?.[1] ?? 0)].join(mask)
  }

  /** In a view and in what is written in it: escapes first, then base64, and base64 in base64. */
  #look(view: TextView, depth: 0 | 1 | 2, cutOff: number, found: Span[]): void {
    const seen = (each: TextView) => {
      for (const search of this.#searches) find(search, each, depth === 0 ? cutOff : null, found)
    }
    seen(view)
    // One kind at a time: what begins an escape in one of them may be a letter of the secret in another.
    if (depth < 2) singly(view, 2 - depth, seen)
    let plain = view
    for (let layer = 0; layer < layers; layer += 1) {
      const next = unescaped(plain, escapes)
      if (next === null) break
      plain = next
      seen(plain)
    }
    if (depth === 2 || !mayHoldBase64(plain, this.#least)) return
    // Letters of base64 before the secret shift its groups of four.
    for (const skipped of [0, 1, 2, 3]) this.#look(fromBase64(plain, skipped), depth === 0 ? 1 : 2, cutOff, found)
  }
}

/** The view without escapes of one kind, and what that is without those of one kind. */
function singly(view: TextView, deep: number, seen: (view: TextView) => void): void {
  for (const kind of escapes) {
    const next = unescaped(view, [kind])
    if (next === null) continue
    seen(next)
    if (deep > 1) singly(next, deep - 1, seen)
  }
}

/**
 * Hides secrets in whatever leaves the program: known secrets in the forms in which programs write them, card numbers,
 * and what a name calls a secret. Takes time in proportion to the text, for texts are foreign.
 */
import { JsonNumber } from './contract/core/decimal.ts'
import type { Members } from './contract/core/members.ts'

/** Hiding a shorter text everywhere would shred the output. */
export const shortestSecret = 4
/** A text that is cut off shows a secret if it ends with so many letters of one. */
export const shortestBeginning = 12

/** So long a secret is known without its dashes, too. */
const shortestDashless = 16

/** Small letters, for other programs write UUIDs and hexadecimal digits in either case; a blank for the plus of a form. */
const fold = (code: number) => (code >= 0x41 && code <= 0x5a ? code | 0x20 : code === 0x2b ? 0x20 : code)

export type Report = (from: number, to: number) => void

/** Finds many words in one pass over a text (Aho and Corasick). A state is the beginning of a word; 0 is the empty one. */
class Matcher {
  /** A hash table from a state and a letter to the state behind it. */
  readonly #table: Int32Array
  readonly #before: Int32Array
  readonly #letter: Uint16Array
  /** By state: the longest shorter state that it ends with, the length of the longest word that it ends with, … */
  readonly #suffix: Int32Array
  readonly #ended: Int32Array
  /** … and of the longest beginning of a plain word. */
  readonly #begun: Int32Array

  /** `words`: true for a plain one, of which a beginning counts where the text is cut off. */
  constructor(words: ReadonlyMap<string, boolean>) {
    const queue = [...words].toSorted(([a], [b]) => b.length - a.length)
    const size = queue.reduce((sum, [{ length }]) => sum + length, 1)
    const numbers = (length: number) => new Int32Array(length)
    this.#table = numbers(2 ** Math.ceil(Math.log2(2 * size)))
    ;[this.#before, this.#suffix, this.#ended, this.#begun] = [
      numbers(size),
      numbers(size),
      numbers(size),
      numbers(size),
    ]
    this.#letter = new Uint16Array(size)
    const reached = numbers(queue.length)
    let last = 0
    // All words letter by letter at once: a state needs the shorter ones.
    for (let depth = 1, left = queue.length; left > 0; depth += 1) {
      for (let at = 0; at < left; at += 1) {
        const [word, isPlain] = queue[at] ?? ['', false]
        const [from, code] = [reached[at] ?? 0, fold(word.charCodeAt(depth - 1))]
        const slot = this.#slot(from, code)
        let state = this.#table[slot] ?? 0
        if (state === 0) {
          last += 1
          state = last
          const suffix = from === 0 ? 0 : this.#step(this.#suffix[from] ?? 0, code)
          this.#table[slot] = state
          this.#before[state] = from
          this.#letter[state] = code
          this.#suffix[state] = suffix
          this.#ended[state] = this.#ended[suffix] ?? 0
          this.#begun[state] = this.#begun[suffix] ?? 0
        }
        if (isPlain) this.#begun[state] = depth
        if (word.length === depth) this.#ended[state] = depth
        reached[at] = state
      }
      while (queue[left - 1]?.[0].length === depth) left -= 1
    }
  }

  #slot(from: number, code: number): number {
    const mask = this.#table.length - 1
    const hash = Math.imul(from, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const state = this.#table[slot] ?? 0
      if (state === 0 || (this.#before[state] === from && this.#letter[state] === code)) return slot
    }
  }

  #step(from: number, code: number): number {
    for (let state = from; ; state = this.#suffix[state] ?? 0) {
      const next = this.#table[this.#slot(state, code)] ?? 0
      if (next !== 0 || state === 0) return next
    }
  }

  /** Reports every place of a word, and the beginning of one, of `cutOff` letters or more, at the end of the text. */
  find(text: string, cutOff: number, report: Report): void {
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      state = this.#step(state, fold(text.charCodeAt(at)))
      const length = this.#ended[state] ?? 0
      if (length > 0) report(at + 1 - length, at + 1)
    }
    const begun = this.#begun[state] ?? 0
    if (begun >= cutOff) report(text.length - begun, text.length)
  }
}

/** `places`: where each letter, and the end, stands in the text itself. */
interface View {
  readonly text: string
  readonly places: Int32Array | null
}

/** The escapes of JSON, of addresses and forms, and of HTML. */
const escapes = /(?:\\u([\da-f]{4})|%([\da-f]{2})|&#x([\da-f]{1,5});)|&#(\d{1,6});|\\(.)|&(amp|lt|gt|quot|apos);/gi
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** JSON in JSON, an address in an address: escapes of escapes. */
const layers = 3

function characterOf([, unit, byte, point, decimal, letter, name]: RegExpMatchArray): string {
  const hex = unit ?? byte ?? point
  if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
  if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
  if (letter !== undefined) return controls[letter] ?? letter
  return entities[name?.toLowerCase() ?? ''] ?? ''
}

/** Takes one layer of escapes off; null where there is none. */
function decode({ text, places }: View): View | null {
  const pieces: string[] = []
  const out = new Int32Array(text.length + 1)
  let [length, done] = [0, 0]
  // The letters of an escape have one place; `step` is 0.
  const add = (piece: string, from: number, step: 0 | 1) => {
    pieces.push(piece)
    for (let at = 0; at < piece.length; at += 1, length += 1)
      out[length] = places?.[from + at * step] ?? from + at * step
  }
  for (const found of text.matchAll(escapes)) {
    add(text.slice(done, found.index), done, 1)
    add(characterOf(found), found.index, 0)
    done = found.index + found[0].length
  }
  if (done === 0) return null
  add(text.slice(done), done, 1)
  out[length] = places?.[text.length] ?? text.length
  return { text: pieces.join(''), places: out }
}

/** The letters of base64 that hold bits of the secret only, behind none, one or two other bytes. */
function base64Of(secret: Buffer): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bits = 8 * (before + secret.length)
    const text = Buffer.concat([Buffer.alloc(before), secret]).toString('base64')
    return text.slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6))
  })
}

/** True for the secret as it stands. Escapes are taken off here, too: a secret may hold what looks like one. */
function wordsOf(secrets: Iterable<string>): ReadonlyMap<string, boolean> {
  const words = new Map<string, boolean>()
  for (const secret of new Set(secrets)) {
    if (secret.length < shortestSecret) continue
    const bytes = Buffer.from(secret)
    const encoded = [bytes.toString('hex'), ...base64Of(bytes)]
    const inAddresses = encoded.map((each) => each.replaceAll('+', '-').replaceAll('/', '_'))
    const dashless = secret.replaceAll('-', '')
    // Percent-encoding writes bytes; many programs write UUIDs without dashes.
    const plain = [secret, bytes.toString('latin1'), ...(dashless.length >= shortestDashless ? [dashless] : [])]
    for (const form of [...plain, ...encoded, ...inAddresses]) {
      let view: View | null = { text: form, places: null }
      for (let layer = 0; view !== null && layer <= layers; layer += 1, view = decode(view)) {
        if (view.text.length >= shortestSecret) words.set(view.text, words.get(view.text) || plain.includes(form))
      }
    }
  }
  return words
}

type Span = [from: number, to: number]

function merge(spans: Span[]): readonly Span[] {
  const merged: Span[] = []
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    const last = merged.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/**
 * The text with `mask` in the place of whatever `find` reports of it, as it stands or under its escapes. The masks are not
 * searched: a secret that stands in the mask would make the text grow.
 */
export function hideFound(text: string, mask: string, find: (text: string, report: Report) => void): string {
  const spans: Span[] = []
  let view: View | null = { text, places: null }
  for (let layer = 0; view !== null && layer <= layers; layer += 1, view = decode(view)) {
    const { places } = view
    find(view.text, (from, to) => spans.push([places?.[from] ?? from, places?.[to] ?? to]))
  }
  let [shown, done] = ['', 0]
  for (const [from, to] of merge(spans)) {
    shown += text.slice(done, from) + mask
    done = to
  }
  return shown + text.slice(done)
}

/** Known secrets. */
export class Secrets {
  readonly #matcher: Matcher

  constructor(secrets: Iterable<string>) {
    this.#matcher = new Matcher(wordsOf(secrets))
  }

  /** The text with `mask` in the place of every secret. `cutOff`: as many letters of a secret count where the text ends. */
  hide(text: string, mask: string, cutOff: number): string {
    return hideFound(text, mask, (view, report) => this.#matcher.find(view, cutOff, report))
  }
}

/**
 * 13 to 19 digits in the ranges of ISO/IEC 7812 that networks use; 8 and 9: RuPay, UzCard, Napas, Troy and Humo. Not 12
 * digits (Maestro): reference numbers of acquirers have twelve.
 */
const likeACard = /(?<![\w.])(?:[2-6][ -]?\d|8[ -]?[126]|9[ -]?[78])(?:[ -]?\d){11,17}(?!\w|\.\d)/g

/** The check digit of card numbers (Luhn). */
function isChecked(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

export function hideCardNumbers(text: string, mask: string): string {
  return text.replace(likeACard, (found) => (isChecked(found.replace(/\D/g, '')) ? mask : found))
}

/** Headers that let a client in. */
const secretHeader = /auth(?!enticate$|or$|ority$)|cookie|token|secret|session|passw|credential|api[-_]?key|jwt/i
/** Members that hold a credential; `token_type` holds none. */
const secretMember = /(?:token|secret|passw(?:or)?d|jwt|api_?key|authorization|cookie|credential)s?$/i

export const isSecretHeader = (name: string) => secretHeader.test(name)
export const isSecretMember = (name: string) => secretMember.test(name)

function isPlainObject(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (value instanceof JsonNumber || typeof value === 'number') {
    // A number is hidden only where it is the secret itself: in a part of a sum there is none.
    const shown = change(String(value))
    return /\d/.test(shown) ? value : shown
  }
  if (Array.isArray(value)) return value.map((each) => mapped(each, change))
  if (!isPlainObject(value)) return value
  const members = new Map<string, unknown>()
  for (const [at, [name, member]] of Object.entries(value).entries()) {
    let shown = change(name)
    // Two names that become the same stay two.
    while (members.has(shown)) shown = `${shown} ${at + 1}`
    members.set(shown, mapped(member, change))
  }
  return Object.fromEntries(members)
}

/** Changes every text of a value, names of members among them. */
export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  return mapped(value, change) as Value
}

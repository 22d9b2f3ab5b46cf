/**
 * A text read in another way, with the place of every letter in the text itself: as it stands, without escapes, or as the
 * base64 that may stand in it. A secret that is found in a view is hidden in the text. Every pass is linear.
 */
import { escapeAt, lengthOf, nothing, pointOf } from './escapes.ts'

export interface TextView {
  readonly codes: Uint16Array
  /** By letter: where in the text it begins, and where it ends. */
  readonly from: Int32Array
  readonly to: Int32Array
}

export function viewOf(text: string): TextView {
  const { length } = text
  const [codes, from, to] = [new Uint16Array(length), new Int32Array(length), new Int32Array(length)]
  for (let at = 0; at < length; at += 1) {
    codes[at] = text.charCodeAt(at)
    from[at] = at
    to[at] = at + 1
  }
  return { codes, from, to }
}

class Growing {
  readonly #codes: Uint16Array
  readonly #from: Int32Array
  readonly #to: Int32Array
  #length = 0

  constructor(most: number) {
    this.#codes = new Uint16Array(most)
    this.#from = new Int32Array(most)
    this.#to = new Int32Array(most)
  }

  add(code: number, from: number, to: number): void {
    this.#codes[this.#length] = code
    this.#from[this.#length] = from
    this.#to[this.#length] = to
    this.#length += 1
  }

  get view(): TextView {
    const cut = <Numbers extends Uint16Array | Int32Array>(all: Numbers) => all.subarray(0, this.#length) as Numbers
    return { codes: cut(this.#codes), from: cut(this.#from), to: cut(this.#to) }
  }
}

/** The same with one layer of these escapes taken off; null where there are none. */
export function unescaped({ codes, from, to }: TextView, marks: readonly number[]): TextView | null {
  const present = marks.filter((mark) => codes.includes(mark))
  if (present.length === 0) return null
  const out = new Growing(codes.length)
  let found = false
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0
    const begin = from[at] ?? 0
    const isMark = code < 0x60 && present.includes(code)
    const written = isMark ? escapeAt(codes, at) : nothing
    if (written === nothing) {
      out.add(code, begin, to[at] ?? 0)
      continue
    }
    found = true
    const point = pointOf(written)
    at += lengthOf(written) - 1
    const end = to[at] ?? 0
    if (point <= 0xff_ff) out.add(point, begin, end)
    else for (const unit of String.fromCodePoint(point).split('')) out.add(unit.charCodeAt(0), begin, end)
  }
  return found ? out.view : null
}

/** A letter of no secret, where base64 breaks off. */
const broken = 0xff_ff
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const none = 64
const blank = 65

const sextets = new Uint8Array(0x1_00_00).fill(none)
for (const [at, letter] of [...alphabet].entries()) sextets[letter.charCodeAt(0)] = at
sextets['-'.charCodeAt(0)] = 62
sextets['_'.charCodeAt(0)] = 63
for (const letter of ' \t\r\n') sextets[letter.charCodeAt(0)] = blank

/** True if a run of letters is long enough to hold so many letters in base64: four of it are three bytes. */
export function mayHoldBase64({ codes }: TextView, least: number): boolean {
  let run = 0
  for (const code of codes) {
    const sextet = sextets[code] ?? none
    if (sextet < none) run += 1
    else if (sextet === none) run = 0
    if (run * 3 >= least * 4) return true
  }
  return false
}

/** The bytes of the base64 in a view; the first `skipped` letters (0 to 3) of every run belong to something else. */
export function fromBase64({ codes, from, to }: TextView, skipped: number): TextView {
  const out = new Growing(codes.length)
  let [toSkip, bits, held, begin] = [skipped, 0, 0, 0]
  for (let at = 0; at < codes.length; at += 1) {
    const sextet = sextets[codes[at] ?? 0] ?? none
    if (sextet === blank) continue
    if (sextet >= none) {
      out.add(broken, from[at] ?? 0, to[at] ?? 0)
      ;[toSkip, bits, held] = [skipped, 0, 0]
      continue
    }
    if (toSkip > 0) {
      toSkip -= 1
      continue
    }
    const first = begin
    begin = from[at] ?? 0
    held = ((held << 6) | sextet) & 0xfff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    out.add((held >> bits) & 0xff, first, to[at] ?? 0)
  }
  return out.view
}

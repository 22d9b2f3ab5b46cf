/**
 * Many words found in one pass over a text (Aho and Corasick), so that neither their number nor how much they have in common
 * makes it slow, whatever a foreign message holds.
 */

export interface Automaton {
  /** The state behind one more letter; the first is 0. */
  readonly step: (from: number, code: number) => number
  /** By state: how many of the letters before it are the beginning of a word, and how many the longest word that ends there. */
  readonly begun: Int32Array
  readonly ended: Int32Array
}

/** From a state by a letter to a state: a hash table, for a Map with that many large numbers takes many times as long. */
class Edges {
  readonly #mask: number
  readonly #states: Int32Array
  readonly #codes: Uint16Array
  readonly #targets: Int32Array

  constructor(most: number) {
    const size = 1 << Math.max(4, 33 - Math.clz32(most))
    this.#mask = size - 1
    this.#states = new Int32Array(size)
    this.#codes = new Uint16Array(size)
    this.#targets = new Int32Array(size)
  }

  #slot(state: number, code: number): number {
    let slot = (Math.imul(state, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) & this.#mask
    slot = (slot ^ (slot >>> 7)) & this.#mask
    while (this.#targets[slot] !== 0 && (this.#states[slot] !== state || this.#codes[slot] !== code)) {
      slot = (slot + 1) & this.#mask
    }
    return slot
  }

  /** 0 where there is none: no edge leads back to the first state. */
  get(state: number, code: number): number {
    return this.#targets[this.#slot(state, code)] ?? 0
  }

  set(state: number, code: number, target: number): void {
    const slot = this.#slot(state, code)
    this.#states[slot] = state
    this.#codes[slot] = code
    this.#targets[slot] = target
  }
}

export function automatonOf(given: Iterable<string>): Automaton {
  const words = [...new Set(given)].toSorted((a, b) => b.length - a.length)
  const size = words.reduce((sum, { length }) => sum + length, 1)
  const [begun, ended, shorter] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)]
  const edges = new Edges(size)
  const step = (from: number, code: number): number => {
    for (let state = from; ; state = shorter[state] ?? 0) {
      const to = edges.get(state, code)
      if (to !== 0 || state === 0) return to
    }
  }
  const states = new Int32Array(words.length)
  let made = 0
  const grow = (from: number, code: number): number => {
    made += 1
    const rest = from === 0 ? 0 : step(shorter[from] ?? 0, code)
    edges.set(from, code, made)
    shorter[made] = rest
    begun[made] = (begun[from] ?? 0) + 1
    ended[made] = ended[rest] ?? 0
    return made
  }
  // All words letter by letter at once: a state needs the shorter ones.
  for (let depth = 0, left = words.length; left > 0; depth += 1) {
    while (left > 0 && words[left - 1]?.length === depth) left -= 1
    for (let at = 0; at < left; at += 1) {
      const [word = '', from = 0] = [words[at], states[at]]
      const code = word.charCodeAt(depth)
      const to = edges.get(from, code) || grow(from, code)
      states[at] = to
      if (word.length === depth + 1) ended[to] = word.length
    }
  }
  return { step, begun, ended }
}

/**
 * Many strings hidden in one pass over a text: an automaton of all of them (Aho and Corasick), so that neither their number
 * nor how much they have in common makes it slow, whatever a foreign callback holds. What was put in is never looked at again:
 * else a secret that stands inside the mask would make the text grow with every pass.
 */

/** What has fewer letters is no secret: hidden everywhere it would shred the text and still be easy to guess. */
export const shortest = 4

interface Automaton {
  /** The state behind one more letter; the first is 0. */
  readonly step: (from: number, code: number) => number
  /** By state: how many of the letters before it are the beginning of a word, and how many the longest word that ends there. */
  readonly begun: Int32Array
  readonly ended: Int32Array
}

function automatonOf(given: ReadonlySet<string>): Automaton {
  const words = [...given].toSorted((a, b) => b.length - a.length)
  const size = words.reduce((sum, { length }) => sum + length, 1)
  const [begun, ended, shorter] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)]
  const edges = new Map<number, number>()
  const edge = (state: number, code: number) => state * 0x1_00_00 + code
  const step = (from: number, code: number): number => {
    for (let state = from; ; state = shorter[state] ?? 0) {
      const to = edges.get(edge(state, code))
      if (to !== undefined || state === 0) return to ?? 0
    }
  }
  const states = new Int32Array(words.length)
  let made = 0
  const grow = (from: number, code: number): number => {
    made += 1
    edges.set(edge(from, code), made)
    const rest = from === 0 ? 0 : step(shorter[from] ?? 0, code)
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
      const to = edges.get(edge(from, code)) ?? grow(from, code)
      states[at] = to
      if (word.length === depth + 1) ended[to] = word.length
    }
  }
  return { step, begun, ended }
}

type Span = readonly [from: number, to: number]

/** Where the words stand: those that overlap are one span. The beginning of one, with which the text breaks off, counts. */
function spansOf(text: string, { step, begun, ended }: Automaton): readonly Span[] {
  const spans: Span[] = []
  const add = (length: number, to: number) => {
    let from = to - length
    for (let last = spans.at(-1); last && last[1] > from; last = spans.at(-1)) {
      from = Math.min(from, last[0])
      spans.pop()
    }
    spans.push([from, to])
  }
  let state = 0
  for (let at = 0; at < text.length; at += 1) {
    state = step(state, text.charCodeAt(at))
    const length = ended[state] ?? 0
    if (length > 0) add(length, at + 1)
  }
  const cutOff = begun[state] ?? 0
  if (cutOff >= shortest) add(cutOff, text.length)
  return spans
}

/** Those that can stand in the text, whole or begun: mostly few. */
function candidates(text: string, secrets: readonly string[]): ReadonlySet<string> {
  const beginnings = new Set<string>()
  for (let at = 0; at + shortest <= text.length; at += 1) beginnings.add(text.slice(at, at + shortest))
  return new Set(secrets.filter((each) => beginnings.has(each.slice(0, shortest))))
}

/** The text with `mask` where a secret stands, or a few that overlap. */
export function withoutSecrets(text: string, secrets: readonly string[], mask: string): string {
  const words = secrets.length === 0 ? new Set<string>() : candidates(text, secrets)
  if (words.size === 0) return text
  const spans = spansOf(text, automatonOf(words))
  const kept = spans.map(([from], at) => text.slice(spans[at - 1]?.[1] ?? 0, from))
  return [...kept, text.slice(spans.at(-1)?.[1] ?? 0)].join(mask)
}

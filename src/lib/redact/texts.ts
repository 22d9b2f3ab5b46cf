/** Every text of a value changed, names of members among them; what has no text in it stays itself. */
import { JsonNumber } from '../contract/core/decimal.ts'
import type { Members } from '../contract/core/members.ts'

function isPlain(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false
  const made = Object.getPrototypeOf(value)
  return made === Object.prototype || made === null
}

/** Names of members: two that become the same are two still. As many as there may be become one: none counts anew. */
class Names {
  readonly #taken = new Set<string>()
  /** By name: the number that the next one of it is tried with. */
  readonly #next = new Map<string, number>()

  /** The name, or one with a number behind it that no member has yet. */
  free(name: string): string {
    const isSeen = this.#taken.has(name)
    let at = this.#next.get(name) ?? 2
    let free = name
    for (; this.#taken.has(free); at += 1) free = `${name} ${at}`
    if (isSeen) this.#next.set(name, at)
    this.#taken.add(free)
    return free
  }
}

function changed(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (value instanceof JsonNumber || typeof value === 'number') {
    // A number is hidden only where it is the secret itself: in a part of a sum there is none.
    const shown = change(String(value))
    return /\d/.test(shown) ? value : shown
  }
  if (Array.isArray(value)) return value.map((each) => changed(each, change))
  if (!isPlain(value)) return value
  const names = new Names()
  const members = Object.entries(value).map(([name, member]) => [names.free(change(name)), changed(member, change)])
  return Object.fromEntries(members)
}

export function overTexts<Value>(value: Value, change: (text: string) => string): Value {
  return changed(value, change) as Value
}

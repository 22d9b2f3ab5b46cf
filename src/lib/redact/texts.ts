/** Every text of a value changed, names of members among them; what has no text in it stays itself. */
import { JsonNumber } from '../contract/core/decimal.ts'
import type { Members } from '../contract/core/members.ts'

function isPlain(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false
  const made = Object.getPrototypeOf(value)
  return made === Object.prototype || made === null
}

/** A name that no member has yet: two that become the same are two still. */
function unused(name: string, taken: ReadonlySet<string>): string {
  for (let at = 2, free = name; ; at += 1) {
    if (!taken.has(free)) return free
    free = `${name} ${at}`
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
  const taken = new Set<string>()
  const members = Object.entries(value).map(([name, member]) => {
    const free = unused(change(name), taken)
    taken.add(free)
    return [free, changed(member, change)]
  })
  return Object.fromEntries(members)
}

export function overTexts<Value>(value: Value, change: (text: string) => string): Value {
  return changed(value, change) as Value
}

/** The operator's word about a write (`resume --settle`), kept in the journal as such: no answer and no read stands behind it. */
import type { Intent } from '../../journal/intent.ts'

const says = 'the operator says: '

export function asWord(because: string): string {
  return `${says}${because}`
}

/** How the operator knew; null where something else resolved it. */
export function wordOf({ because }: Intent): string | null {
  return because?.startsWith(says) ? because.slice(says.length) : null
}

/** The required end of every command of a story: exit code, whether money moved, and the state of the journal. */
import type { Meaning } from './meaning.ts'
import type { Write, WriteName } from './writes.ts'

/** One command of a story. */
export type Step = 'first' | 'again' | 'lost' | 'resume' | 'late' | 'last'

export interface Expected {
  /** Any of these. */
  readonly exit: readonly number[]
  readonly moneyMoved?: 'no' | 'unknown'
  readonly state?: string | null
}

export interface Circumstances {
  readonly write: Write
  readonly meaning: Meaning
  /** True if the service executed it before it answered. */
  readonly executed: boolean
  /** An attempt before this answer was lost on its way back. */
  readonly afterLost: boolean
}

/** Writes that may be sent once more after a lost answer, because the service recognises them. */
const sentOnceMore: readonly WriteName[] = [
  'payout create',
  'wallet finalize',
  'order cancel',
  'wallet cancel',
  'subscription revoke',
]

/** True if the program may send it once more after a lost answer. */
export function isRepeated({ name }: Write): boolean {
  return sentOnceMore.includes(name)
}

/** Writes whose second sending the service recognises and names as such. */
const namesRepeats: readonly WriteName[] = [
  'payout create',
  'order create',
  'charge of a saved card',
  'wallet finalize',
]

/** Writes of which no read tells whether they were executed. */
const unreadable: readonly WriteName[] = ['payout create', 'order refund', 'user register', 'subscription revoke']

/** Writes of which nothing proves that they were not executed, however long. */
const neverDenied: readonly WriteName[] = ['user register', 'order complete']

const ended = (exit: number, state?: string | null): Expected => ({
  exit: [exit],
  ...(state === undefined ? {} : { state }),
})
const no = (exit: number, state?: string | null): Expected => ({ ...ended(exit, state), moneyMoved: 'no' })
/** Someone has executed it: another machine, or this very request, sent twice on its way. */
const conflict: Expected = { exit: [7], moneyMoved: 'unknown', state: 'refused' }
const unknown: Expected = { exit: [9], moneyMoved: 'unknown', state: 'unknown' }

/** The first answer of all, while no read works. */
function onFirst({ write, meaning }: Circumstances): Expected {
  switch (meaning.kind) {
    case 'done':
      return ended(0, 'accepted')
    case 'ended':
      return no(5, 'accepted')
    case 'refused':
      return no(meaning.exit, 'refused')
    case 'duplicate':
      return conflict
    case 'turned-away':
      return no(meaning.exit, 'turned-away')
    case 'unsent':
      // A payout signs in first: without a token nothing is opened in the journal.
      return no(11, write.area === 'A' ? null : 'unsent')
    case 'unknown':
      return unknown
  }
}

/** The answer to a repeat in the same command, after an attempt without a definite answer. */
function onRepeat({ write, meaning }: Circumstances): Expected {
  // The status would be read first, and no read works.
  if (write.name === 'order cancel' || write.name === 'wallet cancel') return unknown
  if (meaning.kind === 'done') return ended(0)
  if (meaning.kind === 'ended') return no(5, 'accepted')
  // ALREADY_FINALISED says nothing until the details say SUCCESS; 5017 proves that the service has the id.
  if (meaning.kind === 'duplicate') return write.name === 'payout create' ? ended(0, 'exists') : unknown
  if (meaning.kind === 'refused' && meaning.bodyOnly) return no(meaning.exit, 'refused')
  return unknown
}

/** True if the first attempt met a conflict. That is one for ever, so one more attempt is lost in its story. */
export function isConflict({ meaning, afterLost }: Circumstances): boolean {
  return meaning.kind === 'duplicate' && !afterLost
}

/** The same command again, with the same answers, while reads work. */
function onAgain(story: Circumstances): Expected {
  const { write, meaning, executed, afterLost } = story
  // The details show it alive, and they are newer.
  if (meaning.kind === 'ended' && meaning.byTime) return ended(0, 'accepted')
  if (meaning.kind === 'unknown' && meaning.stays) return unknown
  const first = expectedOf('first', story)
  if (!first.exit.includes(9)) return first.state === 'exists' ? ended(0) : first
  if (executed && !unreadable.includes(write.name)) return ended(0, 'exists')
  if (!afterLost || !isRepeated(write)) return unknown
  if (meaning.kind === 'done') return ended(0, 'accepted')
  return meaning.kind === 'refused' && meaning.bodyOnly ? no(meaning.exit, 'refused') : unknown
}

function onResume(story: Circumstances): Expected {
  const { write, meaning, executed } = story
  const again = expectedOf('again', story)
  if (isConflict(story)) return { exit: [7, 9], moneyMoved: 'unknown' }
  if (meaning.kind === 'unknown' && meaning.stays) return unknown
  if (again.exit.includes(0)) return ended(0)
  if (meaning.kind === 'ended') return again
  // A resolved intent is told as it stands.
  if (again.state === 'refused') return { exit: [5, ...again.exit], state: 'refused' }
  if (again.state === 'unsent') return no(11, 'unsent')
  if (meaning.kind === 'turned-away' && again.state === 'turned-away') {
    // The journal keeps no card token.
    if (write.name === 'charge of a saved card') return no(2)
    // Nothing of ours is known to have arrived, and yet the id is taken.
    return executed ? { exit: [7], moneyMoved: 'unknown' } : ended(0)
  }
  if (isRepeated(write)) return ended(0)
  return executed && !unreadable.includes(write.name) ? ended(0, 'exists') : unknown
}

/** A quarter of an hour later: what left no trace was not executed. */
function onLate(story: Circumstances): Expected {
  const { write, executed, meaning } = story
  if (isConflict(story)) return { exit: [7, 9], moneyMoved: 'unknown' }
  if (meaning.kind === 'unknown' && meaning.stays) return unknown
  return neverDenied.includes(write.name) || executed ? unknown : no(5, 'refused')
}

/** The same command once more. An unknown write stays unknown; every other one comes to its one execution. */
function onLast(story: Circumstances): Expected {
  const { write, meaning, executed } = story
  if (meaning.kind === 'ended') return meaning.byTime ? ended(0) : no(5)
  if (meaning.kind === 'unknown' && meaning.stays) return unknown
  if (isConflict(story)) return { exit: [7, 9], moneyMoved: 'unknown' }
  if (meaning.kind === 'turned-away' && executed && !story.afterLost) return { exit: [7], moneyMoved: 'unknown' }
  const isOpen = expectedOf('resume', story).exit.includes(9) && onLate(story).exit.includes(9)
  const staysOpen = unreadable.includes(write.name) || (neverDenied.includes(write.name) && !executed)
  return isOpen && staysOpen ? unknown : ended(0)
}

export function expectedOf(step: Step, story: Circumstances): Expected {
  switch (step) {
    case 'first':
      return story.afterLost ? onRepeat(story) : onFirst(story)
    case 'again':
      return onAgain(story)
    case 'lost':
      return { exit: [7, 9], moneyMoved: 'unknown' }
    case 'resume':
      return onResume(story)
    case 'late':
      return onLate(story)
    case 'last':
      return onLast(story)
  }
}

/** Tells whether a service may execute the write before this answer. */
export function executions(write: Write, meaning: Meaning, afterLost: boolean): readonly boolean[] {
  switch (meaning.kind) {
    case 'done':
    case 'ended':
      return afterLost ? [true, false] : [true]
    case 'duplicate':
      // Sent twice on its way, the second answer of an executed write says that its id is already used.
      return afterLost ? [true] : [true, false]
    case 'unsent':
      return afterLost ? [true, false] : [false]
    case 'refused':
      return afterLost && !meaning.bodyOnly ? [true, false] : [false]
    case 'turned-away':
      return afterLost || namesRepeats.includes(write.name) ? [true, false] : [false]
    case 'unknown':
      return [true, false]
  }
}

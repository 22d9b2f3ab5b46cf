/**
 * True if a command line may be about a payment of an earlier run. Its words alone decide, so that a program that is stopped
 * while it starts can tell, too.
 */
import { nothingSent, nothingSentNow, type StoppedFacts } from '../../signals.ts'
import { earlyLine, type TypedLine } from '../flags/typed.ts'

const topics: ReadonlySet<string> = new Set([
  ...['payout', 'order', 'card', 'wallet', 'subscription', 'user'],
  ...['resume', 'journal'],
])

/** Commands that make something new, under an id that this run makes unless one is given. */
const creating: ReadonlySet<string> = new Set([
  ...['payout:create', 'order:create', 'order:refund', 'wallet:create', 'user:register'],
])

/** Flags that give the id of a write; a file may hold it. */
export const idFlags = ['--key', '--unique-id', '--integrator-order-id'] as const

/** Commands about a plan that may have been run before. */
const ofPlans: ReadonlySet<string> = new Set([
  ...['run', 'resume', 'wait', 'discard', 'status'].map((each) => `batch:${each}`),
  ...['request', 'approve', 'reject', 'show'].map((each) => `approval:${each}`),
])

/** `id` is that of the command, such as `payout:create`; empty where no word names one. */
export function isAboutEarlier(id: string, line: TypedLine): boolean {
  const [topic = ''] = id.split(':')
  if (id === '') return idFlags.some((flag) => line.has(flag))
  if (!topics.has(topic) || id === 'payout:balance') return false
  if (!creating.has(id)) return true
  return [...idFlags, '--file'].some((flag) => line.has(flag))
}

/** The last words about money of a command that is stopped before it has asked the journal. */
export function stoppedUnasked(id: string, line: TypedLine): StoppedFacts {
  return ofPlans.has(id) || isAboutEarlier(id, line) ? nothingSentNow : nothingSent
}

/** The same of a whole command line. */
export function stoppedAtStart(argv: readonly string[]): StoppedFacts {
  const [first = '', second = ''] = argv
  const isTopic = !first.includes(':') && !second.startsWith('-')
  return stoppedUnasked(isTopic ? [first, second].filter(Boolean).join(':') : first, earlyLine(argv))
}

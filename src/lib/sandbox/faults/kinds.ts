/** The words of a fault: for which operations, when, and what happens. */
import { howMany } from '../../contract/core/text.ts'
import { operations } from '../../contract/operations.ts'
import { answerFaultKinds } from './inject.ts'

export const faultPlaces = ['before', 'after'] as const

/**
 * `slow`: the answer is whole, but late; `before`, it is the request that takes so long to arrive, and it is executed even if
 * its client has given up. `duplicate`: the service gets the request twice, as from a proxy that repeats it, and the client hears the
 * first outcome; of `duplicate-second` it hears the second one.
 */
export const faultKinds = [...answerFaultKinds, 'slow', 'duplicate', 'duplicate-second'] as const
export type FaultPlace = (typeof faultPlaces)[number]
export type FaultKind = (typeof faultKinds)[number]

/** True if a fault of this kind lets the request come twice. */
export function comesTwice(kind: FaultKind): kind is 'duplicate' | 'duplicate-second' {
  return kind === 'duplicate' || kind === 'duplicate-second'
}

/** The place of a fault that names none: a request that is turned away was not executed, of all others it is the answer that fails. */
export function usualPlace(kind: FaultKind): FaultPlace {
  return kind === '401' || kind === '429' ? 'before' : 'after'
}

/** Targets of a fault: an operation, those of one kind of object, or all. */
export const faultTargets: readonly string[] = [
  ...operations.map(({ name }) => name),
  ...new Set(operations.map(({ name }) => `${name.split('.')[0]}.*`)),
  '*',
]

/** The answer to whoever clears faults. */
export function faultsCleared(count: number): string {
  return count === 0 ? 'No faults to clear.' : `Cleared ${howMany(count, 'fault')}.`
}

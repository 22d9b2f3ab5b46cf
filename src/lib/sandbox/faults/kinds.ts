/** The words of a fault: for which operations, when, and what happens. */
import { operations } from '../../contract/operations.ts'
import { type AnswerFaultKind, answerFaultKinds } from './inject.ts'

export const faultPlaces = ['before', 'after'] as const

/**
 * `slow`: the answer is whole, but late; `before`, it is the request that takes so long to arrive, and it is executed even if
 * its client has given up. `duplicate`: the service executes the request twice, as a proxy that repeats it would have it.
 */
export const faultKinds = [...answerFaultKinds, 'slow', 'duplicate'] as const
export type FaultPlace = (typeof faultPlaces)[number]
export type FaultKind = AnswerFaultKind | 'slow' | 'duplicate'

/** Targets of a fault: an operation, those of one kind of object, or all. */
export const faultTargets: readonly string[] = [
  ...operations.map(({ name }) => name),
  ...new Set(operations.map(({ name }) => `${name.split('.')[0]}.*`)),
  '*',
]

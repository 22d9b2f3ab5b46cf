/** Faults that one wants most, by one click. */
import type { FaultKind, FaultPlace } from '../faults/kinds.ts'

export interface FaultPreset {
  readonly name: string
  readonly title: string
  /** The effect, in words that follow "the fault waits:". */
  readonly promise: string
  readonly at: FaultPlace
  readonly kind: FaultKind
  readonly delay?: number
}

export const faultPresets: readonly FaultPreset[] = [
  {
    name: 'lose-answer',
    title: 'Lose the next answer',
    promise: 'it is executed, and its answer is lost',
    at: 'after',
    kind: 'reset',
  },
  {
    name: 'lose-request',
    title: 'Lose the next request',
    promise: 'the service never sees it',
    at: 'before',
    kind: 'reset',
  },
  {
    name: 'late-answer',
    title: 'Answer 30 s late',
    promise: 'it is executed, and its answer is 30 seconds late',
    at: 'after',
    kind: 'slow',
    delay: 30_000,
  },
  {
    name: 'bad-gateway',
    title: 'Answer 502 all the same',
    promise: 'it is executed, and a gateway says 502',
    at: 'after',
    kind: 'html502',
  },
  {
    name: 'twice',
    title: 'Deliver it twice',
    promise: 'the service gets it twice, as from a proxy that repeats it',
    at: 'after',
    kind: 'duplicate',
  },
  { name: 'busy', title: 'Refuse with 429', promise: 'it is refused with 429, unseen', at: 'before', kind: '429' },
  { name: 'token', title: 'Refuse the token', promise: 'it is refused with 401, unseen', at: 'before', kind: '401' },
]

/** The kinds of evidence that a read can be of a write whose answer was lost (money-safety.md#evidence). */
import type { Failure } from '../../failure.ts'

export type Evidence =
  /** Executed. `sumConfirmed`: the sum is shown, and it is the one that was sent. */
  | { readonly kind: 'executed'; readonly status: string; readonly because: string; readonly sumConfirmed: boolean }
  /** Not executed, and the status of the thing leaves no way for it. */
  | { readonly kind: 'over'; readonly status: string; readonly because: string }
  /** Over by time alone: what a copy that lags behind shows of a write that it has not heard of. */
  | { readonly kind: 'lapsed'; readonly status: string; readonly because: string }
  /** Executed with another sum: this write, or one of another machine. The meaning of the shown sum is not known. */
  | { readonly kind: 'differs'; readonly status: string; readonly because: string }
  /** No trace: the thing is as it was before, so far. */
  | { readonly kind: 'no-trace'; readonly status: string; readonly because: string }
  /** The service does not know what it is about, at least so far. */
  | { readonly kind: 'absent'; readonly because: string }
  /** Ambiguous: this write or another one may have led to the status. */
  | { readonly kind: 'unclear'; readonly status?: string; readonly because: string }
  /** Not read: `failure` says why, where asking failed. */
  | { readonly kind: 'unreadable'; readonly because: string; readonly failure?: Failure }
  /** Nothing that could be read. */
  | { readonly kind: 'none' }
